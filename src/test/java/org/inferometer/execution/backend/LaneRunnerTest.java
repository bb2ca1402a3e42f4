package org.inferometer.execution.backend;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.inferometer.execution.StepOutcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LaneRunnerTest {
    private static final StepOutcome DONE = new StepOutcome.Completed(new int[0], 1, 2, 0, new float[0][]);

    @Test
    void aListenerThatThrowsDoesNotEndItsLane() throws Exception {
        CompletableFuture<StepOutcome> last = new CompletableFuture<>();
        try (LaneRunner<String> lane = LaneRunner.start("lane", new Instant(), 0)) {
            lane.submit("first", first -> {
                lane.submit("second", second -> {
                    lane.submit("third", last::complete);
                    throw new OutOfMemoryError("made up");
                });
                throw new IllegalStateException("made up");
            });
            assertThat(last.get(20, TimeUnit.SECONDS)).isSameAs(DONE);
        }
    }

    /// Has done every job at once.
    private static final class Instant implements LaneWork<String> {
        @Override
        public StepOutcome perform(String job) {
            return DONE;
        }

        @Override
        public String name(String job) {
            return job;
        }

        @Override
        public void close() {
            // Nothing is held.
        }
    }
}
