package org.inferometer.execution.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.inferometer.execution.LaneJob.Step;
import org.inferometer.execution.StepOutcome;
import org.inferometer.execution.backend.LaneRunner.LaneWork;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(180)
@Execution(ExecutionMode.CONCURRENT)
class LaneRunnerTest {
    private static final StepOutcome DONE = new StepOutcome.Completed(new int[0], 1, 2, 0, new float[0][]);

    @Test
    void listenerThatThrowsDoesNotEndItsLane() throws Exception {
        CompletableFuture<StepOutcome> last = new CompletableFuture<>();
        try (LaneRunner<Step> lane = LaneRunner.start("lane", new Counting(), 0)) {
            lane.submit(step(0), first -> {
                lane.submit(step(1), second -> {
                    lane.submit(step(2), last::complete);
                    throw new OutOfMemoryError("made up");
                });
                throw new IllegalStateException("made up");
            });
            assertThat(last.get(20, TimeUnit.SECONDS)).isSameAs(DONE);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, LaneRunner.BRIEFLY})
    void everyJobRunsOnceInOrder(int spins) throws Exception {
        int jobs = 50_000;
        Counting work = new Counting();
        BlockingQueue<StepOutcome> outcomes = new LinkedBlockingQueue<>();
        try (LaneRunner<Step> lane = LaneRunner.start("lane", work, spins)) {
            for (int i = 0; i < jobs; i++) {
                lane.submit(step(i), outcomes::add);
                assertThat(outcomes.poll(20, TimeUnit.SECONDS)).isSameAs(DONE);
            }
        }
        assertThat(work.performed).isEqualTo(jobs);
        assertThat(work.closed).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, LaneRunner.BRIEFLY})
    void listenerSubmitsTheNextJob(int spins) throws Exception {
        int jobs = 50_000;
        Counting work = new Counting();
        CountDownLatch left = new CountDownLatch(jobs);
        try (LaneRunner<Step> lane = LaneRunner.start("lane", work, spins)) {
            chain(lane, 0, left);
            assertThat(left.await(50, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(work.performed).isEqualTo(jobs);
    }

    private static void chain(LaneRunner<Step> lane, int number, CountDownLatch left) {
        lane.submit(step(number), outcome -> {
            left.countDown();
            if (left.getCount() > 0) {
                chain(lane, number + 1, left);
            }
        });
    }

    /// A job that was accepted runs, one that was refused does not, however submit and close interleave.
    @ParameterizedTest
    @ValueSource(ints = {0, 50})
    void acceptedJobRunsAlthoughTheLaneIsClosed(int spins) throws Exception {
        for (int round = 0; round < 2_000; round++) {
            Counting work = new Counting();
            LaneRunner<Step> lane = LaneRunner.start("lane", work, spins);
            AtomicInteger outcomes = new AtomicInteger();
            Thread closing = Thread.ofPlatform().start(lane::close);
            int accepted = 0;
            try {
                lane.submit(step(0), outcome -> outcomes.incrementAndGet());
                accepted = 1;
            } catch (IllegalStateException closed) {
                assertThat(closed).hasMessage("The lane lane is closed.");
            }
            closing.join();
            assertThat(outcomes).hasValue(accepted);
            assertThat(work.performed).isEqualTo(accepted);
            assertThat(work.closed).isEqualTo(1);
        }
    }

    @Test
    void busyLaneRefusesAJob() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch running = new CountDownLatch(1);
        CompletableFuture<StepOutcome> done = new CompletableFuture<>();
        try (LaneRunner<Step> lane = LaneRunner.start("lane", new Blocked(running, release, 0), 0)) {
            lane.submit(step(0), done::complete);
            running.await();
            assertThatIllegalStateException().isThrownBy(() -> lane.submit(step(1), done::complete))
                    .withMessage("The lane lane is still busy with a step.");
            release.countDown();
            assertThat(done.get(20, TimeUnit.SECONDS)).isSameAs(DONE);
        }
    }

    /// One more is always submitted than has ended, as an engine does that queues each step.
    @ParameterizedTest
    @CsvSource({"0, 0", "0, 3", "50, 0", "50, 3"})
    void everyQueuedJobRunsOnceInOrder(int spins, int polls) throws Exception {
        int jobs = 50_000;
        Queueing work = new Queueing(polls);
        BlockingQueue<StepOutcome> outcomes = new LinkedBlockingQueue<>();
        try (LaneRunner<Step> lane = LaneRunner.start("lane", work, spins)) {
            lane.submit(step(0), outcomes::add);
            for (int i = 1; i <= jobs; i++) {
                if (i < jobs) {
                    lane.submit(step(i), outcomes::add);
                }
                assertThat(outcomes.poll(20, TimeUnit.SECONDS)).isSameAs(DONE);
            }
        }
        assertThat(work.counting.performed).isEqualTo(jobs);
        assertThat(work.started == 0).isEqualTo(polls == 0);
        assertThat(outcomes).isEmpty();
    }

    @Test
    void busyLaneHoldsOneJobAndRefusesAnother() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch running = new CountDownLatch(1);
        BlockingQueue<StepOutcome> outcomes = new LinkedBlockingQueue<>();
        LaneRunner<Step> lane = LaneRunner.start("lane", new Blocked(running, release, 1), 0);
        lane.submit(step(0), outcomes::add);
        running.await();
        lane.submit(step(1), outcomes::add);
        assertThatIllegalStateException().isThrownBy(() -> lane.submit(step(2), outcomes::add))
                .withMessage("The lane lane is still busy with a step.");
        release.countDown();
        lane.close();
        assertThat(outcomes).containsExactly(DONE, DONE);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 50})
    void acceptedQueuedJobRunsAlthoughTheLaneIsClosed(int spins) throws Exception {
        for (int round = 0; round < 2_000; round++) {
            Queueing work = new Queueing(round % 2);
            LaneRunner<Step> lane = LaneRunner.start("lane", work, spins);
            AtomicInteger outcomes = new AtomicInteger();
            lane.submit(step(0), outcome -> outcomes.incrementAndGet());
            Thread closing = Thread.ofPlatform().start(lane::close);
            int accepted = 1;
            try {
                lane.submit(step(1), outcome -> outcomes.incrementAndGet());
                accepted = 2;
            } catch (IllegalStateException closed) {
                assertThat(closed).hasMessage("The lane lane is closed.");
            }
            closing.join();
            assertThat(outcomes).hasValue(accepted);
            assertThat(work.counting.performed).isEqualTo(accepted);
        }
    }

    private static Step step(int number) {
        return new Step(number, List.of(), 0, false);
    }

    /// Expects the jobs 0, 1, 2, …
    private static final class Counting implements LaneWork<Step> {
        private int performed;
        private int closed;

        @Override
        public StepOutcome perform(Step job) {
            assertThat(job.number()).isEqualTo(performed);
            performed++;
            return DONE;
        }

        @Override
        public void close() {
            closed++;
        }
    }

    /// Expects the same jobs, and looks this often for the one behind while it runs one.
    private static final class Queueing implements LaneWork<Step> {
        private final Counting counting = new Counting();
        private final int polls;
        private int started;

        private Queueing(int polls) {
            this.polls = polls;
        }

        @Override
        public int queuedJobs() {
            return 1;
        }

        @Override
        public StepOutcome perform(Step job) {
            return counting.perform(job);
        }

        @Override
        public StepOutcome perform(Step job, Supplier<Optional<Step>> behind) {
            StepOutcome done = perform(job);
            for (int i = 0; i < polls; i++) {
                behind.get().ifPresent(next -> {
                    assertThat(next.number()).isEqualTo(counting.performed);
                    started++;
                });
            }
            return done;
        }

        @Override
        public void close() {
            counting.close();
        }
    }

    /// Runs until it is released.
    private record Blocked(CountDownLatch running, CountDownLatch release, int queuedJobs) implements LaneWork<Step> {
        @Override
        public StepOutcome perform(Step job) {
            running.countDown();
            try {
                release.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return DONE;
        }

        @Override
        public void close() {}
    }
}
