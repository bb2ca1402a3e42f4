package org.inferometer.workload.trace;

/// One recorded request.
public sealed interface TraceRow {
    /// A request of which only lengths are public.
    ///
    /// @param line where it stands in its file
    /// @param atNanos when it came, since the first request of the file
    /// @param promptTokens 0 or more
    /// @param outputTokens 0 or more; 0 where the recorded request failed
    /// @param blockIds `[ceil(promptTokens / 512)]` equal ids stand for equal tokens; empty where the trace has none; not to be changed
    /// @param model as the trace names it; empty where it does not
    record Lengths(long line, long atNanos, int promptTokens, int outputTokens, long[] blockIds,
            String model) implements TraceRow {
        /// Tokens that one block id stands for.
        public static final int BLOCK_TOKENS = 512;
    }

    /// A conversation's first two turns, as text.
    ///
    /// @param entry counts the conversations of the file from 1
    /// @param prompt what was asked; empty where the conversation has no such turn
    /// @param answer what was answered; empty where the conversation has no such turn
    record Turns(long entry, String prompt, String answer) implements TraceRow {}
}
