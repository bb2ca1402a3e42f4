package org.inferometer.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.inferometer.engine.build.EngineCatalog;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.options.Selection;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunStatus;
import org.inferometer.record.SamplePlans;
import org.inferometer.results.ResultFiles;
import org.inferometer.results.ResultLibrary;
import org.inferometer.results.SampleRecords;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.Limits;
import org.inferometer.units.SystemClock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// The folder of the results is moved or deleted while the second of three runs is measured, or the lock file is replaced.
@Timeout(60)
class MovedResultsTest {
    private static final ExperimentSpec SPEC =
            SampleRecords.spec(1).onTargetsOnly(List.of(Selection.parse("null:name=nothing")));

    @TempDir
    Path folder;

    private final ResultFiles store = new ResultFiles();
    private final CountDownLatch cancelled = new CountDownLatch(1);
    private Path results;
    private final Semaphore looks = new Semaphore(0);

    @BeforeEach
    void name() {
        results = folder.resolve("results");
    }

    @Test
    void movedResultsEndTheExperimentInASentence() throws Exception {
        ExperimentManifest ended = ended(() -> Files.move(results, folder.resolve("elsewhere")));

        assertThat(ended.status()).isEqualTo(RunStatus.FAILED);
        assertThat(ended.failure()).isEqualTo("The folder " + results.resolve("id")
                + " was moved or deleted while it was measured. 1 of 3 runs were complete; they are where the folder is"
                + " now. Leave it in place until the experiment has ended.");
        assertThat(cancelled.getCount()).isZero();
        assertThat(results).doesNotExist();
        assertThat(new ResultLibrary(folder.resolve("elsewhere")).open(folder.resolve("elsewhere/id")).completeRuns())
                .isEqualTo(1);
    }

    @Test
    void deletedResultsAreNotCreatedAgain() throws Exception {
        ExperimentManifest ended = ended(() -> {
            try (Stream<Path> all = Files.walk(results)) {
                for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        });

        assertThat(ended.failure()).contains("was moved or deleted while it was measured.");
        assertThat(results).doesNotExist();
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void aLockFileIsWatchedWhileAWorkerSaysNothing() throws Exception {
        Path lock = folder.resolve("measuring.lock");
        ExperimentManifest ended = ended(() -> {
            Path aside = Files.move(lock, folder.resolve("aside"));
            Files.createFile(lock);
            looks.drainPermits();
            looks.acquire(2);
            Files.move(aside, lock, StandardCopyOption.REPLACE_EXISTING);
        });
        assertThat(ended.status()).isEqualTo(RunStatus.FAILED);
        assertThat(ended.failure()).startsWith("The lock file " + lock + " was replaced during the measurement.");
    }

    private interface Loss {
        void happen() throws IOException, InterruptedException;
    }

    private ExperimentManifest ended(Loss loss) throws Exception {
        List<RunPlan> plans = IntStream.range(0, 3).mapToObj(this::planned).toList();
        ExperimentManifest manifest = SampleRecords.running("id", SPEC, plans, Instant.EPOCH);
        ExperimentRun run =
                new ExperimentRun(results.resolve("id"), manifest, RunQueue.of(plans), new ExperimentListener() {},
                        new EngineCatalog(folder.resolve("engines")), store, host(loss), new SystemClock());
        run.start();
        return run.await();
    }

    private RunPlan planned(int run) {
        return SamplePlans.plan("id", run, 0, SPEC.cells().getFirst(), run, "",
                results.resolve("id").resolve(SampleRecords.folderName(run)).toString(), 4, 42, 100, 0,
                new Limits(0, 0, 0), LaneLayout.sharing(1));
    }

    private RunHost host(Loss loss) {
        return new RunHost() {
            @Override
            public Path workspace() {
                return folder;
            }

            private volatile @Nullable MachineLock lock;

            @Override
            public long workerHeapBytes() {
                return 1L << 30;
            }

            @Override
            public Closeable reserve() throws RunFailure, IOException {
                lock = MachineLock.take(folder.resolve("measuring.lock"));
                return () -> Objects.requireNonNull(lock).close();
            }

            @Override
            public void keepReserved() throws RunFailure, IOException {
                lock = Objects.requireNonNull(lock).kept();
            }

            @Override
            public void watchReservation() {
                Objects.requireNonNull(lock).look();
                looks.release();
            }

            @Override
            public Duration lookEvery() {
                return Duration.ofMillis(5);
            }

            @Override
            public Session start(RunPlan plan) {
                return new MeasuringSession(plan, loss);
            }
        };
    }

    /// Writes a record and sends no frames. In the second run it waits until it is cancelled if the folder is gone.
    private final class MeasuringSession implements RunHost.Session {
        private final RunPlan plan;
        private final Loss loss;

        private MeasuringSession(RunPlan plan, Loss loss) {
            this.plan = plan;
            this.loss = loss;
        }

        @Override
        public WorkerExit listen(Consumer<WorkerFrame> frames) throws IOException, InterruptedException {
            if (plan.index().run() > 0) {
                loss.happen();
            }
            if (store.isInPlace(results.resolve("id"))) {
                SampleRecords.writeRun(store, Path.of(plan.folder()), plan, RunStatus.COMPLETE, 20);
            } else {
                cancelled.await();
            }
            return new WorkerExit(0, new WorkerFrame.Finished(RunStatus.COMPLETE, ""), "", null);
        }

        @Override
        public void cancel() {
            cancelled.countDown();
        }

        @Override
        public void close() {}
    }
}
