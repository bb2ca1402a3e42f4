package org.inferometer.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.inferometer.serving.TestRequests.request;

import java.util.List;
import java.util.stream.IntStream;
import org.inferometer.options.Selection;
import org.inferometer.record.RequestStatus;
import org.inferometer.serving.EngineSetup;
import org.inferometer.workload.Request;
import org.junit.jupiter.api.Test;

/// Lane 0 computes contexts, lane 1 generates, lane 2 copies, where there is one of each.
class DisaggregatedSchedulerTest {
    @Test
    void aRequestIsPrefilledMovedWithRoomToItsEndAndGenerated() throws Exception {
        DecisionTrace trace = run("disaggregated", 400, request(0, 4, 3));

        assertThat(trace.steps).containsExactly("L0@0 0:0+4", "L2@1 move 0 into 3 blocks", "L1@2 0:4+1", "L1@3 0:5+1");
        assertThat(trace.reasons).containsExactly("prefill 1; all prompts scheduled", "transfer 1; prefill complete",
                "decode 1; all generations scheduled", "decode 1; all generations scheduled");
    }

    @Test
    void oneTokenComesFromThePrefillAndNothingMoves() throws Exception {
        DecisionTrace trace = run("disaggregated", 400, request(0, 4, 1), request(1, 2, 1));

        assertThat(trace.steps).containsExactly("L0@0 0:0+4 1:0+2");
        assertThat(trace.journal.moves).isEmpty();
    }

    @Test
    void theOldestMovesFirstAndThoseBehindItWaitForTheirTurn() throws Exception {
        DecisionTrace trace = run("disaggregated", 400, request(0, 2, 4), request(1, 2, 2), request(2, 2, 2));

        assertThat(trace.steps).containsExactly("L0@0 0:0+2 1:0+2 2:0+2", "L2@1 move 0 into 3 blocks", "L1@2 0:2+1",
                "L2@2 move 1 into 2 blocks", "L1@3 0:3+1 1:2+1", "L2@3 move 2 into 2 blocks", "L1@4 0:4+1 2:2+1");
    }

    @Test
    void whoDoesNotFitTheGenerationPoolWaitsAndHoldsBackTheYounger() throws Exception {
        // The generation pool has 4 blocks of 2: request 0 takes 3 of them, 1 needs 2, 2 would fit beside 0.
        DecisionTrace trace =
                run("disaggregated:ctx_kv_share=0.8", 20, request(0, 2, 5), request(1, 2, 3), request(2, 1, 2));

        assertThat(trace.steps).containsExactly("L0@0 0:0+2 1:0+2 2:0+1", "L2@1 move 0 into 3 blocks", "L1@2 0:2+1",
                "L1@3 0:3+1", "L1@4 0:4+1", "L1@5 0:5+1", "L2@6 move 1 into 2 blocks", "L1@7 1:2+1",
                "L2@7 move 2 into 1 blocks", "L1@8 1:3+1 2:1+1");
    }

    @Test
    void aPromptEntersOnlyWhenTheContextPoolHoldsIt() throws Exception {
        // 4 blocks of 2 for contexts: the second prompt needs 3 and comes in when the first has moved away.
        DecisionTrace trace =
                run("disaggregated:ctx_kv_share=0.2", 20, request(0, 4, 2), request(1, 6, 1), request(2, 1, 1));

        assertThat(trace.steps).containsExactly("L0@0 0:0+4", "L2@1 move 0 into 3 blocks", "L0@2 1:0+6 2:0+1",
                "L1@2 0:4+1");
        assertThat(trace.reasons).first().isEqualTo("prefill 1; context KV pool full");
    }

    @Test
    void completePromptsHoldBackNewOnes() throws Exception {
        DecisionTrace trace = run("disaggregated:ctx_max_batch_size=1", 400, request(0, 2, 2), request(1, 2, 2));

        assertThat(trace.steps).containsExactly("L0@0 0:0+2", "L2@1 move 0 into 2 blocks", "L0@2 1:0+2", "L1@2 0:2+1",
                "L2@3 move 1 into 2 blocks", "L1@4 1:2+1");
    }

    @Test
    void idleContextLanesShareThePrompts() throws Exception {
        DecisionTrace trace = run("disaggregated:ctx=2", 400, request(0, 2, 1), request(1, 2, 1), request(2, 2, 1));

        assertThat(trace.steps).containsExactly("L0@0 0:0+2 1:0+2", "L1@0 2:0+2");
        assertThat(trace.reasons).first().isEqualTo("prefill 2; shared with idle context lanes");
    }

