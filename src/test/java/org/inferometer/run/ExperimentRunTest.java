package org.inferometer.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.inferometer.engine.build.EngineCatalog;
import org.inferometer.engine.build.EngineEntry;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.options.Selection;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.RecordSink;
import org.inferometer.record.RecordStore;
import org.inferometer.record.RunManifest;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.record.SamplePlans;
import org.inferometer.record.WindowAction;
import org.inferometer.record.WindowUse;
import org.inferometer.results.ResultFiles;
import org.inferometer.results.ResultLibrary;
import org.inferometer.results.SampleRecords;
import org.inferometer.run.ScriptedWorker.Manner;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.Limits;
import org.inferometer.units.SystemClock;
import org.inferometer.units.ThreadEnd;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// How an experiment ends when something comes between, with worker processes that measure nothing and records that lie there before.
@Timeout(60)
class ExperimentRunTest {
    private static final ExperimentSpec SPEC =
            SampleRecords.spec(1).onTargetsOnly(List.of(Selection.parse("null:name=nothing")));

    @TempDir
    Path folder;

    private final ResultFiles store = new ResultFiles();
    private RecordStore read = store;

    /// Records as they are, but for one run that comes back without what was observed.
    private record Hollow(RecordStore store, String folderName, long free) implements RecordStore {
        @Override
        public RecordSink openRun(Path runFolder, RunManifest manifest) throws IOException {
            return store.openRun(runFolder, manifest);
        }

        @Override
        public void saveRun(Path runFolder, RunManifest manifest) throws IOException {
            store.saveRun(runFolder, manifest);
        }

        @Override
        public RunRecord readRun(Path runFolder) throws IOException {
            RunRecord whole = store.readRun(runFolder);
            return whole.folderName().equals(folderName)
                    ? new RunRecord(folderName, whole.manifest(), null, whole.notes()) : whole;
        }

        @Override
        public void saveExperiment(Path experimentFolder, ExperimentManifest manifest) throws IOException {
            store.saveExperiment(experimentFolder, manifest);
        }

        @Override
        public long freeBytes(Path of) {
            return free;
        }
    }

    @Test
    void aListenerThatThrowsLeavesNoWorkerBehind() throws Exception {
        CompletableFuture<Long> pid = new CompletableFuture<>();
        ExperimentManifest manifest = end(Manner.OBEDIENT, new ExperimentListener() {
            @Override
            public void frame(RunPlan plan, WorkerFrame frame) {
                pid.complete(ScriptedWorker.pid(frame));
                throw new IllegalStateException("made up");
            }
        });
        assertThat(manifest.status()).isEqualTo(RunStatus.FAILED);
        assertThat(manifest.failure()).contains("made up");
        assertThat(ScriptedWorker.lives(pid.get())).isFalse();
    }

    @Test
    void recordSaysWhatTheWindowDid() throws Exception {
        WindowUse use = new WindowUse("live", 0.14, List.of(new WindowAction("report", 1_000_000, 2_000_000)));
        List<WindowUse> recorded = new ArrayList<>();
        ExperimentManifest manifest = end(Manner.HASTY, new ExperimentListener() {
            @Override
            public WindowUse windowUse(RunPlan plan) {
                return use;
            }

            @Override
            public void runEnded(RunPlan plan, RunRecord record) {
                recorded.add(record.manifest().window());
            }
        });
        assertThat(recorded).hasSize(manifest.plan().size()).containsOnly(use);
        assertThat(runsRead()).extracting(run -> run.manifest().window()).containsOnly(use);
    }

    @Test
    void whoCancelsBetweenTwoRunsLeavesARecordThatSaysSo() throws Exception {
        ExperimentManifest manifest = cancelled(SPEC, cancel -> new ExperimentListener() {
            @Override
            public void runEnded(RunPlan plan, RunRecord record) {
                cancel.run();
            }
        });
        assertThat(manifest.status()).isEqualTo(RunStatus.CANCELLED);
        assertThat(manifest.cells()).extracting(ExperimentManifest.CellSummary::runs).containsExactly(1);
        assertThat(written()).isEqualTo(manifest);
    }

    @Test
    void whoCancelsBeforeTheFirstRunLeavesARecordThatSaysSo() throws Exception {
        ExperimentManifest manifest = cancelled(SPEC, cancel -> new ExperimentListener() {
            @Override
            public void started(ExperimentManifest planned) {
                cancel.run();
            }
        });
        assertThat(manifest.status()).isEqualTo(RunStatus.CANCELLED);
        assertThat(manifest.cells()).isEmpty();
        assertThat(written()).isEqualTo(manifest);
    }

    @Test
    void anExperimentThatBreaksOffBeforeItsFirstRecordSaysSo() throws Exception {
        ExperimentManifest manifest = end(Manner.HASTY, new ExperimentListener() {
            @Override
            public void runStarted(RunPlan plan) {
                throw new IllegalStateException("made up");
            }
        });
        assertThat(manifest.status()).isEqualTo(RunStatus.FAILED);
        assertThat(written()).isEqualTo(manifest);
    }

