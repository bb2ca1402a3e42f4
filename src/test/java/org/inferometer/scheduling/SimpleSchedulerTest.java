package org.inferometer.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.inferometer.serving.TestRequests.request;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.inferometer.options.Selection;
import org.inferometer.record.RequestStatus;
import org.inferometer.serving.EngineSetup;
import org.inferometer.workload.Request;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SimpleSchedulerTest {
    private static final EngineSetup ROOMY = DecisionTrace.engine(2, 1_000, 8, 512);

    @Test
    void noEvictAdmitsOnlyWhoCanFinishAndStopsAtTheFirstMisfit() throws Exception {
        // Blocks to finish: 4, 1, 3, 1 of 6. Request 3 would fit beside 0, but 2 stands before it.
        DecisionTrace trace = DecisionTrace.of("simple", DecisionTrace.engine(2, 6, 8, 64), request(0, 4, 5),
                request(1, 2, 1), request(2, 4, 3), request(3, 1, 1));

        assertThat(trace.steps).containsExactly("0:0+4 1:0+2", "0:4+1", "0:5+1", "0:6+1", "0:7+1", "2:0+4 3:0+1",
                "2:4+1", "2:5+1");
        assertThat(trace.journal.preemptions).isEmpty();
    }

    @Test
    void contextsGoBeforeGenerations() throws Exception {
        DecisionTrace trace = DecisionTrace.of("simple:max_batch_size=2", ROOMY, request(0, 2, 3), request(1, 2, 1),
                request(2, 2, 1));

        assertThat(trace.steps).containsExactly("0:0+2 1:0+2", "2:0+2 0:2+1", "0:3+1");
    }

    @Test
    void aStaticBatchRunsToItsEndBeforeTheNextIsLetIn() throws Exception {
        DecisionTrace trace = DecisionTrace.of("simple:capacity_scheduler_policy=static_batch,max_batch_size=2", ROOMY,
                request(0, 2, 3), request(1, 2, 1), request(2, 2, 1));

        assertThat(trace.steps).containsExactly("0:0+2 1:0+2", "0:2+1", "0:3+1", "2:0+2");
    }

    @Test
    void maxUtilizationTakesTheBlocksOfTheYoungestWhichStartsOver() throws Exception {
        // 4 blocks of 2: both prompts fill the pool; the fifth position of 0 needs one more.
        DecisionTrace trace = DecisionTrace.of("simple:capacity=max_utilization", DecisionTrace.engine(2, 4, 8, 64),
                request(0, 4, 4), request(1, 3, 2));

        assertThat(trace.steps).containsExactly("0:0+4 1:0+3", "0:4+1 evict 1", "0:5+1", "0:6+1", "1:0+4");
        assertThat(trace.journal.preemptions).containsExactly("1 lost 3");
    }

    /// 4 blocks of 2, all held after the prompts. The fourth position of 0 fits its second block, the fifth needs a third one.
    @Test
    void twoStepLookaheadEvictsOneStepEarlier() throws Exception {
        for (String policy : List.of("max_utilization,two_step_lookahead=false", "max_utilization")) {
            assertThat(tight("simple:capacity=" + policy)).containsExactly("0:0+3 1:0+4", "0:3+1", "0:4+1 evict 1",
                    "0:5+1", "1:0+5", "1:5+1");
        }
        assertThat(tight("simple:capacity=max_utilization,two_step_lookahead=true")).containsExactly("0:0+3 1:0+4",
                "0:3+1 evict 1", "0:4+1", "0:5+1", "1:0+5", "1:5+1");
        assertThat(tight("simple:two_step_lookahead=true")).as("every request keeps its blocks to the end")
                .isEqualTo(tight("simple"));
    }

    private static List<String> tight(String scheduler) throws Exception {
        return DecisionTrace.of(scheduler, DecisionTrace.engine(2, 4, 8, 64), request(0, 3, 4), request(1, 4, 3)).steps;
    }

    @Test
    void aRequestWithoutVictimWaitsInsteadOfEvictingItself() throws Exception {
        // 6 blocks of 1. After two steps 0 and 1 hold 3 each; 0 takes the blocks of 1, not the other way round.
        DecisionTrace trace = DecisionTrace.of("simple:capacity=max_utilization", DecisionTrace.engine(1, 6, 8, 64),
                request(0, 2, 3), request(1, 3, 4));

        assertThat(trace.steps).containsExactly("0:0+2 1:0+3", "0:2+1", "0:3+1 evict 1", "1:0+4", "1:4+1", "1:5+1");
    }

    @Test
    void withoutChunkingTheFirstPromptThatDoesNotFitEndsTheStep() throws Exception {
        DecisionTrace trace = DecisionTrace.of("simple:max_num_tokens=8", ROOMY, request(0, 5, 1), request(1, 6, 1),
                request(2, 2, 1));

        assertThat(trace.steps).containsExactly("0:0+5", "1:0+6 2:0+2");
    }

    @Test
    void firstComeFirstServedCutsToTheUnitAndPutsLastChunksBehind() throws Exception {
        DecisionTrace trace = DecisionTrace.of("simple:max_num_tokens=8,chunking=first_come_first_served,chunk_unit=2",
                ROOMY, request(0, 5, 1), request(1, 6, 1), request(2, 2, 1));

        assertThat(trace.steps).containsExactly("1:0+2 0:0+5", "1:2+4 2:0+2");
    }

    @Test
    void equalProgressGivesEachOneUnitInTurn() throws Exception {
        DecisionTrace trace = DecisionTrace.of("simple:max_num_tokens=8,chunking=equal_progress,chunk_unit=2", ROOMY,
                request(0, 5, 1), request(1, 6, 1), request(2, 2, 1));

        assertThat(trace.steps).containsExactly("0:0+4 1:0+2 2:0+2", "0:4+1 1:2+4");
    }

    @ParameterizedTest
    @ValueSource(strings = {"first_come_first_served", "equal_progress"})
    void endlessShortPromptsNeverOvertakeAnOlderLongOne(String chunking) throws Exception {
        // The unit is the step: the long prompt gets nothing as long as anyone generates.
        long[] sent =
                LongStream.concat(LongStream.of(0, 0), LongStream.range(1, 100).map(i -> 1_000 * i - 1)).toArray();
        Request[] requests = IntStream.range(0, sent.length)
                .mapToObj(id -> request(id, id == 1 ? 20 : 1, id == 1 ? 1 : 3)).toArray(Request[]::new);
        DecisionTrace trace =
                DecisionTrace.of("simple:max_num_tokens=8,chunk_unit=8,chunking=" + chunking, ROOMY, sent, requests);

        assertThat(trace.steps.subList(0, 6)).containsExactly("0:0+1", "0:1+1", "0:2+1", "1:0+8", "1:8+8",
                "1:16+4 2:0+1 3:0+1 4:0+1 5:0+1");
    }

    @Test
    void generationsTakeTheirPositionsBeforePromptsAreCut() throws Exception {
        DecisionTrace trace = DecisionTrace.of("simple:max_num_tokens=4,chunking=first_come_first_served,chunk_unit=2",
                ROOMY, new long[]{0, 1_000}, request(0, 2, 4), request(1, 5, 1));

        assertThat(trace.steps).containsExactly("0:0+2", "1:0+2 0:2+1", "1:2+3 0:3+1", "0:4+1");
    }

    @Test
    void faultsNameThePromptThatWouldNeverRun() throws Exception {
        Limits limits = new Limits(8, 128, 1_000);
        SchedulerRegistry registry = SchedulerRegistry.standard();

        assertThat(registry.faults(Selection.parse("simple"), limits, 128, 500)).isEmpty();
        assertThat(registry.faults(Selection.parse("simple:chunking=equal_progress"), limits, 400, 500)).isEmpty();
        assertThat(registry.faults(Selection.parse("simple"), limits, 300, 500))
                .containsExactly("simple without chunking cannot run a prompt of 300 tokens in steps of 128;"
                        + " raise max_num_tokens or set context_chunking_policy.");
        assertThat(registry.faults(Selection.parse("simple:capacity=max_utilization"), limits, 100, 500))
                .singleElement().asString()
                .contains("may have to compute 500 tokens of a preempted request in one step of 128");
        assertThat(registry.faults(Selection.parse("simple:chunking=equal_progress,chunk_unit=200"), limits, 100, 500))
                .hasSize(1);
    }

    @Test
    void theEngineRefusesWhatTheSchedulerCouldNeverRun() throws Exception {
        DecisionTrace trace = DecisionTrace.of("simple:max_num_tokens=8", ROOMY, request(0, 9, 1), request(1, 8, 1));

        assertThat(trace.journal.ends).containsEntry(0, RequestStatus.REFUSED).containsEntry(1, RequestStatus.OK);
        assertThat(trace.journal.reasons.get(0)).startsWith("simple without chunking cannot run a prompt of 9 tokens");
    }
}
