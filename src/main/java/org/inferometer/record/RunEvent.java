package org.inferometer.record;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.scheduling.LaneId;
import org.inferometer.scheduling.PoolId;
import org.inferometer.workload.RequestId;

/// An event of a run beside its requests and steps: one line of `events.jsonl`. Instants are nanoseconds since the run's anchor.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "event")
@JsonSubTypes({@JsonSubTypes.Type(value = RunEvent.PhaseStarted.class, name = "phase_started"),
        @JsonSubTypes.Type(value = RunEvent.Note.class, name = "note"),
        @JsonSubTypes.Type(value = RunEvent.Admitted.class, name = "admitted"),
        @JsonSubTypes.Type(value = RunEvent.Preempted.class, name = "preempted"),
        @JsonSubTypes.Type(value = RunEvent.KvTransferred.class, name = "kv_transferred"),
        @JsonSubTypes.Type(value = RunEvent.Gauge.class, name = "gauge"),
        @JsonSubTypes.Type(value = RunEvent.HistogramGrew.class, name = "histogram"),
        @JsonSubTypes.Type(value = RunEvent.MemoryPeak.class, name = "memory_peak"),
        @JsonSubTypes.Type(value = RunEvent.TokenCountsContradicted.class, name = "token_counts_contradicted"),
        @JsonSubTypes.Type(value = RunEvent.ReportedTimes.class, name = "reported_times"),
        @JsonSubTypes.Type(value = RunEvent.CachedPrompt.class, name = "cached_prompt"),
        @JsonSubTypes.Type(value = RunEvent.PromptTexts.class, name = "prompt_texts"),
        @JsonSubTypes.Type(value = RunEvent.RequestText.class, name = "request_text"),
        @JsonSubTypes.Type(value = RunEvent.RequestVariant.class, name = "request_variant"),
        @JsonSubTypes.Type(value = RunEvent.TargetMessage.class, name = "target_message"),
        @JsonSubTypes.Type(value = RunEvent.EngineFailed.class, name = "engine_failed"),
        @JsonSubTypes.Type(value = RunEvent.ImportNote.class, name = "import_note")})
public sealed interface RunEvent {
    /// The instant of the event; of a transfer, its end.
    long nanos();

    /// A phase of the run began.
    ///
    /// @param requests requests of the phase; 0 where its duration ends it
    /// @param durationNanos nothing is sent after this time; 0 where its requests end it
    record PhaseStarted(@JsonProperty("nanos") long nanos, @JsonProperty("phase") Phase phase,
            @JsonProperty("requests") int requests,
            @JsonProperty("durationNanos") long durationNanos) implements RunEvent {}

    /// A remark about a phase, one sentence.
    record Note(@JsonProperty("nanos") long nanos, @JsonProperty("phase") Phase phase,
            @JsonProperty("text") String text) implements RunEvent {}

    /// A waiting request was admitted and holds KV blocks from now on.
    ///
    /// @param again whether it was admitted before and preempted
    /// @param cachedPositions positions at its start found in the prefix cache
    record Admitted(@JsonProperty("nanos") long nanos, @JsonProperty("request") RequestId request,
            @JsonProperty("lane") LaneId lane, @JsonProperty("again") boolean again,
            @JsonProperty("cachedPositions") int cachedPositions) implements RunEvent {}

    /// A running request lost its KV blocks.
    ///
    /// @param lostPositions computed positions that must be computed again
    record Preempted(@JsonProperty("nanos") long nanos, @JsonProperty("request") RequestId request,
            @JsonProperty("lostPositions") int lostPositions) implements RunEvent {}

    /// The keys and values of a request were copied from one pool to another.
    record KvTransferred(@JsonProperty("nanos") long nanos, @JsonProperty("request") RequestId request,
            @JsonProperty("from") PoolId from, @JsonProperty("to") PoolId to, @JsonProperty("positions") int positions,
            @JsonProperty("bytes") long bytes, @JsonProperty("durationNanos") long durationNanos) implements RunEvent {}

