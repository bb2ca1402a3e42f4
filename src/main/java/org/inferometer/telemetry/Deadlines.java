package org.inferometer.telemetry;

/// Absolute deadlines a period apart. A late sample does not move later deadlines; a deadline passed by a whole period is missed.
final class Deadlines {
    private final long periodNanos;
    private long nextNanos;
    private long missed;

    Deadlines(long startNanos, long periodNanos) {
        this.nextNanos = startNanos;
        this.periodNanos = periodNanos;
    }

    /// The next deadline.
    long nextNanos() {
        return nextNanos;
    }

    /// Advances to the first deadline after `nowNanos` and counts the skipped ones.
    void advance(long nowNanos) {
        long skipped = overdue(nowNanos);
        missed += skipped;
        nextNanos += (skipped + 1) * periodNanos;
    }

    /// The deadlines that [#advance] would count as missed now.
    long overdue(long nowNanos) {
        return Math.max(0, (nowNanos - nextNanos) / periodNanos);
    }

    /// Missed deadlines so far.
    long missed() {
        return missed;
    }
}
