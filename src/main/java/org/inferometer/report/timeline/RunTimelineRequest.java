package org.inferometer.report.timeline;

import java.util.OptionalLong;

/// One request as the timeline tells of it; instants in nanoseconds since the run's anchor, absent where the record has none.
///
/// @param request its number in the run
/// @param row the row in which it stands
/// @param warmUp whether it enters no figure
/// @param startNanos when it was sent, or what the record first knows of it
/// @param intendedNanos when it was to be sent: latencies count from there
/// @param status "ok", "failed", "cancelled", ...
/// @param reason why it ended so, or empty
public record RunTimelineRequest(int request, int row, boolean warmUp, int promptTokens, int outputTokens,
        long startNanos, OptionalLong intendedNanos, OptionalLong admittedNanos, OptionalLong prefillStartNanos,
        OptionalLong firstTokenNanos, OptionalLong lastTokenNanos, long endNanos, int preemptions, long preemptedNanos,
        String status, String reason) {

    /// Whether it ended well: only then it has latencies.
    public boolean ok() {
        return status.equals("ok");
    }

    /// What a request is doing.
    public enum State {
        /// Sent, and no step has worked on it yet.
        QUEUED,
        /// Its prompt, or what a preemption lost of it, is computed.
        PREFILL,
        /// Tokens come.
        DECODE,
        /// It lost its blocks and waits to be let in again.
        PREEMPTED,
        /// Its keys and values go to another pool.
        MOVING,
        /// Sent, without a token yet; the target does not say more.
        UNSPLIT
    }
}
