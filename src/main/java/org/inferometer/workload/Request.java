package org.inferometer.workload;

import org.jspecify.annotations.Nullable;

/// One request, drawn before the run: what is asked, how much is answered, when, and how tokens are chosen.
///
/// @param promptTokens token ids, at least one; never changed after construction
/// @param outputTokens tokens to generate, at least one; generation runs to exactly this length
/// @param patience when its sender gives it up
/// @param promptText the prompt as it was written, for targets that take text; absent where it was drawn as token ids
public record Request(RequestId id, int[] promptTokens, int outputTokens, Arrival arrival, Sampling sampling,
        RequestDeadlines patience, @Nullable String promptText) {
    /// A request of token ids that is never given up.
    public Request(RequestId id, int[] promptTokens, int outputTokens, Arrival arrival, Sampling sampling) {
        this(id, promptTokens, outputTokens, arrival, sampling, RequestDeadlines.ENDLESS, null);
    }

    /// Positions this request holds in the KV cache when it ends: its last token is never fed back.
    public int totalPositions() {
        return promptTokens.length + outputTokens - 1;
    }
}
