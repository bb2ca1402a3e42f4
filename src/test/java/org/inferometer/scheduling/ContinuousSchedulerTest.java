package org.inferometer.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.inferometer.serving.Loads.request;

import org.inferometer.options.Selection;
import org.inferometer.serving.EngineSetup;
import org.junit.jupiter.api.Test;

class ContinuousSchedulerTest {
    private static final EngineSetup ROOMY = Trace.engine(2, 1_000, 8, 512);

    @Test
    void runningRequestsTakeFromTheBudgetFirstAndPromptsAreCut() throws Exception {
        Trace trace = Trace.of("continuous:max_num_batched_tokens=3", ROOMY, request(0, 5, 2), request(1, 3, 1));

        assertThat(trace.steps).containsExactly("0:0+3", "0:3+2 1:0+1", "1:1+2 0:5+1");
    }

    @Test
    void withoutChunkedPrefillAPromptGoesWholeOrWaits() throws Exception {
        Trace trace = Trace.of(
                "continuous:max_num_batched_tokens=6,enable_chunked_prefill=false",
                ROOMY,
                request(0, 4, 2),
                request(1, 3, 1),
                request(2, 1, 1));

        assertThat(trace.steps).containsExactly("0:0+4", "1:0+3 2:0+1 0:4+1");
    }

    @Test
    void atMostSoManySequencesRun() throws Exception {
        Trace trace = Trace.of("continuous:max_num_seqs=1", ROOMY, request(0, 1, 2), request(1, 1, 1));

        assertThat(trace.steps).containsExactly("0:0+1", "0:1+1", "1:0+1");
    }

    @Test
    void theYoungestIsPreemptedAndNobodyIsLetInDuringThatStep() throws Exception {
        // 4 blocks of 2; in the second step 0 needs a third, and of the two that 1 gives up one would be enough for 2.
        Trace trace = Trace.of(
                "continuous", Trace.engine(2, 4, 8, 64), new long[] {0, 0, 500}, request(0, 4, 4), request(1, 3, 2), request(2, 1, 1));

        assertThat(trace.steps).containsExactly("0:0+4 1:0+3", "0:4+1 evict 1", "0:5+1", "0:6+1", "1:0+4 2:0+1");
        assertThat(trace.journal.preemptions).containsExactly("1 lost 3");
    }

    @Test
    void faultsNameWhatCouldNeverBeComputedAgainInOneStep() throws Exception {
        Limits limits = new Limits(8, 128, 1_000);
        SchedulerRegistry registry = SchedulerRegistry.standard();

        assertThat(registry.faults(Selection.parse("continuous"), limits, 400, 500)).isEmpty();
        assertThat(registry.faults(Selection.parse("continuous:chunked=false"), limits, 100, 128)).isEmpty();
        assertThat(registry.faults(Selection.parse("continuous:chunked=false"), limits, 100, 129))
                .containsExactly("continuous without chunked prefill may have to compute 129 tokens of a request in one step of 128;"
                        + " raise max_num_batched_tokens or set enable_chunked_prefill=true.");
    }
}
