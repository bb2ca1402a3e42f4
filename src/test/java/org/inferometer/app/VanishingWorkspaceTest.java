package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.inferometer.cli.Terminal;
import org.inferometer.cli.program.Cli;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.options.Selection;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.run.ExperimentListener;
import org.inferometer.run.WorkerFrame;
import org.inferometer.run.Workspace;
import org.inferometer.units.EnvironmentVariables;
import org.inferometer.units.FolderTree;
import org.inferometer.units.LongForm;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.WorkloadPresets;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Workspaces that are deleted or renamed while an experiment runs, and those that cannot be written.
@Timeout(120)
@Execution(ExecutionMode.CONCURRENT)
class VanishingWorkspaceTest {
    @TempDir
    Path folder;

    /// When the workspace vanishes.
    enum Phase {
        STARTED, RUN_STARTED, FRAME, RUN_ENDED
    }

    @ParameterizedTest
    @EnumSource(names = {"RUN_STARTED", "FRAME"})
    void deletedWorkspaceIsOneSentence(Phase phase) throws Exception {
        vanish(phase, FolderTree::delete);
        assertThat(folder.resolve("workspace/results")).as("no result is made again").doesNotExist();
    }

    @ParameterizedTest
    @EnumSource(names = {"STARTED", "RUN_ENDED"})
    void renamedWorkspaceKeepsWhatWasMeasured(Phase phase) throws Exception {
        vanish(phase, workspace -> Files.move(workspace, folder.resolve("renamed")));
        try (Stream<Path> results = Files.list(folder.resolve("renamed/results"))) {
            assertThat(results.toList()).hasSize(1);
        }
        assertThat(folder.resolve("workspace/results")).doesNotExist();
    }

    /// The result stays in its own folder; the lock file of the workspace is lost.
    @ParameterizedTest
    @EnumSource(names = {"STARTED", "RUN_STARTED"})
    void aWorkspaceWithResultsElsewhereIsNotMadeAgain(Phase phase) throws Exception {
        Path workspace = folder.resolve("workspace");
        ExperimentManifest ended =
                vanish(phase, folder.resolve("else"), moved -> Files.move(moved, folder.resolve("renamed")));
        assertThat(ended.failure()).isEqualTo("The folder " + workspace
                + " was moved or deleted during the measurement. Leave it in place until the experiment has ended.");
        assertThat(workspace).doesNotExist();
    }

    @ParameterizedTest
    @EnumSource(names = {"STARTED", "RUN_ENDED"})
    @LongForm
    void deletedWorkspaceIsOneSentenceInOtherPhases(Phase phase) throws Exception {
        deletedWorkspaceIsOneSentence(phase);
    }

    @ParameterizedTest
    @EnumSource(names = {"RUN_STARTED", "FRAME"})
    @LongForm
    void renamedWorkspaceKeepsMoreOfWhatWasMeasured(Phase phase) throws Exception {
        renamedWorkspaceKeepsWhatWasMeasured(phase);
    }

    @ParameterizedTest
    @EnumSource(names = {"FRAME", "RUN_ENDED"})
    @LongForm
    void aWorkspaceIsNotMadeAgainInLaterPhases(Phase phase) throws Exception {
        aWorkspaceWithResultsElsewhereIsNotMadeAgain(phase);
    }

    private interface Vanishing {
        void of(Path workspace) throws IOException;
    }

    private void vanish(Phase wanted, Vanishing vanishing) throws Exception {
        Path workspace = folder.resolve("workspace");
        ExperimentManifest ended = vanish(wanted, workspace.resolve("results"), vanishing);
        assertThat(ended.failure()).startsWith("The folder " + workspace + "/results/")
                .contains(" was moved or deleted while it was measured.").doesNotContain("internal error", "Exception");
    }

