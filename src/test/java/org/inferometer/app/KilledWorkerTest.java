package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.options.Selection;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.results.ResultLibrary;
import org.inferometer.run.ExperimentListener;
import org.inferometer.run.RunningExperiment;
import org.inferometer.run.WorkerFrame;
import org.inferometer.run.Workspace;
import org.inferometer.units.EnvironmentVariables;
import org.inferometer.units.LongForm;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.WorkloadPresets;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A worker that is killed ends its run: first, middle and last runs alike.
@Timeout(120)
@Execution(ExecutionMode.CONCURRENT)
class KilledWorkerTest {
    private static final int RUNS = 3;

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(ints = 1)
    void killedWorkerEndsItsRunAlone(int killed) throws Exception {
        ExperimentSpec spec = new ExperimentSpec("killed", List.of(), List.of(),
                List.of(new WorkloadPresets().find("short").withRequests(30)
                        .withArrivals(new ArrivalProcess.Constant(100))),
                Selection.of("host"), RUNS, 0, 1, 50, 0, ExperimentSpec.AskedLimits.DEFAULTS)
                .onTargetsOnly(List.of(Selection.parse("null:name=nothing")));
        RunningExperiment running =
                new Program(new Workspace(folder), EnvironmentVariables.ofProcess(), HastyWorker.in(folder))
                        .benchmarks(folder.resolve("results")).start(spec, new ExperimentListener() {
                            @Override
                            public void frame(RunPlan plan, WorkerFrame frame) {
                                if (plan.index().run() == killed) {
                                    worker(plan).forEach(ProcessHandle::destroyForcibly);
                                }
                            }
                        });
        ExperimentManifest ended = running.await();

        List<RunRecord> runs = new ResultLibrary(folder.resolve("results")).open(running.folder()).runs();
        List<RunStatus> expected = new ArrayList<>(Collections.nCopies(RUNS, RunStatus.COMPLETE));
        expected.set(killed, RunStatus.FAILED);
        assertThat(runs).extracting(run -> run.manifest().status()).isEqualTo(expected);
        assertThat(runs.get(killed).manifest().outcome().failure()).startsWith("The worker was killed (SIGKILL; ");
        assertThat(ended.status()).isEqualTo(RunStatus.FAILED);
        assertThat(ended.failure()).isEqualTo(runs.get(killed).manifest().outcome().failure());
        assertThat(ended.cells()).extracting(ExperimentManifest.CellSummary::runs).containsExactly(RUNS - 1);
        assertThat(ResultLibrary.manifest(running.folder())).isEqualTo(ended);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    @LongForm
    void killedFirstAndLastWorkersEndTheirRunsAlone(int killed) throws Exception {
        killedWorkerEndsItsRunAlone(killed);
    }

    private List<ProcessHandle> worker(RunPlan plan) {
        return ProcessHandle.current().children().filter(
                child -> child.info().commandLine().orElse("").contains(folder.resolve(plan.folder()).toString()))
                .toList();
    }
}
