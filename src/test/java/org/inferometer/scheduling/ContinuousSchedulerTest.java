package org.inferometer.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.inferometer.serving.TestRequests.request;

import java.util.stream.IntStream;
import org.inferometer.options.Selection;
import org.inferometer.serving.EngineSetup;
import org.inferometer.workload.Arrival;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestId;
import org.inferometer.workload.Sampling;
import org.junit.jupiter.api.Test;

class ContinuousSchedulerTest {
    private static final EngineSetup ROOMY = DecisionTrace.engine(2, 1_000, 8, 512);

    @Test
    void runningRequestsTakeFromTheBudgetFirstAndPromptsAreCut() throws Exception {
        DecisionTrace trace =
                DecisionTrace.of("continuous:max_num_batched_tokens=3", ROOMY, request(0, 5, 2), request(1, 3, 1));

        assertThat(trace.steps).containsExactly("0:0+3", "0:3+2 1:0+1", "1:1+2 0:5+1");
    }

    @Test
    void withoutChunkedPrefillAPromptGoesWholeOrWaits() throws Exception {
        DecisionTrace trace = DecisionTrace.of("continuous:max_num_batched_tokens=6,enable_chunked_prefill=false",
                ROOMY, request(0, 4, 2), request(1, 3, 1), request(2, 1, 1));

        assertThat(trace.steps).containsExactly("0:0+4", "1:0+3 2:0+1 0:4+1");
    }

    @Test
    void atMostSoManySequencesRun() throws Exception {
        DecisionTrace trace = DecisionTrace.of("continuous:max_num_seqs=1", ROOMY, request(0, 1, 2), request(1, 1, 1));

        assertThat(trace.steps).containsExactly("0:0+1", "0:1+1", "1:0+1");
    }

    @Test
    void theYoungestIsPreemptedAndNobodyIsLetInDuringThatStep() throws Exception {
        // 4 blocks of 2; in the second step 0 needs a third, and of the two that 1 gives up one would be enough for 2.
        DecisionTrace trace = DecisionTrace.of("continuous", DecisionTrace.engine(2, 4, 8, 64), new long[]{0, 0, 500},
                request(0, 4, 4), request(1, 3, 2), request(2, 1, 1));

        assertThat(trace.steps).containsExactly("0:0+4 1:0+3", "0:4+1 evict 1", "0:5+1", "0:6+1", "1:0+4 2:0+1");
        assertThat(trace.journal.preemptions).containsExactly("1 lost 3");
    }

    @Test
    void aLongPromptTakesNoMoreThanItsThresholdOfAStep() throws Exception {
        DecisionTrace trace = DecisionTrace.of("continuous:long_prefill_token_threshold=2", ROOMY, request(0, 5, 1),
                request(1, 1, 1));

        assertThat(trace.steps).containsExactly("0:0+2 1:0+1", "0:2+2", "0:4+1");
    }

    @Test
    void thresholdsCutNothingWhereChunkedPrefillIsOff() throws Exception {
        DecisionTrace trace = DecisionTrace.of("continuous:long_prefill=2,chunked=false", ROOMY, request(0, 5, 1));

        assertThat(trace.steps).containsExactly("0:0+5");
    }

    @Test
    void cachedBlocksAreNotComputedButTheLastPositionIs() throws Exception {
        // Blocks of 2: of five equal tokens two blocks are cached, of six as well, because the last is always computed.
        assertThat(twice("continuous", 5).steps).containsExactly("0:0+5", "1:4+1");
        assertThat(twice("continuous", 6).steps).containsExactly("0:0+6", "1:4+2");
        assertThat(twice("continuous:prefix_caching=false", 6).steps).containsExactly("0:0+6", "1:0+6");
    }

    @Test
    void cachedPositionsCostNothingOfTheBudget() throws Exception {
        assertThat(twice("continuous:max_num_batched_tokens=3", 6).steps).containsExactly("0:0+3", "0:3+3", "1:4+2");
    }

    @Test
    void withoutChunkedPrefillOnlyWhatIsNotCachedMustFitTheStep() throws Exception {
        DecisionTrace trace = DecisionTrace.of("continuous:max_num_batched_tokens=6,chunked=false", ROOMY,
                new long[]{0, 1_500, 1_500}, same(0, 6), same(1, 6), request(2, 4, 1));

        assertThat(trace.steps).containsExactly("0:0+6", "1:4+2 2:0+4");
    }

    @Test
    void anEvictedRequestFindsWhatNobodyElseHasTakenOfItsOwn() throws Exception {
        // As in the case of the preempted youngest: 0 takes one of the two blocks of 1, the deeper one, and the other is found again.
        DecisionTrace trace =
                DecisionTrace.of("continuous", DecisionTrace.engine(2, 4, 8, 64), request(0, 4, 2), request(1, 4, 2));

        assertThat(trace.steps).containsExactly("0:0+4 1:0+4", "0:4+1 evict 1", "1:2+3");
        assertThat(trace.journal.preemptions).containsExactly("1 lost 4");
    }

    @Test
    void onlyPrefixCachingAsksForBlocksToBeKept() throws Exception {
        SchedulerRegistry registry = SchedulerRegistry.standard();

        assertThat(registry.create(Selection.of("continuous")).reusesPrefixes()).isTrue();
        assertThat(registry.create(Selection.parse("continuous:enable_prefix_caching=false")).reusesPrefixes())
                .isFalse();
    }

    @Test
    void faultsNameWhatCouldNeverBeComputedAgainInOneStep() throws Exception {
        Limits limits = new Limits(8, 128, 1_000);
        SchedulerRegistry registry = SchedulerRegistry.standard();

        assertThat(registry.faults(Selection.parse("continuous"), limits, 400, 500)).isEmpty();
        assertThat(registry.faults(Selection.parse("continuous:chunked=false"), limits, 100, 128)).isEmpty();
        assertThat(registry.faults(Selection.parse("continuous:chunked=false"), limits, 100, 129)).containsExactly(
                "continuous without chunked prefill may have to compute 129 tokens of a request in one step of 128;"
                        + " raise max_num_batched_tokens or set enable_chunked_prefill=true.");
    }

    /// The same prompt twice, the second once the first has ended.
    private static DecisionTrace twice(String scheduler, int promptTokens) throws Exception {
        return DecisionTrace.of(scheduler, ROOMY, new long[]{0, 5_000}, same(0, promptTokens), same(1, promptTokens));
    }

    private static Request same(int id, int promptTokens) {
        int[] prompt = IntStream.range(0, promptTokens).toArray();
        return new Request(new RequestId(id), prompt, 1, new Arrival.At(0), Sampling.GREEDY);
    }
}