    @Test
    void longPromptsAreCutByTheChosenPolicy() throws Exception {
        DecisionTrace trace = run("disaggregated:ctx_max_num_tokens=4,chunking=first_come_first_served", 400,
                request(0, 6, 1), request(1, 3, 1));

        assertThat(trace.steps).containsExactly("L0@0 0:0+4", "L0@1 1:0+2 0:4+2", "L0@2 1:2+1");
    }

    @Test
    void generationLanesGetEqualNumbers() throws Exception {
        Request[] eight = IntStream.range(0, 8).mapToObj(id -> request(id, 1, 20)).toArray(Request[]::new);
        DecisionTrace trace = run("disaggregated:gen=3", 400, eight);

        // Lanes 1 to 3 generate; when all eight have moved they have three, three and two.
        List<String> whenAllMoved = trace.steps.stream().filter(step -> step.matches("L[123]@12 .*")).toList();
        assertThat(whenAllMoved).extracting(step -> step.split(" ").length - 1).containsExactly(3, 3, 2);
        assertThat(trace.journal.ends.values()).hasSize(8).containsOnly(RequestStatus.OK);
    }

    @Test
    void aGenerationLaneWhoseRequestsEndedTakesOverFromTheOther() throws Exception {
        DecisionTrace trace = run("disaggregated:gen=2", 400, request(0, 1, 12), request(1, 1, 3), request(2, 1, 12));

        // Moved at 1, 2 and 3: 0 and 2 on lane 1 with two requests, 1 alone on lane 2 until it ends.
        assertThat(trace.steps).contains("L1@4 0:3+1 2:1+1", "L2@4 1:2+1", "L1@5 0:4+1", "L2@5 2:2+1").hasSize(27);
    }

    @Test
    void noMoreMoveThanTheGenerationLanesHaveRowsFor() throws Exception {
        DecisionTrace trace = run("disaggregated:gen_max_batch_size=1", 400, request(0, 1, 4), request(1, 1, 2));

        assertThat(trace.steps).containsExactly("L0@0 0:0+1 1:0+1", "L2@1 move 0 into 2 blocks", "L1@2 0:1+1",
                "L1@3 0:2+1", "L1@4 0:3+1", "L2@5 move 1 into 1 blocks", "L1@6 1:1+1");
    }

    @Test
    void theLayoutHasContextLanesThenGenerationLanesThenOneThatCopies() throws Exception {
        LaneLayout layout = SchedulerRegistry.standard().find("disaggregated")
                .layout(Selection.parse("disaggregated:ctx=2,gen=1,ctx_kv_share=0.4"), 0);

        PoolId contexts = new PoolId(0);
        PoolId generations = new PoolId(1);
        assertThat(layout.lanes()).containsExactly(new Lane(new LaneId(0), Lane.Role.PREFILL, contexts),
                new Lane(new LaneId(1), Lane.Role.PREFILL, contexts),
                new Lane(new LaneId(2), Lane.Role.DECODE, generations),
                new Lane(new LaneId(3), Lane.Role.TRANSFER, generations));
        assertThat(layout.poolShares()).hasSize(2);
        assertThat(layout.poolShares().getFirst()).isCloseTo(0.4, within(1e-12));
    }

    @Test
    void faultsNameThePromptThatIsTooLongForAContextStep() throws Exception {
        SchedulerRegistry registry = SchedulerRegistry.standard();
        Limits limits = new Limits(8, 128, 1_000);

        assertThat(registry.faults(Selection.of("disaggregated"), limits, 128, 500)).isEmpty();
        assertThat(registry.faults(Selection.parse("disaggregated:chunking=equal_progress,ctx_max_num_tokens=64"),
                limits, 128, 500)).isEmpty();
        assertThat(registry.faults(Selection.parse("disaggregated:ctx_max_num_tokens=64"), limits, 128, 500))
                .containsExactly("disaggregated without chunking cannot run a prompt of 128 tokens in steps of 64;"
                        + " raise ctx_max_num_tokens or set context_chunking_policy.");
    }

    /// A microsecond a step and a microsecond a copy.
    private static DecisionTrace run(String scheduler, int blocks, Request... requests) throws Exception {
        EngineSetup setup = DecisionTrace.engineFor(scheduler, 2, blocks, 8, 512);
        return DecisionTrace.of(scheduler, setup, new long[requests.length], requests);
    }
}
