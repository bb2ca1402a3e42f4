package org.inferometer.workload;

/// When the client of a request stops waiting, counted from sending.
///
/// @param timeoutNanos the request times out after this long; 0 for never
/// @param cancelAfterNanos the user goes away after this long, as drawn; 0 for never
public record RequestDeadlines(long timeoutNanos, long cancelAfterNanos) {
    /// The client waits for ever.
    public static final RequestDeadlines NONE = new RequestDeadlines(0, 0);

    /// Why the client stops waiting.
    public enum Cause {
        /// It still waits.
        NONE,
        /// The response took longer than the timeout: a failure of the target.
        TIMEOUT,
        /// The user went away, as drawn: no failure.
        GAVE_UP
    }

    /// The earlier deadline, after sending; [Long#MAX_VALUE] for none.
    public long nanos() {
        return Math.min(orNever(timeoutNanos), orNever(cancelAfterNanos));
    }

    /// Why the client stops waiting this long after sending; if both deadlines coincide, the user gave up.
    public Cause cause(long waitedNanos) {
        if (waitedNanos < nanos()) {
            return Cause.NONE;
        }
        return orNever(cancelAfterNanos) <= orNever(timeoutNanos) ? Cause.GAVE_UP : Cause.TIMEOUT;
    }

    private static long orNever(long nanos) {
        return nanos == 0 ? Long.MAX_VALUE : nanos;
    }
}
