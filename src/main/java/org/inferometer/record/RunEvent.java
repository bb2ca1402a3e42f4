package org.inferometer.record;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
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
        @JsonSubTypes.Type(value = RunEvent.MemoryPeak.class, name = "memory_peak"),
        @JsonSubTypes.Type(value = RunEvent.TokenCountsContradicted.class, name = "token_counts_contradicted"),
        @JsonSubTypes.Type(value = RunEvent.ReportedTimes.class, name = "reported_times"),
        @JsonSubTypes.Type(value = RunEvent.CachedPrompt.class, name = "cached_prompt"),
        @JsonSubTypes.Type(value = RunEvent.PromptTexts.class, name = "prompt_texts"),
        @JsonSubTypes.Type(value = RunEvent.RequestText.class, name = "request_text"),
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

    /// A message of the target, one sentence.
    record TargetMessage(@JsonProperty("nanos") long nanos, @JsonProperty("text") String text) implements RunEvent {}

    /// The engine could not go on.
    ///
    /// @param reason one sentence
    record EngineFailed(@JsonProperty("nanos") long nanos, @JsonProperty("reason") String reason) implements RunEvent {}

    /// A remark about a run that was imported from another tool's file, one sentence.
    record ImportNote(@JsonProperty("nanos") long nanos, @JsonProperty("tool") String tool,
            @JsonProperty("text") String text) implements RunEvent {}
}
