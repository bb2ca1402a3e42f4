package org.inferometer.target.http;

import org.jspecify.annotations.Nullable;

/// What one event of a stream says.
///
/// @param hasOutput whether it carries text, reasoning or a tool call that is not empty; a role alone is no output
/// @param tokenIds ids of the tokens it holds, where the server tells them; else empty
/// @param promptTokens of its usage; -1 where it has none
/// @param completionTokens of its usage; -1 where it has none
/// @param finishReason "length", "stop", ...; absent before the end
/// @param error what went wrong, where the event is an error
record Chunk(boolean hasOutput, int[] tokenIds, long promptTokens, long completionTokens, @Nullable String finishReason,
        @Nullable String error) {
    /// Marks a count that the event does not have.
    static final long UNKNOWN = -1;

    /// Whether it says how many tokens there are by now.
    boolean hasUsage() {
        return completionTokens != UNKNOWN;
    }
}
