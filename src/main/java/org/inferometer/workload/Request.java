package org.inferometer.workload;

/// One request, drawn before the run: what is asked, how much is answered, when, and how tokens are chosen.
///
/// @param promptTokens token ids, at least one; never changed after construction
/// @param outputTokens tokens to generate, at least one; generation runs to exactly this length
public record Request(RequestId id, int[] promptTokens, int outputTokens, Arrival arrival, Sampling sampling) {
    /// Positions this request holds in the KV cache when it ends: its last token is never fed back.
    public int totalPositions() {
        return promptTokens.length + outputTokens - 1;
    }
}
