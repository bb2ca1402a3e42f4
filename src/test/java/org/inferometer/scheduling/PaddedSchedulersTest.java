package org.inferometer.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.inferometer.serving.TestRequests.request;

import java.util.List;
import java.util.stream.IntStream;
import org.inferometer.options.Selection;
import org.inferometer.record.StepReport;
import org.inferometer.serving.EngineSetup;
import org.inferometer.serving.EventJournal;
import org.inferometer.serving.PrefixCacheModel;
import org.inferometer.serving.TestRequests;
import org.inferometer.serving.VirtualEngine;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestId;
import org.junit.jupiter.api.Test;

class PaddedSchedulersTest {
    private static final EngineSetup ROOMY = DecisionTrace.engine(4, 1_000, 64, 512);

    @Test
    void theBatchIsPaddedToItsLongestAndFinishedMembersLeaveDeadRows() throws Exception {
        DecisionTrace trace =
                DecisionTrace.of("naive:batch_size=2", ROOMY, request(0, 3, 1), request(1, 1, 3), request(2, 2, 2));

        assertThat(trace.steps).containsExactly("0:0+3 1:0+1 pad 2", "1:1+1 pad 1", "1:2+1 pad 1", "2:0+2", "2:2+1");
    }

    @Test
    void promptsLongerThanAStepAreComputedInColumnsThatEndTogether() throws Exception {
        DecisionTrace trace = DecisionTrace.of("naive:batch_size=2", DecisionTrace.engine(4, 100, 8, 4),
                request(0, 5, 2), request(1, 2, 2));

        assertThat(trace.steps).containsExactly("0:0+2 pad 2", "0:2+2 1:0+1 pad 1", "0:4+1 1:1+1", "0:5+1 1:2+1");
    }

    @Test
    void naiveWaitsHalfASecondForAFullBatchAndNotAtAllForTheLast() throws Exception {
        DecisionTrace trace = DecisionTrace.of("naive", ROOMY, new long[]{0, 200_000_000, 900_000_000},
                request(0, 1, 1), request(1, 1, 1), request(2, 1, 1));

        assertThat(trace.steps).containsExactly("0:0+1 1:0+1", "2:0+1");
        assertThat(trace.journal.steps).extracting(StepReport::startNanos).containsExactly(500_000_000L, 900_000_000L);
    }

    @Test
    void naiveRunsAFullBatchAtOnce() throws Exception {
        DecisionTrace trace = DecisionTrace.of("naive:batch_size=2", ROOMY, new long[]{0, 1_000, 5_000_000_000L},
                request(0, 1, 1), request(1, 1, 1), request(2, 1, 1));

        assertThat(trace.journal.steps).extracting(StepReport::startNanos).containsExactly(1_000L, 5_000_000_000L);
    }

    @Test
    void aBatchEndsWhereThePoolIsFullAndDoesNotWaitForMore() throws Exception {
        DecisionTrace trace = DecisionTrace.of("naive", DecisionTrace.engine(4, 5, 8, 64),
                new long[]{0, 0, 9_000_000_000L}, request(0, 8, 1), request(1, 9, 4), request(2, 1, 1));

        assertThat(trace.steps).containsExactly("0:0+8 1:0+9 pad 1", "1:9+1 pad 1", "1:10+1 pad 1", "1:11+1 pad 1",
                "2:0+1");
        assertThat(trace.journal.steps.getFirst().startNanos()).isEqualTo(500_000_000L);

        DecisionTrace tight = DecisionTrace.of("naive", DecisionTrace.engine(4, 4, 8, 64),
                new long[]{0, 0, 9_000_000_000L}, request(0, 8, 1), request(1, 9, 4), request(2, 1, 1));
        assertThat(tight.steps.getFirst()).isEqualTo("0:0+8");
        assertThat(tight.journal.steps.getFirst().startNanos()).isZero();
    }

    @Test
    void dynamicGrowsByTwoWhileMemoryIsFree() throws Exception {
        DecisionTrace trace = DecisionTrace
                .of("dynamic:batch_size=2,min_batch_size=1,max_batch_size=5,memory_threshold=1", ROOMY, many(14));

        assertThat(sizes(trace)).containsExactly(2, 4, 5, 3);
    }

