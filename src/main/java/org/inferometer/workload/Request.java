package org.inferometer.workload;

import org.jspecify.annotations.Nullable;

/// One request, drawn before the run: prompt, stop rule, arrival, sampling and deadlines.
///
/// @param promptTokens token ids, at least one; never changed after construction
/// @param stop when its generation ends
/// @param deadlines when its client stops waiting
/// @param promptText the prompt as text, for targets that take text; absent if it was drawn as token ids
public record Request(RequestId id, int[] promptTokens, StopRule stop, Arrival arrival, Sampling sampling,
        RequestDeadlines deadlines, @Nullable String promptText) {
    /// A request of token ids with a fixed output length and no deadline.
    public Request(RequestId id, int[] promptTokens, int outputTokens, Arrival arrival, Sampling sampling) {
        this(id, promptTokens, StopRule.length(outputTokens), arrival, sampling, RequestDeadlines.NONE, null);
    }

    /// The most tokens of each answer.
    public int outputTokens() {
        return stop.maxTokens();
    }

    /// The most tokens that all its answers have together.
    public int allOutputTokens() {
        return (int) Math.min(Integer.MAX_VALUE, (long) outputTokens() * sampling.answers());
    }

    /// The most positions that it holds in the KV cache: its last token is never fed back.
    public int totalPositions() {
        return promptTokens.length + outputTokens() - 1;
    }
}