    /// A reading of one of the target's own gauges.
    ///
    /// @param name the target's name of it: "vllm:num_requests_running"
    /// @param value may be NaN
    record Gauge(@JsonProperty("nanos") long nanos, @JsonProperty("name") String name,
            @JsonProperty("value") double value) implements RunEvent {
        /// Host memory of all processes of a server that this program started, bytes.
        public static final String SERVER_MEMORY = "server:memory_bytes";
        /// GPU memory of the same processes, bytes.
        public static final String SERVER_GPU_MEMORY = "server:gpu_memory_bytes";

        /// The name without the replica or GPU.
        public String series() {
            int replica = name.indexOf('{');
            return replica < 0 ? name : name.substring(0, replica);
        }
    }

    /// What a histogram of the target counted since its last reading.
    ///
    /// @param name the target's name of it: "vllm:time_to_first_token_seconds"
    /// @param first whether these are all its counts, not those since a reading: it was read first, or began at 0 again
    /// @param added values in each bucket alone by its upper end, which may be infinite: of all buckets first, then of those that grew
    record HistogramGrew(@JsonProperty("nanos") long nanos, @JsonProperty("name") String name,
            @JsonProperty("first") boolean first,
            @JsonProperty("added") SortedMap<Double, Long> added) implements RunEvent {
        /// The most buckets of a histogram.
        public static final int MOST_BUCKETS = 128;
    }

    /// The greatest memory of a process of the target, as the target reports it.
    ///
    /// @param ofHost true for host memory; false for GPU memory, or memory that both share
    record MemoryPeak(@JsonProperty("nanos") long nanos, @JsonProperty("ofHost") boolean ofHost,
            @JsonProperty("bytes") double bytes) implements RunEvent {}

    /// The token counts of a server contradict what arrived.
    ///
    /// @param countedTokens output tokens that the server counts
    /// @param seenTokens output tokens that its events hold: at least, or exactly if all ids arrived
    record TokenCountsContradicted(@JsonProperty("nanos") long nanos, @JsonProperty("request") RequestId request,
            @JsonProperty("countedTokens") int countedTokens,
            @JsonProperty("seenTokens") int seenTokens) implements RunEvent {}

    /// The times of a request by the target's own clock.
    ///
    /// @param prefillNanos time of its prompt; decodeNanos time of its output
    record ReportedTimes(@JsonProperty("nanos") long nanos, @JsonProperty("request") RequestId request,
            @JsonProperty("prefillNanos") long prefillNanos,
            @JsonProperty("decodeNanos") long decodeNanos) implements RunEvent {}

    /// A server took a part of a prompt from its prefix cache.
    ///
    /// @param cachedTokens prompt tokens that it counts as cached, maybe 0
    record CachedPrompt(@JsonProperty("nanos") long nanos, @JsonProperty("request") RequestId request,
            @JsonProperty("cachedTokens") int cachedTokens) implements RunEvent {}

    /// The measured prompts are texts of a file.
    ///
    /// @param different how many of them differ
    record PromptTexts(@JsonProperty("nanos") long nanos,
            @JsonProperty("different") int different) implements RunEvent {}

    /// Prompt and answer of an ended request, where the experiment keeps texts.
    ///
    /// @param prompt empty if the target got token ids
    record RequestText(@JsonProperty("nanos") long nanos, @JsonProperty("request") RequestId request,
            @JsonProperty("prompt") String prompt, @JsonProperty("answer") String answer) implements RunEvent {}

    /// A request is of a kind of the target's mix.
    ///
    /// @param variant the kind's name: "sql"
    record RequestVariant(@JsonProperty("nanos") long nanos, @JsonProperty("request") RequestId request,
            @JsonProperty("variant") String variant) implements RunEvent {}

    /// A message of the target, one sentence.
    record TargetMessage(@JsonProperty("nanos") long nanos, @JsonProperty("text") String text) implements RunEvent {}

    /// The engine could not go on.
    ///
    /// @param reason one sentence
    record EngineFailed(@JsonProperty("nanos") long nanos, @JsonProperty("reason") String reason) implements RunEvent {}

