package org.inferometer.target.http;

import org.jspecify.annotations.Nullable;

/// The content of one event of a stream.
///
/// @param hasOutput whether it carries non-empty text, reasoning or a tool call; a role alone is no output
/// @param tokenIds token ids if the server sends them; else empty
/// @param promptTokens of its usage; -1 if absent
/// @param completionTokens of its usage; -1 if absent
/// @param finishReason "length", "stop", ...; absent before the end
/// @param error message of an error event
/// @param timings the server's own times; absent in most chunks and of most servers
record Chunk(boolean hasOutput, int[] tokenIds, long promptTokens, long completionTokens, @Nullable String finishReason,
        @Nullable String error, @Nullable Timings timings) {
    /// llama-server's times of a request, in nanoseconds.
    record Timings(long prefillNanos, long decodeNanos) {}

    /// An absent count.
    static final long UNKNOWN = -1;

    /// Whether it has the number of tokens so far.
    boolean hasUsage() {
        return completionTokens != UNKNOWN;
    }
}
