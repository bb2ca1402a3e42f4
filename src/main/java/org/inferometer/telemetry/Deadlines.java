package org.inferometer.telemetry;

/// Absolute deadlines a period apart: what comes late does not move those after it, and what is a whole period late is missed.
final class Deadlines {
    private final long periodNanos;
    private long nextNanos;
    private long missed;

    Deadlines(long startNanos, long periodNanos) {
        this.nextNanos = startNanos;
        this.periodNanos = periodNanos;
    }

    /// The deadline that is waited for.
    long nextNanos() {
        return nextNanos;
    }

    /// Moves on to the first deadline after `nowNanos` and counts those that were skipped.
    void advance(long nowNanos) {
        long skipped = overdue(nowNanos);
        missed += skipped;
        nextNanos += (skipped + 1) * periodNanos;
    }

    /// How many deadlines passed a whole period before `nowNanos` and were not advanced over yet: what [#advance] would count now.
    long overdue(long nowNanos) {
        return Math.max(0, (nowNanos - nextNanos) / periodNanos);
    }

    /// How many deadlines passed without anyone there.
    long missed() {
        return missed;
    }
}
