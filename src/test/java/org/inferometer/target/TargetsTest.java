package org.inferometer.target;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.inferometer.options.Selection;
import org.inferometer.record.RequestStatus;
import org.inferometer.scheduling.Limits;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.serving.AffineSteps;
import org.inferometer.serving.CountingListener;
import org.inferometer.serving.EngineLoop;
import org.inferometer.serving.EventJournal;
import org.inferometer.serving.FakeExecutor;
import org.inferometer.serving.TestRequests;
import org.inferometer.units.SystemClock;
import org.inferometer.workload.RequestId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class TargetsTest {
    private final EventJournal journal = new EventJournal();

    @Test
    void theNullTargetAnswersEveryTokenAtOnce() throws Exception {
        CountDownLatch ended = new CountDownLatch(100);
        try (Target target = NullTarget.start(new SystemClock(), listener(ended))) {
            for (int i = 0; i < 100; i++) {
                target.send(TestRequests.request(i, 3, 2));
            }
            assertThat(ended.await(10, SECONDS)).isTrue();
            target.close();
            assertThatThrownBy(() -> target.send(TestRequests.request(100, 1, 1)))
                    .isInstanceOf(IllegalStateException.class);
        }
        assertThat(journal.faults).isEmpty();
        assertThat(journal.ends.values()).hasSize(100).containsOnly(RequestStatus.OK);
        assertThat(journal.tokens.values()).containsOnly(List.of(0, 0));
    }

    @Test
    void closingAnEngineLeavesItsExecutorOpen() throws Exception {
        CountDownLatch ended = new CountDownLatch(2);
        Limits limits = new Limits(4, 32, 64);
        try (FakeExecutor executor = new FakeExecutor(TestRequests.setup(4, 20, limits), new AffineSteps(0, 0))) {
            for (int phase = 0; phase < 2; phase++) {
                try (Target target = EngineLoop.start(executor, limits,
                        SchedulerRegistry.standard().create(Selection.of("continuous")), new SystemClock(),
                        listener(ended), journal)) {
                    assertThat(target.description()).isEqualTo("fake");
                    target.send(TestRequests.request(phase, 3, 2));
                    target.arrivalsEnded();
                    target.cancel(new RequestId(50));
                    while (ended.getCount() > 1 - phase) {
                        Thread.onSpinWait();
                    }
                }
            }
        }
        assertThat(journal.faults).isEmpty();
        assertThat(journal.ends).containsEntry(0, RequestStatus.OK).containsEntry(1, RequestStatus.OK);
    }

    private RequestListener listener(CountDownLatch ended) {
        return new CountingListener(journal, ended);
    }
}
