package org.inferometer.execution.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.inferometer.engine.ModelFamily;
import org.inferometer.execution.Executor.ExecutorDevice;
import org.inferometer.execution.Executor.KvGeometry;
import org.inferometer.execution.Executor.OwnedMemory;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.LaneJob.Step;
import org.inferometer.execution.StepOutcome;
import org.inferometer.execution.backend.LaneRunner.LaneWork;
import org.inferometer.execution.check.RandomModel;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.PoolId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LaneExecutorTest {
    private static final LaneLayout TWO_LANES = LaneLayout.sharing(2);
    private static final OwnedMemory MEMORY = new OwnedMemory(1, 2, 3, 4);

    private final List<String> events = Collections.synchronizedList(new ArrayList<>());

    @Test
    void memoryIsReleasedOnceAfterTheLanesEnded() throws Exception {
        LaneExecutor executor = LaneExecutor.start(parts(), this::work, lane -> {
            throw new AssertionError("no transfer lane");
        });
        assertThat(executor.memory()).isEqualTo(MEMORY);
        assertThat(executor.lanes()).isEqualTo(TWO_LANES.lanes());
        executor.close();
        executor.close();
        assertThat(events).hasSize(3).contains("lane 0 closed", "lane 1 closed").endsWith("released");
    }

    @Test
    void openLanesAreClosedIfAnotherCannotBeOpened() {
        assertThatThrownBy(() -> LaneExecutor.start(parts(), lane -> {
            if (lane.id().index() == 1) {
                throw new ExecutorException("no memory");
            }
            return work(lane);
        }, lane -> {
            throw new AssertionError("no transfer lane");
        })).isInstanceOf(ExecutorException.class).hasMessage("no memory");
        assertThat(events).containsExactly("lane 0 closed");
    }

    @Test
    void stepOutsideTheBuffersFailsOnTheCallersThread() throws Exception {
        try (LaneExecutor executor = LaneExecutor.start(parts(), this::work, lane -> {
            throw new AssertionError("no transfer lane");
        })) {
            List<StepOutcome> outcomes = new ArrayList<>();
            executor.submit(executor.lanes().getFirst(), new Step(0, List.of(), 9, false), outcomes::add);
            assertThat(outcomes).singleElement().isInstanceOfSatisfying(StepOutcome.Failed.class,
                    failed -> assertThat(failed.cause())
                            .hasMessage("A step has 9 positions; this executor takes 1 to 8."));
        }
    }

    private LaneExecutor.BackendParts parts() {
        KvGeometry pool = new KvGeometry(new PoolId(0), 16, 4, 1024);
        StepCheck check =
                new StepCheck(RandomModel.odd(ModelFamily.LLAMA), List.of(pool), new ExecutorSizes(4096, 8, 64, 4));
        return new LaneExecutor.BackendParts("test", TWO_LANES, check, () -> List.of(ExecutorDevice.cpu(MEMORY)),
                () -> events.add("released"));
    }

    private LaneWork<Step> work(Lane lane) {
        return new LaneWork<>() {
            @Override
            public StepOutcome perform(Step step) {
                throw new AssertionError("no step reaches a lane");
            }

            @Override
            public void close() {
                events.add("lane " + lane.id().index() + " closed");
            }
        };
    }
}
