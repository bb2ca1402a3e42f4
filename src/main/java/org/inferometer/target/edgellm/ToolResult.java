package org.inferometer.target.edgellm;

import java.util.List;
import java.util.Map;

/// What a tool did for a batch, as it says itself.
///
/// @param prefillNanos time of the prefill of the whole batch
/// @param decodeNanos time from the first token of the batch to its last
/// @param shares one for each request, in order
/// @param peakBytes peaks of memory in bytes, by the tool's own names
record ToolResult(long prefillNanos, long decodeNanos, List<Share> shares, Map<String, Double> peakBytes) {
    /// What one request had of it.
    record Share(int promptTokens, int outputTokens) {}

    /// The whole.
    long nanos() {
        return prefillNanos + decodeNanos;
    }
}
