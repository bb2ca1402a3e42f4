package org.inferometer.measurement;

import org.inferometer.serving.RequestStatus;
import org.inferometer.workload.RequestId;

/// The instants of one request, in nanoseconds since the run's anchor; everything about latency is derived from these.
///
/// @param warmUp whether it belongs to the warm-up, which enters no figure
/// @param admittedNanos absent (ABSENT) where the target cannot say
/// @param tokenNanos `[tokens]` the instant of each output token, ascending; empty when none arrived
public record RequestOutcome(
        RequestId id,
        boolean warmUp,
        int promptTokens,
        int askedOutputTokens,
        long intendedNanos,
        long sentNanos,
        long admittedNanos,
        long prefillStartNanos,
        long endNanos,
        RequestStatus status,
        String reason,
        long[] tokenNanos) {

    /// Marks an instant that does not exist; it is never shown and never enters a figure.
    public static final long ABSENT = Long.MIN_VALUE;

    /// Output tokens that arrived.
    public int outputTokens() {
        return tokenNanos.length;
    }

    /// Whether it ended well.
    public boolean ok() {
        return status == RequestStatus.OK;
    }

    /// The first token's instant, or ABSENT.
    public long firstTokenNanos() {
        return tokenNanos.length == 0 ? ABSENT : tokenNanos[0];
    }

    /// The last token's instant, or ABSENT.
    public long lastTokenNanos() {
        return tokenNanos.length == 0 ? ABSENT : tokenNanos[tokenNanos.length - 1];
    }
}
