package org.inferometer.ui.bench;

/// The clock of a run as this process sees it: a message is never received before it was sent, so the smallest difference of
/// all messages is the best estimate. Late by the shortest transfer of a message, usually below a millisecond.
///
/// Not thread-safe; [LiveRecorder] guards it.
final class RunClock {
    private long offset = Long.MAX_VALUE;

    /// A message was received.
    ///
    /// @param sentNanos since the run's anchor
    /// @param nowNanos of this process
    void received(long sentNanos, long nowNanos) {
        offset = Math.min(offset, nowNanos - sentNanos);
    }

    /// Whether a message was received.
    boolean isKnown() {
        return offset != Long.MAX_VALUE;
    }

    /// Nanoseconds since the run's anchor.
    long at(long nowNanos) {
        return nowNanos - offset;
    }

    /// Forgets everything for the next run.
    void reset() {
        offset = Long.MAX_VALUE;
    }
}
