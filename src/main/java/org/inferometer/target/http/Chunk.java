package org.inferometer.target.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The content of one event of a stream.
///
/// @param choices parts of answers; empty in an event with usage alone
/// @param promptTokens of its usage; -1 if absent
/// @param completionTokens of its usage; -1 if absent
/// @param cachedTokens prompt tokens from the server's prefix cache; -1 if absent
/// @param error message of an error event
/// @param timings the server's own times; absent in most chunks and of most servers
record Chunk(List<Choice> choices, long promptTokens, long completionTokens, long cachedTokens, @Nullable String error,
        @Nullable Timings timings) {
    private static final int[] NO_IDS = {};

    /// A part of an answer.
    ///
    /// @param index of the answer; [AnswerCounts#NOT_KNOWN] if absent
    /// @param hasOutput whether it carries non-empty text, reasoning or a tool call; a role alone is no output
    /// @param isReasoning whether that output is reasoning alone
    /// @param tokenIds token ids if the server sends them; else empty
    /// @param finishReason "length", "stop", ...; absent before the end
    record Choice(int index, boolean hasOutput, boolean isReasoning, int[] tokenIds, @Nullable String finishReason) {}

    /// llama-server's times of a request, in nanoseconds.
    record Timings(long prefillNanos, long decodeNanos) {}

    /// An absent count.
    static final long UNKNOWN = -1;

    /// The same event without token counts.
    Chunk withoutUsage() {
        return new Chunk(choices, UNKNOWN, UNKNOWN, cachedTokens, error, timings);
    }

    /// Whether a choice has output.
    boolean hasOutput() {
        boolean any = false;
        for (Choice choice : choices) {
            any |= choice.hasOutput();
        }
        return any;
    }

    /// The token ids of the last choice; empty if absent.
    int[] tokenIds() {
        return choices.isEmpty() ? NO_IDS : choices.getLast().tokenIds();
    }

    /// The finish reason of the last choice; absent before the end.
    @Nullable
    String finishReason() {
        return choices.isEmpty() ? null : choices.getLast().finishReason();
    }

    /// The tokens so far, that of its output included; -1 if absent. Ollama sends 0 until the end.
    long countedTokens() {
        return completionTokens == 0 && hasOutput() ? UNKNOWN : completionTokens;
    }

    /// Whether it has the number of tokens so far.
    boolean hasUsage() {
        return completionTokens != UNKNOWN;
    }
}
