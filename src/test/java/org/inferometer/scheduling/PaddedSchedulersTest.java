package org.inferometer.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.inferometer.serving.Loads.request;

import java.util.List;
import java.util.stream.IntStream;
import org.inferometer.serving.EngineSetup;
import org.inferometer.serving.StepReport;
import org.inferometer.workload.Request;
import org.junit.jupiter.api.Test;

class PaddedSchedulersTest {
    private static final EngineSetup ROOMY = Trace.engine(4, 1_000, 64, 512);

    @Test
    void theBatchIsPaddedToItsLongestAndFinishedMembersLeaveDeadRows() throws Exception {
        Trace trace = Trace.of("naive:batch_size=2", ROOMY, request(0, 3, 1), request(1, 1, 3), request(2, 2, 2));

        assertThat(trace.steps)
                .containsExactly("0:0+3 1:0+1 pad 2", "1:1+1 pad 1", "1:2+1 pad 1", "2:0+2", "2:2+1");
    }

    @Test
    void promptsLongerThanAStepAreComputedInColumnsThatEndTogether() throws Exception {
        Trace trace = Trace.of("naive:batch_size=2", Trace.engine(4, 100, 8, 4), request(0, 5, 2), request(1, 2, 2));

        assertThat(trace.steps).containsExactly("0:0+2 pad 2", "0:2+2 1:0+1 pad 1", "0:4+1 1:1+1", "0:5+1 1:2+1");
    }

    @Test
    void naiveWaitsHalfASecondForAFullBatchAndNotAtAllForTheLast() throws Exception {
        Trace trace = Trace.of(
                "naive",
                ROOMY,
                new long[] {0, 200_000_000, 900_000_000},
                request(0, 1, 1),
                request(1, 1, 1),
                request(2, 1, 1));

        assertThat(trace.steps).containsExactly("0:0+1 1:0+1", "2:0+1");
        assertThat(trace.journal.steps).extracting(StepReport::startNanos).containsExactly(500_000_000L, 900_000_000L);
    }

    @Test
    void naiveRunsAFullBatchAtOnce() throws Exception {
        Trace trace = Trace.of(
                "naive:batch_size=2", ROOMY, new long[] {0, 1_000, 5_000_000_000L}, request(0, 1, 1), request(1, 1, 1), request(2, 1, 1));

        assertThat(trace.journal.steps).extracting(StepReport::startNanos).containsExactly(1_000L, 5_000_000_000L);
    }

    @Test
    void aBatchEndsWhereThePoolIsFullAndDoesNotWaitForMore() throws Exception {
        Trace trace = Trace.of(
                "naive", Trace.engine(4, 5, 8, 64), new long[] {0, 0, 9_000_000_000L}, request(0, 8, 1), request(1, 9, 4), request(2, 1, 1));

        assertThat(trace.steps).containsExactly("0:0+8 1:0+9 pad 1", "1:9+1 pad 1", "1:10+1 pad 1", "1:11+1 pad 1", "2:0+1");
        assertThat(trace.journal.steps.getFirst().startNanos()).isEqualTo(500_000_000L);

        Trace tight = Trace.of(
                "naive", Trace.engine(4, 4, 8, 64), new long[] {0, 0, 9_000_000_000L}, request(0, 8, 1), request(1, 9, 4), request(2, 1, 1));
        assertThat(tight.steps.getFirst()).isEqualTo("0:0+8");
        assertThat(tight.journal.steps.getFirst().startNanos()).isZero();
    }

    @Test
    void dynamicGrowsByTwoWhileMemoryIsFree() throws Exception {
        Trace trace = Trace.of("dynamic:batch_size=2,min_batch_size=1,max_batch_size=5,memory_threshold=1", ROOMY, many(14));

        assertThat(sizes(trace)).containsExactly(2, 4, 5, 3);
    }

    @Test
    void dynamicShrinksByOneWhenMemoryReachesTheThreshold() throws Exception {
        Trace trace = Trace.of("dynamic:batch_size=4,min_batch_size=2,memory_threshold=0", ROOMY, many(13));

        assertThat(sizes(trace)).containsExactly(4, 3, 2, 2, 2);
    }

    @Test
    void dynamicShrinksByOneWhenABatchTakesLongerThanItsLatencyAllows() throws Exception {
        // Batches end 1, 2, 3 ... microseconds after all requests came.
        Trace trace = Trace.of("dynamic:batch_size=2,min_batch_size=1,memory_threshold=1,latency_slo=0.0000015", ROOMY, many(12));

        assertThat(sizes(trace)).containsExactly(2, 4, 3, 2, 1);
    }

    @Test
    void dynamicCollectsNoLongerThanItsOldestMayWait() throws Exception {
        long[] sent = {0, 20_000_000_000L};
        String slow = "dynamic:batch_timeout=3,max_time_wait=";

        assertThat(Trace.of(slow + 2, ROOMY, sent, request(0, 1, 1), request(1, 1, 1)).journal.steps.getFirst().startNanos())
                .isEqualTo(2_000_000_000L);
        assertThat(Trace.of(slow + 5, ROOMY, sent, request(0, 1, 1), request(1, 1, 1)).journal.steps.getFirst().startNanos())
                .isEqualTo(3_000_000_000L);
    }

    private static Request[] many(int count) {
        return IntStream.range(0, count).mapToObj(id -> request(id, 1, 1)).toArray(Request[]::new);
    }

    private static List<Integer> sizes(Trace trace) {
        return trace.journal.steps.stream().map(step -> step.slices().size()).toList();
    }
}
