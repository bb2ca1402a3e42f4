package org.inferometer.workload;

/// When the sender of a request gives it up, counted from the instant at which it was sent.
///
/// @param timeoutNanos after this long it has timed out; 0 for never
/// @param cancelAfterNanos after this long its user has gone away, on purpose and as drawn; 0 for never
public record RequestDeadlines(long timeoutNanos, long cancelAfterNanos) {
    /// Waits for ever.
    public static final RequestDeadlines ENDLESS = new RequestDeadlines(0, 0);

    /// How the reason begins of a request that was given up on purpose: it is cancelled, and no failure.
    public static final String ON_PURPOSE = "Given up on purpose";

    /// Why a request is given up.
    public enum Cause {
        /// It is not, yet.
        NONE,
        /// Its answer took longer than its sender accepts: a failure of the target.
        TIMEOUT,
        /// Its user went away, as drawn: no failure.
        ON_PURPOSE
    }

    /// When it is given up, after sending; [Long#MAX_VALUE] for never.
    public long nanos() {
        return Math.min(orNever(timeoutNanos), orNever(cancelAfterNanos));
    }

    /// Why it is given up, this long after it was sent; the user who goes away at the very timeout goes on purpose.
    public Cause cause(long waitedNanos) {
        if (waitedNanos < nanos()) {
            return Cause.NONE;
        }
        return orNever(cancelAfterNanos) <= orNever(timeoutNanos) ? Cause.ON_PURPOSE : Cause.TIMEOUT;
    }

    private static long orNever(long nanos) {
        return nanos == 0 ? Long.MAX_VALUE : nanos;
    }
}