    @Test
    void anErrorOfTheProgramEndsTheExperimentInASentence() throws Exception {
        ExperimentManifest manifest = end(Manner.HASTY, new ExperimentListener() {
            @Override
            public void runEnded(RunPlan plan, RunRecord record) {
                throw new OutOfMemoryError("made up");
            }
        });
        assertThat(manifest.status()).isEqualTo(RunStatus.FAILED);
        assertThat(manifest.failure())
                .isEqualTo("The experiment failed because of an internal error: java.lang.OutOfMemoryError: made up. "
                        + "Finished runs are kept.");
        assertThat(manifest.cells()).extracting(ExperimentManifest.CellSummary::runs).containsExactly(1);
        assertThat(written()).isEqualTo(manifest);
    }

    /// Receives what its threads do not catch. Without it that reaches the handler of the whole program: in tests TestFX's, which
    /// throws it in the next test that waits for the JavaFX thread.
    private static final class Uncaught extends ThreadGroup {
        private final CompletableFuture<String> first = new CompletableFuture<>();

        Uncaught() {
            super("uncaught");
        }

        @Override
        public void uncaughtException(Thread thread, Throwable failure) {
            first.complete(thread.getName() + ": " + failure.getMessage());
        }
    }

    @Test
    void whoWaitsHearsTheEndThoughTheListenerDoesNotTakeIt() throws Exception {
        AtomicInteger told = new AtomicInteger();
        ExperimentListener listener = new ExperimentListener() {
            @Override
            public void ended(ExperimentManifest over) {
                told.incrementAndGet();
                throw new IllegalStateException("made up");
            }
        };
        Uncaught uncaught = new Uncaught();
        FutureTask<ExperimentManifest> waiting = new FutureTask<>(() -> end(Manner.HASTY, listener));
        new Thread(uncaught, waiting).start();
        ExperimentManifest manifest = waiting.get();
        assertThat(manifest.status()).isEqualTo(RunStatus.COMPLETE);
        assertThat(told).hasValue(1);
        assertThat(written()).isEqualTo(manifest);
        assertThat(uncaught.first.get()).as("the failure is not lost").isEqualTo("experiment: made up");
    }

    @Test
    void unreadableRecordEndsExperimentWithEarlierSummaries() throws Exception {
        read = new Hollow(store, SampleRecords.folderName(1), Long.MAX_VALUE);
        ExperimentManifest manifest = end(Manner.HASTY, new ExperimentListener() {});
        assertThat(manifest.status()).isEqualTo(RunStatus.FAILED);
        assertThat(manifest.failure())
                .startsWith("The experiment failed because of an internal error: java.lang.NullPointerException");
        assertThat(manifest.cells()).extracting(ExperimentManifest.CellSummary::runs).containsExactly(1);
        assertThat(written()).isEqualTo(manifest);
    }

    @Test
    void tooLittleDiskSpaceEndsTheExperimentBeforeItsFirstRun() throws Exception {
        read = new Hollow(store, "", 3 << 20);
        ExperimentManifest manifest = withoutRecords(5, Manner.HASTY);
        assertThat(manifest.status()).isEqualTo(RunStatus.FAILED);
        assertThat(manifest.failure())
                .isEqualTo("The records need about 5.11 MiB, the disk of " + folder.resolve("results/id")
                        + " has 3.00 MiB free. Free disk space, choose another folder with --out, "
                        + "or plan fewer runs or requests.");
        assertThat(folder.resolve("results")).doesNotExist();
    }

    @Test
    void refusalEndsTheRunNotTheExperiment() throws Exception {
        ExperimentManifest manifest = withoutRecords(2, Manner.REFUSING);
        assertThat(manifest.status()).isEqualTo(RunStatus.FAILED);
        assertThat(manifest.failure()).isEqualTo("The engine is damaged.");
        assertThat(runsRead()).extracting(run -> run.manifest().outcome()).containsExactly(
                RunManifest.RunOutcome.of(RunStatus.FAILED, "The engine is damaged."),
                RunManifest.RunOutcome.of(RunStatus.FAILED, "The engine is damaged."));
        assertThat(written()).isEqualTo(manifest);
    }

    @Test
    void standardErrorOfADeadWorkerIsItsCause() throws Exception {
        ExperimentManifest manifest = withoutRecords(1, Manner.CRASHING);
        assertThat(manifest.failure()).isEqualTo(
                "The worker failed: WARNING: The clock is coarse. Error: Could not find the main class. (exit code 1)");
        assertThat(runsRead()).extracting(run -> run.manifest().outcome().failure())
                .containsExactly(manifest.failure());
    }

