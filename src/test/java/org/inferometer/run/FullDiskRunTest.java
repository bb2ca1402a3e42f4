package org.inferometer.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.inferometer.engine.build.EngineCatalog;
import org.inferometer.execution.Backends;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.options.Selection;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.record.SamplePlans;
import org.inferometer.results.FullDisk;
import org.inferometer.results.ResultFiles;
import org.inferometer.results.ResultFormatException;
import org.inferometer.results.ResultLibrary;
import org.inferometer.results.SampleRecords;
import org.inferometer.run.worker.RunExecution;
import org.inferometer.run.worker.WarmUp;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.Limits;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.target.NullTargetKind;
import org.inferometer.target.TargetKind.TargetKinds;
import org.inferometer.units.LongForm;
import org.inferometer.units.SystemClock;
import org.inferometer.workload.ArrivalProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// Whole runs and experiments on a disk that becomes full at any write.
@Execution(ExecutionMode.CONCURRENT)
@Tag("endurance")
@Timeout(300)
class FullDiskRunTest {
    private static final ExperimentSpec SPEC =
            SampleRecords.spec(1).onTargetsOnly(List.of(Selection.parse("null:name=nothing"))).withWorkloads(
                    List.of(SampleRecords.WORKLOAD.withRequests(4).withArrivals(new ArrivalProcess.ClosedLoop(2))));
    private static final int STRIDE = LongForm.RUNS ? 1 : 5;
    private static final String NO_SPACE = ": No space left on device";

    @TempDir
    Path folder;

    @Test
    void everyFailedWriteFailsTheRunWithItsFile() {
        for (int room = 0;; room++) {
            FullDisk disk = new FullDisk(room);
            RunPlan plan = plan(0, folder.resolve("run-" + room));
            WorkerFrame.Finished finished =
                    execution(new ResultFiles()).in(disk.on(folder)).execute(plan, frame -> {}, new AtomicBoolean());
            RunStatus read = read(folder.resolve(plan.folder()));
            if (!disk.isFull()) {
                assertThat(finished).isEqualTo(new WorkerFrame.Finished(RunStatus.COMPLETE, ""));
                assertThat(read).isEqualTo(RunStatus.COMPLETE);
                return;
            }
            assertThat(finished.status()).as("after %d writes", room).isEqualTo(RunStatus.FAILED);
            assertThat(finished.failure()).as("after %d writes", room).contains(plan.folder(), NO_SPACE,
                    "Free disk space or choose another folder");
            assertThat(read).as("after %d writes", room).isIn(RunStatus.INTERRUPTED, RunStatus.FAILED);
        }
    }

    @Test
    void everyFailedWriteFailsTheExperimentWithItsFile() throws Exception {
        for (int room = 0;; room += STRIDE) {
            FullDisk disk = new FullDisk(room);
            Path experiment = folder.resolve("results-" + room).resolve("id");
            ExperimentManifest manifest = experiment(disk, experiment);
            if (!disk.isFull()) {
                assertThat(manifest.status()).isEqualTo(RunStatus.COMPLETE);
                return;
            }
            assertThat(manifest.status()).as("after %d writes", room).isEqualTo(RunStatus.FAILED);
            assertThat(manifest.failure()).as("after %d writes", room).contains(experiment.getParent().toString(),
                    NO_SPACE, "Free disk space or choose another folder");
            if (Files.exists(experiment.resolve("experiment.json"))) {
                ExperimentRecord opened = new ResultLibrary(experiment.getParent()).open(experiment);
                assertThat(opened.manifest().status()).as("after %d writes", room).isIn(RunStatus.FAILED,
                        RunStatus.INTERRUPTED);
                assertThat(opened.runs()).allMatch(run -> run.manifest().status() != RunStatus.COMPLETE
                        || run.observations().requests().size() == 8);
            }
        }
    }

    /// What a reader finds; INTERRUPTED where nothing says that there is a run.
    private static RunStatus read(Path run) {
        try {
            RunRecord record = new ResultFiles().readRun(run);
            return record.manifest().status();
        } catch (ResultFormatException e) {
            assertThat(run.resolve("run.json")).doesNotExist();
            return RunStatus.INTERRUPTED;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private ExperimentManifest experiment(FullDisk disk, Path experiment) throws InterruptedException {
        List<RunPlan> plans =
                IntStream.range(0, 2).mapToObj(i -> plan(i, experiment.resolve(SampleRecords.folderName(i)))).toList();
        ExperimentManifest planned = SampleRecords.running("id", SPEC, plans, Instant.EPOCH);
        ResultFiles store = new ResultFiles();
        ExperimentRun run = new ExperimentRun(disk.on(experiment), planned, RunQueue.of(plans),
                new ExperimentListener() {}, new EngineCatalog(folder.resolve("engines")), store,
                new InProcessHost(execution(store), disk.on(folder)), new SystemClock());
        run.start();
        return run.await();
    }

    private static RunExecution execution(ResultFiles store) {
        return new RunExecution(SchedulerRegistry.standard(), new Backends(List.of()),
                new TargetKinds(List.of(new NullTargetKind())), store, SampleRecords.MACHINE, new SystemClock())
                .warmingUp(WarmUp.ONCE);
    }

    private static RunPlan plan(int run, Path runFolder) {
        Cell cell = SPEC.cells().getFirst();
        return SamplePlans.plan("id", run, 0, cell, run, "", runFolder.toString(), 4, 1, 20, 0, new Limits(0, 0, 0),
                LaneLayout.sharing(1));
    }

    /// Runs plans in this process.
    private record InProcessHost(RunExecution execution, Path workspace) implements FreeHost {
        @Override
        public Session start(RunPlan plan) {
            return new Session() {
                @Override
                public WorkerExit listen(Consumer<WorkerFrame> frames) {
                    WorkerFrame.Finished finished = execution.in(workspace).execute(plan, frames, new AtomicBoolean());
                    return new WorkerExit(finished.status() == RunStatus.FAILED ? 3 : 0, finished, "", null);
                }

                @Override
                public void cancel() {}

                @Override
                public void close() {}
            };
        }
    }
}
