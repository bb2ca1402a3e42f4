package org.inferometer.measurement;

/// What a run was to do, as far as its verdict needs it.
///
/// @param requests measured requests that were asked for
/// @param shortestNanos window that was asked for; 0 where only requests were
/// @param failedLimit requests that may end otherwise than ok
/// @param exactLengths whether every answer must be exactly as long as asked; else no longer
/// @param cancellations measured requests whose sender was drawn to give them up: so many cancelled ones are no failures
public record RunExpectation(int requests, long shortestNanos, int failedLimit, boolean exactLengths,
        int cancellations) {
    /// Without requests that are given up on purpose.
    public RunExpectation(int requests, long shortestNanos, int failedLimit, boolean exactLengths) {
        this(requests, shortestNanos, failedLimit, exactLengths, 0);
    }

    /// So many requests, all ok, all answered at the length asked.
    public static RunExpectation requests(int requests) {
        return new RunExpectation(requests, 0, 0, true);
    }

    /// The same, measured for at least so long.
    public RunExpectation lasting(long nanos) {
        return new RunExpectation(requests, nanos, failedLimit, exactLengths, cancellations);
    }

    /// The same, where so many of them are given up on purpose.
    public RunExpectation cancelling(int onPurpose) {
        return new RunExpectation(requests, shortestNanos, failedLimit, exactLengths, onPurpose);
    }
}
