package org.inferometer.workload;

/// How long senders wait: every request may have a timeout, and a share of them is given up on purpose.
///
/// @param timeoutNanos after sending, for every request; 0 for never
/// @param cancelRate fraction of requests that are given up, 0 to 1
/// @param cancelAfter when they are given up, after sending
public record DeadlineDistribution(long timeoutNanos, double cancelRate, TimeDistribution cancelAfter) {
    /// Waits for ever.
    public static final DeadlineDistribution ENDLESS = new DeadlineDistribution(0, 0, TimeDistribution.NONE);
}
