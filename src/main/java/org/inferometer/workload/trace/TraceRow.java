package org.inferometer.workload.trace;

/// One recorded request.
public sealed interface TraceRow {
    /// A request with the length of its answer, and an instant if its trace has instants.
    sealed interface Single extends TraceRow {
        /// Arrival since the first request of the file; 0 if the trace has no instants.
        long atNanos();

        /// 0 or more; 0 where the recorded request failed.
        int outputTokens();
    }

    /// A request of which only the lengths are published.
    ///
    /// @param line of its file
    /// @param promptTokens 0 or more
    /// @param blockIds `[ceil(promptTokens / blockTokens)]` or more; equal ids mean equal tokens; empty if the trace has none; not to be
    ///     changed
    /// @param blockTokens tokens of one id
    /// @param model as the trace names it; empty if it does not
    record Lengths(long line, long atNanos, int promptTokens, int outputTokens, long[] blockIds, int blockTokens,
            String model) implements Single {}

    /// A later turn of the session of the row before: its prompt follows what was said.
    ///
    /// @param added the new part of the prompt, at the instant of the session's first turn
    /// @param delayNanos after the end of the turn before
    record LaterTurn(Lengths added, long delayNanos) implements Single {
        @Override
        public long atNanos() {
            return added.atNanos();
        }

        @Override
        public int outputTokens() {
            return added.outputTokens();
        }
    }

    /// A request whose prompt is published as text.
    ///
    /// @param line of its file
    record Text(long line, long atNanos, String prompt, int outputTokens) implements Single {}

    /// A question and its answer in a conversation, as text.
    ///
    /// @param entry counts the conversations of the file from 1
    /// @param prompt first message of a person; empty if there is none
    /// @param answer to it; empty if there is none
    record Turns(long entry, String prompt, String answer) implements TraceRow {}
}
