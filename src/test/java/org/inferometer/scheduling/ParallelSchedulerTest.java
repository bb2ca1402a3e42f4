package org.inferometer.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.inferometer.serving.TestRequests.request;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.inferometer.options.Selection;
import org.inferometer.record.RequestStatus;
import org.inferometer.serving.AffineSteps;
import org.inferometer.serving.EngineSetup;
import org.inferometer.serving.PrefixCacheModel;
import org.inferometer.serving.StepModel;
import org.inferometer.workload.Request;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ParallelSchedulerTest {
    @Test
    void bothStreamsStartTogetherAndAreDividedAnewForEachStep() throws Exception {
        DecisionTrace trace = run("parallel", request(0, 4, 3), request(1, 4, 3), request(2, 4, 1));

        assertThat(trace.steps).containsExactly("L0@0 0:0+4 2:0+4", "L1@0 1:0+4", "L0@1 0:4+1", "L1@1 1:4+1",
                "L0@2 0:5+1", "L1@2 1:5+1");
    }

    @Test
    void idleStreamWaitsOnlyWithSynchronization() throws Exception {
        long[] sent = {0, 0, 3_000};
        Request[] requests = {request(0, 5, 1), request(1, 2, 1), request(2, 1, 1)};

        assertThat(perPosition("parallel", sent, requests).steps).containsExactly("L0@0 0:0+5", "L1@0 1:0+2",
                "L0@5 2:0+1");
        assertThat(perPosition("parallel:sync=false", sent, requests).steps).containsExactly("L0@0 0:0+5", "L1@0 1:0+2",
                "L1@3 2:0+1");
    }

    @Test
    void fusionPutsContextsAndGenerationsIntoOneStep() throws Exception {
        long[] sent = {0, 0, 1_500, 1_500};
        Request[] requests = {request(0, 2, 4), request(1, 2, 4), request(2, 2, 1), request(3, 2, 1)};
        List<String> begin = List.of("L0@0 0:0+2", "L1@0 1:0+2", "L0@1 0:2+1", "L1@1 1:2+1");

        DecisionTrace apart = run("parallel", sent, requests);
        assertThat(apart.steps).startsWith(begin.toArray(String[]::new))
                .endsWith("L0@2 2:0+2", "L1@2 3:0+2", "L0@3 0:3+1", "L1@3 1:3+1", "L0@4 0:4+1", "L1@4 1:4+1")
                .hasSize(10);
        assertThat(apart.reasons).element(4).isEqualTo("prefill 1; contexts before generations");

        DecisionTrace fused = run("parallel:fusion=true", sent, requests);
        assertThat(fused.steps).startsWith(begin.toArray(String[]::new))
                .endsWith("L0@2 2:0+2 0:3+1", "L1@2 3:0+2 1:3+1", "L0@3 0:4+1", "L1@3 1:4+1").hasSize(8);
    }

    @Test
    void theNextDecisionWaitsForTheGenerationsOfEveryStream() throws Exception {
        // At 2: request 1 alone weighs 32 half tokens, 0 (which generates) 8 and 2 weighs 8; so stream 1 has a second step to run.
        DecisionTrace trace = run("parallel:strategy=balanced", new long[]{0, 1_500, 1_500}, request(0, 4, 5),
                request(1, 8, 1), request(2, 2, 2));

        assertThat(trace.steps).containsExactly("L0@0 0:0+4", "L0@1 0:4+1", "L0@2 1:0+8", "L1@2 2:0+2", "L1@3 0:5+1",
                "L0@4 0:6+1", "L1@4 2:2+1", "L0@5 0:7+1");
    }

    @Test
    void limitsHoldForAllStreamsTogetherOrForEachAsInTheOriginal() throws Exception {
        Request[] prompts = {request(0, 4, 1), request(1, 4, 1), request(2, 2, 1)};

        assertThat(run("parallel:max_num_tokens=6", prompts).steps).containsExactly("L0@0 0:0+4", "L0@1 1:0+4",
                "L1@1 2:0+2");
        assertThat(run("parallel:max_num_tokens=6,limits=per_stream", prompts).steps)
                .containsExactly("L0@0 0:0+4 2:0+2", "L1@0 1:0+4");
    }

    @ParameterizedTest
    @ValueSource(strings = {"first_come_first_served", "equal_progress"})
    void shortPromptsOfOtherStreamsDoNotKeepTheOldestWaitingEither(String chunking) throws Exception {
        // The unit is the step: the long prompt gets nothing on a stream on which anyone generates.
        long[] sent =
                LongStream.concat(LongStream.of(0, 0), LongStream.range(1, 100).map(i -> 1_000 * i - 1)).toArray();
        Request[] requests = IntStream.range(0, sent.length)
                .mapToObj(id -> request(id, id == 1 ? 20 : 1, id == 1 ? 1 : 3)).toArray(Request[]::new);
        DecisionTrace trace =
                run("parallel:max_num_tokens=8,chunk_unit=8,limits=per_stream,chunking=" + chunking, sent, requests);

        assertThat(trace.steps.subList(0, 7)).containsExactly("L0@0 0:0+1", "L1@0 1:0+8", "L0@1 0:1+1", "L0@2 0:2+1",
                "L0@3 1:8+8", "L1@3 2:0+1 4:0+1", "L0@4 1:16+4 5:0+1");
    }

    @Test
    void rowsPerStepAreSharedAndRowsPerStreamLetMoreIn() throws Exception {
        Request[] four = {request(0, 1, 1), request(1, 1, 1), request(2, 1, 1), request(3, 1, 1)};

        assertThat(run("parallel:max_batch_size=2", four).steps).containsExactly("L0@0 0:0+1", "L1@0 1:0+1",
                "L0@1 2:0+1", "L1@1 3:0+1");
        assertThat(run("parallel:max_batch_size=2,limits=per_stream", four).steps).containsExactly("L0@0 0:0+1 2:0+1",
                "L1@0 1:0+1 3:0+1");
    }

    @Test
    void positionsInFlightOnOtherStreamsCountForTheLimit() throws Exception {
        DecisionTrace trace = perPosition("parallel:sync=false,max_num_tokens=6", new long[]{0, 1_000},
                request(0, 5, 1), request(1, 2, 1));

        assertThat(trace.steps).containsExactly("L0@0 0:0+5", "L0@5 1:0+2");
    }

    @Test
    void fewerRequestsThanTheThresholdAllRunOnTheFirstStream() throws Exception {
        DecisionTrace trace = run("parallel:threshold=3", request(0, 2, 2), request(1, 2, 2));

        assertThat(trace.steps).containsExactly("L0@0 0:0+2 1:0+2", "L0@1 0:2+1 1:2+1");
        assertThat(trace.reasons).first().isEqualTo("prefill 2; too few requests for several streams");
    }

    @Test
    void theLaneLayoutFollowsTheOptions() throws Exception {
        SchedulerDescription<?> parallel = SchedulerRegistry.standard().find("parallel");

        assertThat(parallel.layout(Selection.of("parallel"), 0)).isEqualTo(LaneLayout.sharing(2));
        assertThat(parallel.layout(Selection.parse("parallel:streams=3,stream_priority=-1"), 0))
                .isEqualTo(LaneLayout.sharing(3, -1));
        assertThat(parallel.layout(Selection.parse("parallel:enable_parallel_execution=false,streams=3"), 0))
                .isEqualTo(LaneLayout.sharing(1));
    }

    @Test
    void disabledItIsSimple() throws Exception {
        Request[] requests = {request(0, 4, 3), request(1, 3, 2), request(2, 4, 1)};

        assertThat(run("parallel:enabled=false", requests).steps).isEqualTo(run("simple", requests).steps);
    }

    @Test
    void evictionsForOneStreamTakeTheYoungestOfAll() throws Exception {
        // 4 blocks of 2: both prompts fill the pool; the fifth position of 0 needs one more.
        EngineSetup tight = DecisionTrace.engineFor("parallel", 2, 4, 8, 64);
        DecisionTrace trace = DecisionTrace.of("parallel:capacity=max_utilization", tight, new long[2],
                request(0, 4, 4), request(1, 3, 2));

        assertThat(trace.steps).containsExactly("L0@0 0:0+4", "L1@0 1:0+3", "L0@1 0:4+1 evict 1", "L0@2 0:5+1",
                "L0@3 0:6+1", "L0@4 1:0+4");
        assertThat(trace.reasons).element(2).isEqualTo("decode 1, evict 1; KV pool full");
    }

    @Test
    void streamKeepsItsRequestsAndTakesSomeWhenIdle() throws Exception {
        DecisionTrace trace = perPosition("parallel:sync=false", new long[4], request(0, 4, 3), request(1, 2, 3),
                request(2, 1, 3), request(3, 1, 3));

        assertThat(requestsOf(trace, 0)).containsOnly(0, 2);
        assertThat(requestsOf(trace, 1)).containsExactly(1, 3, 1, 3, 1, 3, 0);
    }

    @Test
    void runtimeGivesTheSlowerStreamLess() throws Exception {
        for (boolean synchronous : new boolean[]{true, false}) {
            String scheduler = "parallel:strategy=runtime,sync=" + synchronous;
            Request[] requests = IntStream.range(0, 8).mapToObj(id -> request(id, 4, 40)).toArray(Request[]::new);
            EngineSetup setup = DecisionTrace.engineFor(scheduler, 4, 1_000, 64, 512);
            DecisionTrace trace = DecisionTrace.of(scheduler, setup, slowSecondLane(), new long[8], requests);

            // Four each to begin with; the second stream takes three times as long, so six and two are even.
            assertThat(rows(trace, "L0").getFirst()).as(scheduler).isEqualTo(4);
            assertThat(rows(trace, "L1").getFirst()).as(scheduler).isEqualTo(4);
            assertThat(rows(trace, "L0").get(20)).as(scheduler).isEqualTo(6);
            assertThat(rows(trace, "L1").get(10)).as(scheduler).isEqualTo(2);
            assertThat(trace.journal.ends.values()).as(scheduler).hasSize(8).containsOnly(RequestStatus.OK);
        }
    }

    private static List<Integer> rows(DecisionTrace trace, String lane) {
        return trace.steps.stream().filter(step -> step.startsWith(lane)).map(step -> step.split(" ").length - 1)
                .toList();
    }

    private static List<Integer> requestsOf(DecisionTrace trace, int lane) {
        return trace.steps.stream().filter(step -> step.startsWith("L" + lane))
                .flatMap(step -> List.of(step.split(" ")).stream().skip(1))
                .map(slice -> Integer.valueOf(slice.substring(0, slice.indexOf(':')))).toList();
    }

    /// A microsecond a position, three on the second lane; the tokens do not matter here.
    private static StepModel slowSecondLane() {
        StepModel fast = new AffineSteps(0, 1_000);
        StepModel slow = new AffineSteps(0, 3_000);
        return (lane, step, startNanos) -> (lane.id().index() == 1 ? slow : fast).run(lane, step, startNanos);
    }

    private static DecisionTrace run(String scheduler, Request... requests) throws Exception {
        return run(scheduler, new long[requests.length], requests);
    }

    /// A microsecond a step.
    private static DecisionTrace run(String scheduler, long[] sentNanos, Request... requests) throws Exception {
        return DecisionTrace.of(scheduler, DecisionTrace.engineFor(scheduler, 2, 1_000, 8, 512), sentNanos, requests);
    }

    /// A microsecond a position.
    private static DecisionTrace perPosition(String scheduler, long[] sentNanos, Request... requests) throws Exception {
        EngineSetup setup = DecisionTrace.engineFor(scheduler, 2, 1_000, 8, 512);
        return DecisionTrace.of(scheduler, setup, new PrefixCacheModel(setup.pools(), 0, 1_000, 10_000), sentNanos,
                requests);
    }
}