    private ExperimentManifest vanish(Phase wanted, Path results, Vanishing vanishing) throws Exception {
        Path workspace = Files.createDirectories(folder.resolve("workspace"));
        ExperimentSpec spec = new ExperimentSpec("vanishing", List.of(), List.of(),
                List.of(new WorkloadPresets().find("short").withRequests(40)
                        .withArrivals(new ArrivalProcess.Constant(50))),
                Selection.of("host"), 2, 0, 1, 50, 0, ExperimentSpec.AskedLimits.DEFAULTS)
                .onTargetsOnly(List.of(Selection.parse("null:name=nothing")));
        AtomicBoolean there = new AtomicBoolean(true);
        ExperimentManifest ended =
                new Program(new Workspace(workspace), EnvironmentVariables.ofProcess(), HastyWorker.in(workspace))
                        .benchmarks(results).start(spec, new ExperimentListener() {
                            private void reached(Phase phase) {
                                try {
                                    if (phase == wanted && there.getAndSet(false)) {
                                        vanishing.of(workspace);
                                    }
                                } catch (IOException e) {
                                    throw new UncheckedIOException(e);
                                }
                            }

                            @Override
                            public void started(ExperimentManifest manifest) {
                                reached(Phase.STARTED);
                            }

                            @Override
                            public void runStarted(RunPlan plan) {
                                reached(Phase.RUN_STARTED);
                            }

                            @Override
                            public void frame(RunPlan plan, WorkerFrame frame) {
                                if (frame instanceof WorkerFrame.PhaseStarted) {
                                    reached(Phase.FRAME);
                                }
                            }

                            @Override
                            public void runEnded(RunPlan plan, RunRecord record) {
                                reached(Phase.RUN_ENDED);
                            }
                        }).await();
        assertThat(there).isFalse();
        assertThat(ended.status()).isEqualTo(RunStatus.FAILED);
        return ended;
    }

    static List<List<String>> commandsThatWrite() {
        return List.of(
                List.of("run", "--target", "null:name=nothing", "--workload", "short", "--requests", "2", "--runs",
                        "1"),
                List.of("import", "FOLDER/bench.csv"),
                List.of("suite", "run", "FOLDER/suite", "--target", "null:name=nothing"));
    }

    /// A file stands where the folder would be, which also root cannot write.
    @ParameterizedTest
    @MethodSource("commandsThatWrite")
    void workspaceThatCannotBeWrittenIsOneSentence(List<String> command) throws Exception {
        Path workspace = Files.createDirectories(folder.resolve("workspace"));
        Files.writeString(workspace.resolve("results"), "a file");
        Files.writeString(workspace.resolve("suites"), "a file");
        Files.writeString(workspace.resolve(".outputs"), "a file");
        Files.writeString(folder.resolve("bench.csv"),
                "build_commit,model_filename,n_prompt,n_gen,avg_ns,stddev_ns,avg_ts,stddev_ts\nb,m,512,0,1,0,100,0\n");
        Path suite = Files.createDirectories(folder.resolve("suite"));
        Files.writeString(suite.resolve("one.yaml"),
                "name: one\ntargets: [\"null:name=nothing\"]\nworkloads: [short]\nruns: 1\nrequests: 2\n");
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        PrintStream err = new PrintStream(said, true, StandardCharsets.UTF_8);
        PrintStream out = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        Terminal terminal = new Terminal(new ByteArrayInputStream(new byte[0]), out, err, false, false, 100);
        Program program =
                new Program(new Workspace(workspace), EnvironmentVariables.ofProcess(), HastyWorker.in(workspace));
        List<String> words = Stream.concat(Stream.of("--workspace", workspace.toString()), command.stream())
                .map(word -> word.replace("FOLDER", folder.toString())).toList();
        int code = new Cli(
                new CommandLineWiring(EnvironmentVariables.ofProcess(), (folders, environment, plugins) -> program),
                terminal).execute(words.toArray(String[]::new));
        String text = said.toString(StandardCharsets.UTF_8);
        assertThat(text.lines().filter(line -> line.startsWith("error: "))).as(text).hasSize(1);
        assertThat(text).doesNotContain("nternal error", "Exception");
        assertThat(code).as(text).isEqualTo(3);
    }
}
