package org.inferometer.record;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What inference servers publish of themselves, under the names of vLLM, SGLang, trtllm-serve and llama-server.
public enum ServerQuantity {
    /// Time until a request is scheduled.
    QUEUE_TIME(Kind.REQUEST_SECONDS, "vllm:request_queue_time_seconds", "sglang:queue_time_seconds",
            "trtllm_request_queue_time_seconds"),
    /// Time from there to the first token.
    PREFILL_TIME(Kind.REQUEST_SECONDS, "vllm:request_prefill_time_seconds", "trtllm_request_prefill_time_seconds"),
    /// Time from there to the last token.
    DECODE_TIME(Kind.REQUEST_SECONDS, "vllm:request_decode_time_seconds", "trtllm_request_decode_time_seconds"),
    /// Time to the first token by the server's own clock.
    TTFT(Kind.REQUEST_SECONDS, "vllm:time_to_first_token_seconds", "sglang:time_to_first_token_seconds",
            "trtllm_time_to_first_token_seconds"),
    /// Time to the last token by the server's own clock.
    E2E(Kind.REQUEST_SECONDS, "vllm:e2e_request_latency_seconds", "sglang:e2e_request_latency_seconds",
            "trtllm_e2e_request_latency_seconds"),
    /// Requests that are computed.
    RUNNING(Kind.LEVEL, "vllm:num_requests_running", "sglang:num_running_reqs", "trtllm_num_requests_running",
            "llamacpp:requests_processing"),
    /// Requests that wait.
    WAITING(Kind.LEVEL, "vllm:num_requests_waiting", "sglang:num_queue_reqs", "trtllm_num_requests_waiting",
            "llamacpp:requests_deferred"),
    /// Share of the KV cache in use.
    KV_USE(Kind.SHARE, "vllm:kv_cache_usage_perc", "vllm:gpu_cache_usage_perc", "sglang:token_usage",
            "trtllm_kv_cache_utilization", "llamacpp:kv_cache_usage_ratio"),
    /// Requests that lost their KV blocks.
    PREEMPTIONS(Kind.COUNTER, "vllm:num_preemptions_total", "vllm:num_preemptions"),
    /// Tokens that a speculating server drafted, and those of them that it took.
    DRAFTED(Kind.COUNTER, "vllm:spec_decode_num_draft_tokens_total"),
    ACCEPTED(Kind.COUNTER, "vllm:spec_decode_num_accepted_tokens_total");

    private final Kind kind;
    private final List<String> names;

    /// How a server counts it.
    public enum Kind {
        /// A histogram of one value a request: `NAME_sum` in seconds and `NAME_count`.
        REQUEST_SECONDS,
        /// A number now; replicas add up.
        LEVEL,
        /// A share now, from 0 to 1, of each replica.
        SHARE,
        /// A number that only rises.
        COUNTER
    }

    ServerQuantity(Kind kind, String... names) {
        this.kind = kind;
        this.names = List.of(names);
    }

    public Kind kind() {
        return kind;
    }

    /// Its names, the preferred first; of a histogram without `_sum` and `_count`.
    public List<String> names() {
        return names;
    }

    /// Every series that these quantities are read from.
    public static Set<String> series() {
        return Arrays.stream(values())
                .flatMap(each -> each.names.stream().flatMap(name -> each.kind != Kind.REQUEST_SECONDS
                        ? Stream.of(name) : Stream.of(name + "_sum", name + "_count")))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