    /// A remark about a run that was imported from another tool's file, one sentence.
    record ImportNote(@JsonProperty("nanos") long nanos, @JsonProperty("tool") String tool,
            @JsonProperty("text") String text) implements RunEvent {}

    /// What an exporter publishes of GPUs; a gauge of each GPU: "gpu:power_watts{gpu=0}".
    enum GpuQuantity {
        /// Power, in watts.
        POWER("gpu:power_watts"),
        /// Energy since some instant, in joules.
        ENERGY("gpu:energy_joules"),
        /// Memory in use, in bytes.
        MEMORY("gpu:memory_bytes"),
        /// Share of the time in which a kernel ran, in per cent.
        USE("gpu:use_percent");

        private final String gauge;

        GpuQuantity(String gauge) {
            this.gauge = gauge;
        }

        /// The name of its gauge, without the GPU.
        public String gauge() {
            return gauge;
        }
    }

    /// What inference servers publish of themselves, under the names of vLLM, SGLang, trtllm-serve and llama-server.
    enum ServerQuantity {
        /// Time until a request is scheduled.
        QUEUE_TIME(true, "vllm:request_queue_time_seconds", "sglang:queue_time_seconds",
                "trtllm_request_queue_time_seconds"),
        /// Time from there to the first token.
        PREFILL_TIME(true, "vllm:request_prefill_time_seconds", "trtllm_request_prefill_time_seconds"),
        /// Time from there to the last token.
        DECODE_TIME(true, "vllm:request_decode_time_seconds", "trtllm_request_decode_time_seconds"),
        /// Time to the first token by the server's own clock.
        TTFT(true, "vllm:time_to_first_token_seconds", "sglang:time_to_first_token_seconds",
                "trtllm_time_to_first_token_seconds"),
        /// Time to the last token by the server's own clock.
        E2E(true, "vllm:e2e_request_latency_seconds", "sglang:e2e_request_latency_seconds",
                "trtllm_e2e_request_latency_seconds"),
        /// Time from a token to the next.
        INTER_TOKEN(true, "vllm:inter_token_latency_seconds", "vllm:time_per_output_token_seconds",
                "sglang:inter_token_latency_seconds"),
        /// Requests that are computed.
        RUNNING(false, "vllm:num_requests_running", "sglang:num_running_reqs", "trtllm_num_requests_running",
                "llamacpp:requests_processing"),
        /// Requests that wait.
        WAITING(false, "vllm:num_requests_waiting", "sglang:num_queue_reqs", "trtllm_num_requests_waiting",
                "llamacpp:requests_deferred"),
        /// Share of the KV cache in use.
        KV_USE(false, "vllm:kv_cache_usage_perc", "vllm:gpu_cache_usage_perc", "sglang:token_usage",
                "trtllm_kv_cache_utilization", "llamacpp:kv_cache_usage_ratio"),
        /// Requests that lost their KV blocks.
        PREEMPTIONS(false, "vllm:num_preemptions_total", "vllm:num_preemptions"),
        /// Tokens that a speculating server drafted, and those of them that it took.
        DRAFTED(false, "vllm:spec_decode_num_draft_tokens_total"),
        ACCEPTED(false, "vllm:spec_decode_num_accepted_tokens_total");

        private final boolean histogram;
        private final List<String> names;

        /// @param histogram whether it is a histogram of times, in seconds
        ServerQuantity(boolean histogram, String... names) {
            this.histogram = histogram;
            this.names = List.of(names);
        }

        /// Its names, the preferred first; of a histogram without `_sum` and `_count`.
        public List<String> names() {
            return names;
        }

        /// Every series that these quantities are read from.
        public static Set<String> series() {
            return Arrays.stream(values())
                    .flatMap(each -> each.names.stream().flatMap(
                            name -> !each.histogram ? Stream.of(name) : Stream.of(name + "_sum", name + "_count")))
                    .collect(Collectors.toCollection(TreeSet::new));
        }

        /// Every histogram that these quantities are read from.
        public static Set<String> histograms() {
            return Arrays.stream(values()).filter(each -> each.histogram).flatMap(each -> each.names.stream())
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }
}
