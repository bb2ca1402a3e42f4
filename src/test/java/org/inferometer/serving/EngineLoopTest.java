package org.inferometer.serving;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.LaneJob;
import org.inferometer.execution.StepOutcome;
import org.inferometer.options.Selection;
import org.inferometer.record.RequestStatus;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.Limits;
import org.inferometer.scheduling.Scheduler;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.target.RequestListener;
import org.inferometer.units.SystemClock;
import org.inferometer.workload.RequestId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class EngineLoopTest {
    private static final StepModel MODEL = new AffineSteps(0, 0);
    private static final Limits LIMITS = new Limits(8, 64, 256);

    private final EventJournal journal = new EventJournal();

    @Test
    void everyRequestGetsItsTokensOnOneThread() throws Exception {
        CountDownLatch ended = new CountDownLatch(50);
        List<Thread> callers = new ArrayList<>();
        try (FakeExecutor executor = new FakeExecutor(TestRequests.setup(4, 100, LIMITS), MODEL);
                EngineLoop loop = loop(executor, "simple", countingDown(ended, callers))) {
            for (int i = 0; i < 50; i++) {
                loop.send(TestRequests.request(i, 1 + i % 7, 1 + i % 5));
            }
            assertThat(ended.await(10, SECONDS)).isTrue();
        }
        assertThat(journal.faults).isEmpty();
        assertThat(journal.ends.values()).hasSize(50).containsOnly(RequestStatus.OK);
        for (int i = 0; i < 50; i++) {
            List<Integer> positions = new ArrayList<>();
            for (int token = 0; token < 1 + i % 5; token++) {
                positions.add(1 + i % 7 + token);
            }
            assertThat(journal.tokens.get(i)).isEqualTo(positions);
        }
        assertThat(callers).doesNotContain(Thread.currentThread()).hasSize(1);
    }

    @Test
    void closingEndsWhatIsLeftAsCancelledAndWaitsForTheRunningStep() throws Exception {
        CountDownLatch stepRuns = new CountDownLatch(1);
        CountDownLatch stepMayEnd = new CountDownLatch(1);
        AtomicInteger finishedSteps = new AtomicInteger();
        StepModel held = (lane, step, start) -> {
            stepRuns.countDown();
            awaitQuietly(stepMayEnd);
            finishedSteps.incrementAndGet();
            return MODEL.run(lane, step, start);
        };
        CountDownLatch ended = new CountDownLatch(2);
        try (FakeExecutor executor = new FakeExecutor(TestRequests.setup(4, 100, LIMITS), held)) {
            EngineLoop loop = loop(executor, "simple", countingDown(ended, new ArrayList<>()));
            loop.send(TestRequests.request(0, 4, 4));
            assertThat(stepRuns.await(10, SECONDS)).isTrue();
            loop.send(TestRequests.request(1, 4, 4));
            Thread closer = new Thread(loop::close);
            closer.start();
            assertThat(ended.await(10, SECONDS)).isTrue();
            assertThat(closer.isAlive()).isTrue();
            stepMayEnd.countDown();
            closer.join();
            assertThat(finishedSteps).hasValue(1);
            assertThatThrownBy(() -> loop.send(TestRequests.request(2, 1, 1))).isInstanceOf(IllegalStateException.class)
                    .hasMessage("The engine is closed and takes no requests.");
        }
        assertThat(journal.faults).isEmpty();
        assertThat(journal.ends).containsOnlyKeys(0, 1);
        assertThat(journal.ends.values()).containsOnly(RequestStatus.CANCELLED);
    }

    @Test
    void aFailingStepEndsEveryRequestWithItsSentence() throws Exception {
        StepModel failing = (lane, step, start) -> step.number() < 3 ? MODEL.run(lane, step, start)
                : new StepOutcome.Failed(new ExecutorException("The device went away; check the driver."));
        CountDownLatch ended = new CountDownLatch(21);
        try (FakeExecutor executor = new FakeExecutor(TestRequests.setup(4, 100, LIMITS), failing);
                EngineLoop loop = loop(executor, "simple", countingDown(ended, new ArrayList<>()))) {
            for (int i = 0; i < 20; i++) {
                loop.send(TestRequests.request(i, 4, 100));
            }
            loop.send(TestRequests.request(20, 4, 10));
            assertThat(ended.await(10, SECONDS)).isTrue();
        }
        assertThat(journal.faults).isEmpty();
        assertThat(journal.ends.values()).hasSize(21).containsOnly(RequestStatus.FAILED);
        assertThat(journal.reasons.values()).containsOnly("The device went away; check the driver.");
        assertThat(journal.failures).containsExactly("The device went away; check the driver.");
    }

    @Test
    void anExecutorThatThrowsFailsTheEngineInsteadOfHangingIt() throws Exception {
        StepModel fine = MODEL;
        CountDownLatch ended = new CountDownLatch(1);
        FakeExecutor executor = new FakeExecutor(TestRequests.setup(4, 100, LIMITS), fine);
        executor.close();
        try (EngineLoop loop = loop(executor, "simple", countingDown(ended, new ArrayList<>()))) {
            loop.send(TestRequests.request(0, 4, 4));
            assertThat(ended.await(10, SECONDS)).isTrue();
        }
        assertThat(journal.ends.values()).containsOnly(RequestStatus.FAILED);
        assertThat(journal.failures).singleElement().asString().startsWith("The executor refused a step: ");
    }

    @Test
    void anExecutorThatEndsInAnErrorFailsTheEngineInsteadOfHangingIt() throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        FakeExecutor executor = new FakeExecutor(TestRequests.setup(4, 100, LIMITS), MODEL) {
            @Override
            public void submit(Lane lane, LaneJob job, Consumer<StepOutcome> whenDone) {
                throw new OutOfMemoryError("made up");
            }
        };
        try (executor) {
            EngineLoop loop = loop(executor, "simple", countingDown(ended, new ArrayList<>()));
            loop.send(TestRequests.request(0, 4, 4));
            assertThat(ended.await(10, SECONDS)).isTrue();
            Thread closer = Thread.ofPlatform().daemon().start(loop::close);
            assertThat(closer.join(Duration.ofSeconds(10))).isTrue();
        }
        assertThat(journal.ends.values()).containsOnly(RequestStatus.FAILED);
        assertThat(journal.failures)
                .containsExactly("The executor refused a step: java.lang.OutOfMemoryError: made up.");
    }

    @Test
    void aCancelledRequestEndsOnceAndTheOthersGoOn() throws Exception {
        CountDownLatch ended = new CountDownLatch(2);
        CountDownLatch stepRuns = new CountDownLatch(1);
        CountDownLatch stepMayEnd = new CountDownLatch(1);
        StepModel held = (lane, step, start) -> {
            stepRuns.countDown();
            awaitQuietly(stepMayEnd);
            return MODEL.run(lane, step, start);
        };
        try (FakeExecutor executor = new FakeExecutor(TestRequests.setup(4, 100, LIMITS), held);
                EngineLoop loop = loop(executor, "simple", countingDown(ended, new ArrayList<>()))) {
            loop.send(TestRequests.request(0, 4, 100));
            assertThat(stepRuns.await(10, SECONDS)).isTrue();
            loop.send(TestRequests.request(1, 4, 4));
            loop.cancel(new RequestId(0));
            loop.cancel(new RequestId(0));
            loop.cancel(new RequestId(77));
            stepMayEnd.countDown();
            assertThat(ended.await(10, SECONDS)).isTrue();
        }
        assertThat(journal.faults).isEmpty();
        assertThat(journal.ends).containsEntry(0, RequestStatus.CANCELLED).containsEntry(1, RequestStatus.OK);
    }

    @Test
    void aBatchThatNeverFillsRunsWhenItsTimeIsUp() throws Exception {
        CountDownLatch ended = new CountDownLatch(2);
        try (FakeExecutor executor = new FakeExecutor(TestRequests.setup(4, 100, LIMITS), MODEL);
                EngineLoop loop = loop(executor, "naive:batch_timeout=1", countingDown(ended, new ArrayList<>()))) {
            loop.send(TestRequests.request(0, 4, 4));
            loop.send(TestRequests.request(1, 4, 4));
            assertThat(ended.await(10, SECONDS)).isTrue();
        }
        assertThat(journal.steps.getFirst().slices().size()).isEqualTo(2);
        assertThat(journal.ends.values()).containsOnly(RequestStatus.OK);
    }

    @Test
    void manySendersAndCancellersOverSeveralLanesLoseNothing() throws Exception {
        int each = 300;
        List<String> schedulers = List.of("simple:capacity=max_utilization,chunking=equal_progress", "continuous",
                "reuser:tokens=64,seqs=8", "mover:reuse=true");
        for (String scheduler : schedulers) {
            EventJournal fresh = new EventJournal();
            CountDownLatch ended = new CountDownLatch(4 * each);
            Selection selection = Selection.parse(scheduler);
            LaneLayout layout = RandomSchedulers.REGISTRY.find(selection.name()).layout(selection, 3);
            EngineSetup setup = new RandomLoad(3, 4, 24 * layout.poolShares().size(), LIMITS, List.of()).setup(layout);
            PrefixCacheModel model = new PrefixCacheModel(setup.pools(), 0, 0, Long.MAX_VALUE);
            RequestListener counting = new CountingListener(fresh, ended);
            Scheduler policy = new EngineAuditor(RandomSchedulers.create(selection), setup);
            try (FakeExecutor executor = new FakeExecutor(setup, model);
                    EngineLoop loop = EngineLoop.start(executor, LIMITS, policy, new SystemClock(), counting, fresh)) {
                List<Thread> senders = java.util.stream.IntStream.range(0, 4).mapToObj(sender -> new Thread(() -> {
                    for (int i = 0; i < each; i++) {
                        int id = i * 4 + sender;
                        loop.send(TestRequests.request(id, 1 + id % 20, 1 + id % 9));
                        if (i % 5 == 0) {
                            loop.cancel(new RequestId(id));
                        }
                    }
                })).toList();
                senders.forEach(Thread::start);
                assertThat(ended.await(15, SECONDS)).isTrue();
            }
            assertThat(fresh.faults).isEmpty();
            assertThat(fresh.failures).isEmpty();
            assertThat(fresh.ends).hasSize(4 * each);
            fresh.ends.forEach((id, status) -> {
                List<Integer> right = PrefixCacheModel.answer(TestRequests.request(id, 1 + id % 20, 1 + id % 9));
                if (status == RequestStatus.OK) {
                    assertThat(fresh.tokens.get(id)).isEqualTo(right);
                } else {
                    assertThat(status).isEqualTo(RequestStatus.CANCELLED);
                    assertThat(id / 4 % 5).isZero();
                }
            });
        }
    }

    private EngineLoop loop(FakeExecutor executor, String scheduler, RequestListener listener) throws Exception {
        Scheduler policy = SchedulerRegistry.standard().create(Selection.parse(scheduler));
        return EngineLoop.start(executor, LIMITS, policy, new SystemClock(), listener, journal);
    }

    private RequestListener countingDown(CountDownLatch ended, List<Thread> callers) {
        return new CountingListener(journal, ended) {
            @Override
            public void tokens(RequestId request, long nanos, int[] tokens) {
                super.tokens(request, nanos, tokens);
                if (!callers.contains(Thread.currentThread())) {
                    callers.add(Thread.currentThread());
                }
            }
        };
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
