package org.inferometer.workload.trace;

/// One recorded request.
public sealed interface TraceRow {
    /// A request of which only the lengths are published.
    ///
    /// @param line of its file
    /// @param atNanos arrival since the first request of the file
    /// @param promptTokens 0 or more
    /// @param outputTokens 0 or more; 0 where the recorded request failed
    /// @param blockIds `[ceil(promptTokens / 512)]` equal ids mean equal tokens; empty if the trace has none; not to be
    ///     changed
    /// @param model as the trace names it; empty if it does not
    record Lengths(long line, long atNanos, int promptTokens, int outputTokens, long[] blockIds,
            String model) implements TraceRow {
        /// Tokens of one block id.
        public static final int BLOCK_TOKENS = 512;
    }

    /// The first two turns of a conversation, as text.
    ///
    /// @param entry counts the conversations of the file from 1
    /// @param prompt first turn; empty if there is none
    /// @param answer second turn; empty if there is none
    record Turns(long entry, String prompt, String answer) implements TraceRow {}
}