    @Test
    void workerThatCannotStartIsARecordThatSaysSo() throws Exception {
        ExperimentRun run = run(List.of("no-such-java"), SPEC, List.of(planned(SPEC, 0)), new ExperimentListener() {});
        run.start();
        assertThat(run.await().failure()).startsWith("The worker cannot be started or reached. Cannot run program")
                .contains("no-such-java");
        assertThat(runsRead()).extracting(read -> read.manifest().status()).containsExactly(RunStatus.FAILED);
    }

    @Test
    void threeRunsWithOneCauseEndTheExperiment() throws Exception {
        ExperimentManifest manifest = withoutRecords(5, Manner.REFUSING);
        assertThat(manifest.status()).isEqualTo(RunStatus.FAILED);
        assertThat(manifest.failure()).isEqualTo(
                "The engine is damaged. Stopped: 3 runs in a row failed with this cause. 2 runs were not started.");
        assertThat(runsRead()).hasSize(3);
    }

    private List<RunRecord> runsRead() throws IOException {
        return new ResultLibrary(folder.resolve("results")).open(folder.resolve("results/id")).runs();
    }

    /// An experiment whose workers leave no record.
    private ExperimentManifest withoutRecords(int runs, Manner manner) throws InterruptedException {
        List<RunPlan> plans = IntStream.range(0, runs).mapToObj(run -> planned(SPEC, run)).toList();
        ExperimentRun run = run(manner, SPEC, plans, new ExperimentListener() {});
        run.start();
        return run.await();
    }

    @Test
    void whoCancelsABuildLeavesNeitherAnEngineNorAnExperiment() throws Exception {
        Path recipe = Files.createDirectories(folder.resolve("engines/tiny-int4")).resolve("recipe.yaml");
        Files.copy(Path.of("engines/tiny-int4/recipe.yaml"), recipe);
        ExperimentSpec onAnEngine = SampleRecords.spec(1).named("built").withEngines(List.of("tiny-int4"));
        ExperimentManifest manifest = cancelled(onAnEngine, cancel -> new ExperimentListener() {
            @Override
            public void building(String engine, double fraction) {
                cancel.run();
            }
        });
        assertThat(manifest.status()).isEqualTo(RunStatus.CANCELLED);
        assertThat(new EngineCatalog(folder.resolve("engines")).find("tiny-int4").state())
                .isEqualTo(EngineEntry.State.RECIPE_ONLY);
        assertThat(folder.resolve("results/id/experiment.json")).doesNotExist();
    }

    /// What the record says to whoever lists the results.
    private ExperimentManifest written() {
        return new ResultLibrary(folder.resolve("results")).list().getFirst().manifest().orElseThrow();
    }

    private ExperimentManifest end(Manner manner, ExperimentListener listener)
            throws IOException, InterruptedException {
        ExperimentRun run = run(manner, SPEC, listener);
        run.start();
        return run.await();
    }

    /// @param listening gets what cancels the experiment and returns once that has arrived
    private ExperimentManifest cancelled(ExperimentSpec spec, Function<Runnable, ExperimentListener> listening)
            throws IOException, InterruptedException {
        CompletableFuture<ExperimentRun> handle = new CompletableFuture<>();
        ExperimentRun run = run(Manner.HASTY, spec, listening.apply(() -> {
            handle.join().cancel();
            Thread.getAllStackTraces().keySet().stream().filter(thread -> thread.getName().equals("experiment-cancel"))
                    .forEach(ThreadEnd::await);
        }));
        handle.complete(run);
        run.start();
        return run.await();
    }

    /// Two runs whose records lie there already.
    private ExperimentRun run(Manner manner, ExperimentSpec spec, ExperimentListener listener) throws IOException {
        List<RunPlan> plans = List.of(planned(spec, 0), planned(spec, 1));
        for (RunPlan plan : plans) {
            SampleRecords.writeRun(store, Path.of(plan.folder()), plan, RunStatus.COMPLETE, 20);
        }
        return run(manner, spec, plans, listener);
    }

    private RunPlan planned(ExperimentSpec spec, int run) {
        return SamplePlans.plan("id", run, 0, spec.cells().getFirst(), run, "",
                folder.resolve("results/id").resolve(SampleRecords.folderName(run)).toString(), 4, 42, 100, 0,
                new Limits(0, 0, 0), LaneLayout.sharing(1));
    }

    private ExperimentRun run(Manner manner, ExperimentSpec spec, List<RunPlan> plans, ExperimentListener listener) {
        return run(ScriptedWorker.command(manner), spec, plans, listener);
    }

    private ExperimentRun run(List<String> command, ExperimentSpec spec, List<RunPlan> plans,
            ExperimentListener listener) {
        ExperimentManifest planned = SampleRecords.running("id", spec, plans, Instant.EPOCH);
        return new ExperimentRun(folder.resolve("results/id"), planned, RunQueue.of(plans), listener,
                new EngineCatalog(folder.resolve("engines")), read,
                new LocalRunHost(command, folder, List.of(folder.resolve("measuring.lock"))), new SystemClock());
    }
}
