package org.inferometer.workload;

/// When the sender of a request gives it up, counted from the instant at which it was sent.
///
/// @param timeoutNanos after this long it has timed out; 0 for never
/// @param cancelAfterNanos after this long its user has gone away, on purpose and as drawn; 0 for never
public record Patience(long timeoutNanos, long cancelAfterNanos) {
    /// Waits for ever.
    public static final Patience ENDLESS = new Patience(0, 0);
}