    @Test
    void dynamicShrinksByOneWhenMemoryReachesTheThreshold() throws Exception {
        DecisionTrace trace =
                DecisionTrace.of("dynamic:batch_size=4,min_batch_size=2,memory_threshold=0", ROOMY, many(13));

        assertThat(sizes(trace)).containsExactly(4, 3, 2, 2, 2);
    }

    @Test
    void dynamicShrinksByOneWhenABatchTakesLongerThanItsLatencyAllows() throws Exception {
        // Batches end 1, 2, 3 ... microseconds after all requests came.
        DecisionTrace trace = DecisionTrace
                .of("dynamic:batch_size=2,min_batch_size=1,memory_threshold=1,latency_slo=0.0000015", ROOMY, many(12));

        assertThat(sizes(trace)).containsExactly(2, 4, 3, 2, 1);
    }

    @Test
    void dynamicCollectsNoLongerThanItsOldestMayWait() throws Exception {
        long[] sent = {0, 20_000_000_000L};
        String slow = "dynamic:batch_timeout=3,max_time_wait=";

        assertThat(DecisionTrace.of(slow + 2, ROOMY, sent, request(0, 1, 1), request(1, 1, 1)).journal.steps.getFirst()
                .startNanos()).isEqualTo(2_000_000_000L);
        assertThat(DecisionTrace.of(slow + 5, ROOMY, sent, request(0, 1, 1), request(1, 1, 1)).journal.steps.getFirst()
                .startNanos()).isEqualTo(3_000_000_000L);
    }

    @Test
    void dynamicCollectsAnewAfterThoseItCollectedForAreCancelled() throws Exception {
        EventJournal journal = new EventJournal();
        PrefixCacheModel model = new PrefixCacheModel(ROOMY.pools(), 1_000, 0, 10_000);
        VirtualEngine engine = new VirtualEngine(ROOMY, SchedulerRegistry.standard().create(Selection.parse("dynamic")),
                model, journal, journal);
        engine.sendAt(0, request(0, 1, 1));
        engine.cancelAt(100_000_000, new RequestId(0));
        engine.sendAt(5_000_000_000L, request(1, 1, 1));
        engine.sendAt(5_400_000_000L, request(2, 1, 1));
        engine.sendAt(20_000_000_000L, request(3, 1, 1));
        engine.run();

        assertThat(starts(journal)).containsExactly("lane 0 at 5500 ms: 2 requests", "lane 0 at 20000 ms: 1 requests");
    }

    @Test
    void dynamicCollectsAnewAfterAnotherLaneTookThoseItCollectedFor() throws Exception {
        EngineSetup two = TestRequests.setup(2, 4, 1_000, new Limits(64, 512, 1_000));
        long[] sent = {0, 0, 100_000_000, 700_000_000, 20_000_000_000L};
        Request[] requests = IntStream.range(0, sent.length).mapToObj(id -> request(id, 1, 1)).toArray(Request[]::new);
        PrefixCacheModel steps = new PrefixCacheModel(two.pools(), 300_000_000, 0, 10_000);
        DecisionTrace trace =
                DecisionTrace.of("dynamic:batch_size=2,min_batch_size=2,max_batch_size=2", two, steps, sent, requests);

        // Lane 0 begins at 300 ms to collect the third, which lane 1 has collected since 100 ms; the fourth comes when that is gone.
        assertThat(starts(trace.journal)).containsExactly("lane 0 at 0 ms: 2 requests", "lane 1 at 600 ms: 1 requests",
                "lane 0 at 1200 ms: 1 requests", "lane 0 at 20000 ms: 1 requests");
    }

    private static List<String> starts(EventJournal journal) {
        return journal.steps.stream().map(step -> "lane " + step.lane().index() + " at " + step.startNanos() / 1_000_000
                + " ms: " + step.slices().size() + " requests").toList();
    }

    private static Request[] many(int count) {
        return IntStream.range(0, count).mapToObj(id -> request(id, 1, 1)).toArray(Request[]::new);
    }

    private static List<Integer> sizes(DecisionTrace trace) {
        return trace.journal.steps.stream().map(step -> step.slices().size()).toList();
    }
}
