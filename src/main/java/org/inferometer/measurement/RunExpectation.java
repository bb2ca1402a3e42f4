package org.inferometer.measurement;

/// The plan of a run, for its verdict.
///
/// @param requests planned measured requests
/// @param shortestNanos planned window; 0 without a duration
/// @param failedLimit allowed failed requests
/// @param exactLengths whether every output must have the requested length; otherwise at most
/// @param cancellations measured requests that the workload cancels
public record RunExpectation(int requests, long shortestNanos, int failedLimit, boolean exactLengths,
        int cancellations) {
    /// Without cancellations by the workload.
    public RunExpectation(int requests, long shortestNanos, int failedLimit, boolean exactLengths) {
        this(requests, shortestNanos, failedLimit, exactLengths, 0);
    }

    /// A number of requests, without failures, with exact lengths.
    public static RunExpectation requests(int requests) {
        return new RunExpectation(requests, 0, 0, true);
    }

    /// The same with a minimum duration.
    public RunExpectation lasting(long nanos) {
        return new RunExpectation(requests, nanos, failedLimit, exactLengths, cancellations);
    }

    /// The same with a number of requests cancelled by the workload.
    public RunExpectation cancelling(int onPurpose) {
        return new RunExpectation(requests, shortestNanos, failedLimit, exactLengths, onPurpose);
    }
}
