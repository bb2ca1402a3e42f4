package org.inferometer.report.timeline;

import java.util.OptionalLong;

/// One request of the timeline; instants in nanoseconds since the run's anchor, absent if not recorded.
///
/// @param request its number in the run
/// @param row its row
/// @param warmUp whether it is a warm-up request
/// @param startNanos when it was sent, or its first recorded instant
/// @param intendedNanos intended send time
/// @param status "ok", "failed", "cancelled", ...
/// @param reason of the status, or empty
public record RunTimelineRequest(int request, int row, boolean warmUp, int promptTokens, int outputTokens,
        long startNanos, OptionalLong intendedNanos, OptionalLong prefillStartNanos, OptionalLong firstTokenNanos,
        OptionalLong lastTokenNanos, long endNanos, int preemptions, long preemptedNanos, String status,
        String reason) {

    /// Whether it ended ok; otherwise it has no latencies.
    public boolean ok() {
        return status.equals("ok");
    }

    /// Last token − intended send time; absent for a request that did not end ok.
    public OptionalLong endToEndNanos() {
        return ok() && intendedNanos.isPresent() && lastTokenNanos.isPresent()
                ? OptionalLong.of(lastTokenNanos.getAsLong() - intendedNanos.getAsLong()) : OptionalLong.empty();
    }

    /// The state of a request.
    public enum State {
        /// Sent, before its first step.
        QUEUED,
        /// Its prompt is computed, or recomputed after a preemption.
        PREFILL,
        /// Tokens are generated.
        DECODE,
        /// Preempted, before readmission.
        PREEMPTED,
        /// Its KV blocks are copied to another pool.
        MOVING,
        /// Sent, without a token; the target does not report queue and prefill.
        UNSPLIT
    }
}
