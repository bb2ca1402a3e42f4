package org.inferometer.target.edgellm;

import java.util.List;
import java.util.Map;

/// The result of a batch, as reported by the tool.
///
/// @param prefillNanos prefill of the whole batch
/// @param decodeNanos from the first token of the batch to its last
/// @param requests token counts of each request, in order
/// @param peakBytes memory peaks in bytes, by the tool's names
/// @param speculation counts of speculative decoding, by the tool's names
record ToolResult(long prefillNanos, long decodeNanos, List<RequestTokens> requests, Map<String, Double> peakBytes,
        Map<String, Double> speculation) {
    /// A result without speculative decoding.
    ToolResult(long prefillNanos, long decodeNanos, List<RequestTokens> requests, Map<String, Double> peakBytes) {
        this(prefillNanos, decodeNanos, requests, peakBytes, Map.of());
    }

    /// The token counts of one request.
    record RequestTokens(int promptTokens, int outputTokens) {}

    /// The whole.
    long nanos() {
        return prefillNanos + decodeNanos;
    }
}
