package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.options.Selection;
import org.inferometer.record.Phase;
import org.inferometer.record.RunPlan;
import org.inferometer.run.ExperimentListener;
import org.inferometer.run.RunFailure;
import org.inferometer.run.WorkerFrame;
import org.inferometer.run.Workspace;
import org.inferometer.units.EnvironmentVariables;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.WorkloadPresets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// Kills an experiment's process at random instants. Afterwards either its worker keeps the machine locked, or no worker measures.
///
/// `-Dinferometer.kills=50` kills more often.
@Tag("endurance")
@Execution(ExecutionMode.CONCURRENT)
@Timeout(1800)
class KilledParentTest {
    private static final int KILLS = Integer.getInteger("inferometer.kills", 1);
    private static final long LATEST_MILLIS = 2500;

    @TempDir
    Path folder;

    /// An experiment of one long run; prints a line when the run starts and one when its worker measures. Arguments: the workspace.
    static final class Parent {
        private Parent() {}

        public static void main(String[] arguments) throws Exception {
            Path folder = Path.of(arguments[0]);
            ExperimentSpec spec = new ExperimentSpec("killed", List.of(), List.of(),
                    List.of(new WorkloadPresets().find("short").withRequests(2000)
                            .withArrivals(new ArrivalProcess.Poisson(20))),
                    Selection.of("host"), 1, 2, 1, 50, 0, ExperimentSpec.AskedLimits.DEFAULTS)
                    .onTargetsOnly(List.of(Selection.parse("null:name=nothing")));
            new Program(new Workspace(folder), EnvironmentVariables.ofProcess(), HastyWorker.in(folder))
                    .benchmarks(folder.resolve("results")).start(spec, new ExperimentListener() {
                        @Override
                        public void runStarted(RunPlan plan) {
                            System.out.println("started");
                        }

                        @Override
                        public void frame(RunPlan plan, WorkerFrame frame) {
                            if (frame instanceof WorkerFrame.PhaseStarted(Phase phase, long nanos)
                                    && phase == Phase.MEASURE) {
                                System.out.println("measures");
                            }
                        }
                    }).await();
        }
    }

    @Test
    void killedParentLeavesNoUnlockedWorker() throws Exception {
        SplittableRandom random = new SplittableRandom(7);
        List<String> ends = new ArrayList<>();
        for (int kill = 0; kill < KILLS; kill++) {
            ends.add(killAndReserve("started", random.nextLong(LATEST_MILLIS)));
        }
        assertThat(ends).isSubsetOf("no worker measures", "refused");
        assertThat(killAndReserve("measures", 0)).isEqualTo("refused");
    }

    private String killAndReserve(String line, long afterMillis) throws Exception {
        List<String> command = FastJava.program(Parent.class);
        command.add(folder.toString());
        Process parent = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        List<ProcessHandle> workers;
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(parent.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(lines.lines().anyMatch(line::equals)).isTrue();
            parent.waitFor(afterMillis, TimeUnit.MILLISECONDS);
            workers = parent.descendants().toList();
            parent.toHandle().destroyForcibly();
            parent.waitFor();
        }
        try {
            long measuredBefore = recordedBytes();
            try (Closeable held = HastyWorker.in(folder).reserve()) {
                for (ProcessHandle worker : workers) {
                    assertThat(worker.onExit()).as(() -> worker.info().toString()).succeedsWithin(60, TimeUnit.SECONDS);
                }
                return recordedBytes() == measuredBefore ? "no worker measures" : "a worker measured unlocked";
            } catch (RunFailure e) {
                // A worker locks the file an instant before it writes its name.
                assertThat(e).hasMessageMatching("A worker whose experiment was killed is still measuring on this "
                        + "machine( \\(process \\d+, since \\d\\d:\\d\\d\\))?\\. Wait, or stop it\\.");
                return "refused";
            }
        } finally {
            for (ProcessHandle worker : workers) {
                worker.destroyForcibly();
                worker.onExit().get(20, TimeUnit.SECONDS);
            }
        }
    }

    private long recordedBytes() throws IOException {
        Path results = folder.resolve("results");
        if (!Files.isDirectory(results)) {
            return 0;
        }
        try (Stream<Path> files = Files.walk(results)) {
            long bytes = 0;
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                bytes += Files.size(file);
            }
            return bytes;
        }
    }
}
