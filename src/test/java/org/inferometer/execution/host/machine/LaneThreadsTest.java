package org.inferometer.execution.host.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.inferometer.execution.host.steps.HostRun;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.LaneId;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.PoolId;
import org.junit.jupiter.api.Test;

class LaneThreadsTest {
    private static final LaneLayout SPLIT =
            new LaneLayout(List.of(new Lane(new LaneId(0), Lane.Role.PREFILL, new PoolId(0)),
                    new Lane(new LaneId(1), Lane.Role.TRANSFER, new PoolId(1)),
                    new Lane(new LaneId(2), Lane.Role.DECODE, new PoolId(1))), List.of(0.5, 0.5));

    @Test
    void coresAreDividedOverComputingLanes() {
        assertThat(LaneThreads.of(LaneLayout.sharing(1), 0, 8).perLane()).containsExactly(8);
        assertThat(LaneThreads.of(LaneLayout.sharing(3), 0, 8).perLane()).containsExactly(3, 3, 2);
        assertThat(LaneThreads.of(SPLIT, 0, 5).perLane()).containsExactly(3, 0, 2);
    }

    @Test
    void everyComputingLaneHasAThread() {
        assertThat(LaneThreads.of(LaneLayout.sharing(3), 0, 2).perLane()).containsExactly(1, 1, 1);
    }

    @Test
    void requestedThreadsHoldPerLaneBeyondTheCores() {
        assertThat(LaneThreads.of(SPLIT, 4, 2).perLane()).containsExactly(4, 0, 4);
    }

    @Test
    void transferLaneCountsAsOneThread() {
        assertThat(HostRun.options(3, 0, 16, HostOptions.KvDtype.FP32).threadsOf(SPLIT)).containsExactly(3, 1, 3);
    }

    @Test
    void descriptionNamesLanesAndThreads() {
        assertThat(LaneThreads.of(LaneLayout.sharing(1), 0, 2).describe()).isEqualTo("2 threads");
        assertThat(LaneThreads.of(LaneLayout.sharing(1), 1, 2).describe()).isEqualTo("1 thread");
        assertThat(LaneThreads.of(LaneLayout.sharing(2), 0, 2).describe()).isEqualTo("2 lanes of 1 thread");
        assertThat(LaneThreads.of(LaneLayout.sharing(3), 0, 4).describe())
                .isEqualTo("1 lane of 2 threads, 2 lanes of 1 thread");
        assertThat(LaneThreads.of(SPLIT, 0, 2).describe()).isEqualTo("2 lanes of 1 thread, 1 transfer lane");
        assertThat(LaneThreads.of(LaneLayout.sharing(1), 4, 2).describe()).isEqualTo("4 threads on 2 cores");
        assertThat(LaneThreads.of(LaneLayout.sharing(2), 2, 1).describe())
                .isEqualTo("2 lanes of 2 threads (4 threads on 1 core)");
    }
}
