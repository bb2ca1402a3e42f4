package org.inferometer.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.inferometer.serving.TestRequests.request;

import org.inferometer.serving.EngineSetup;
import org.junit.jupiter.api.Test;

/// Each step says what it does and why, in words for people.
class ReasonsTest {
    private static final EngineSetup ROOMY = DecisionTrace.engine(2, 1_000, 8, 512);
    private static final EngineSetup TIGHT = DecisionTrace.engine(2, 4, 8, 64);

    @Test
    void paddedBatchesReportWhatTheyWaitedFor() throws Exception {
        assertThat(DecisionTrace.of("naive:batch_size=1", ROOMY, request(0, 2, 2)).reasons)
                .containsExactly("prefill 1; batch full", "decode 1; batch in progress");
        assertThat(DecisionTrace.of("naive", ROOMY, new long[]{0, 900_000_000}, request(0, 1, 1),
                request(1, 1, 1)).reasons)
                .containsExactly("prefill 1; 0.5 s since the first arrival", "prefill 1; no further arrivals");
        assertThat(DecisionTrace.of("naive", TIGHT, request(0, 6, 1), request(1, 6, 1)).reasons)
                .startsWith("prefill 1; KV pool full");
    }

    @Test
    void dynamicReportsWhichTimeoutExpired() throws Exception {
        long[] sent = {0, 20_000_000_000L};

        assertThat(DecisionTrace.of("dynamic", ROOMY, sent, request(0, 1, 1), request(1, 1, 1)).reasons)
                .startsWith("prefill 1; 0.5 s collecting");
        assertThat(DecisionTrace.of("dynamic:timeout=3", ROOMY, sent, request(0, 1, 1), request(1, 1, 1)).reasons)
                .startsWith("prefill 1; oldest request waited 2 s");
    }

    @Test
    void simpleReportsItsLimit() throws Exception {
        assertThat(DecisionTrace.of("simple", ROOMY, request(0, 2, 1)).reasons)
                .containsExactly("prefill 1; all requests fit");
        assertThat(DecisionTrace.of("simple:max_batch_size=1", ROOMY, request(0, 2, 1), request(1, 2, 1)).reasons)
                .containsExactly("prefill 1; batch full", "prefill 1; all requests fit");
        assertThat(DecisionTrace.of("simple:max_num_tokens=3", ROOMY, request(0, 2, 1), request(1, 2, 1)).reasons)
                .containsExactly("prefill 1; token limit", "prefill 1; all requests fit");
        assertThat(DecisionTrace.of("simple:max_num_tokens=3,chunking=equal_progress", ROOMY, request(0, 4, 1)).reasons)
                .startsWith("prefill 1; prompts chunked to the token limit");
        assertThat(DecisionTrace.of("simple", TIGHT, request(0, 6, 1), request(1, 6, 1)).reasons)
                .startsWith("prefill 1; KV pool full");
        assertThat(DecisionTrace.of("simple:capacity=static_batch", ROOMY, request(0, 2, 2)).reasons)
                .containsExactly("prefill 1; all requests fit", "decode 1; batch in progress");
        assertThat(
                DecisionTrace.of("simple:capacity=max_utilization", TIGHT, request(0, 4, 2), request(1, 3, 2)).reasons)
                .containsExactly("prefill 2; all requests fit", "decode 1, evict 1; KV pool full",
                        "prefill 1; all requests fit");
    }

    @Test
    void continuousReportsItsLimit() throws Exception {
        assertThat(DecisionTrace.of("continuous:tokens=3", ROOMY, request(0, 4, 1), request(1, 1, 1)).reasons)
                .containsExactly("prefill 1; token budget used", "prefill 2; all requests fit");
        assertThat(DecisionTrace.of("continuous:seqs=1", ROOMY, request(0, 1, 1), request(1, 1, 1)).reasons)
                .startsWith("prefill 1; batch full");
        assertThat(DecisionTrace.of("continuous:chunked=false,tokens=4", ROOMY, request(0, 3, 1),
                request(1, 2, 1)).reasons).startsWith("prefill 1; next prompt does not fit the step");
        assertThat(DecisionTrace.of("continuous", TIGHT, request(0, 6, 1), request(1, 6, 1)).reasons)
                .startsWith("prefill 1; KV pool full");
    }
}
