package org.inferometer.measurement;

/// The plan of a run, for its verdict.
///
/// @param requests planned measured requests
/// @param shortestNanos planned window; 0 without a duration
/// @param cancellations measured requests that the workload cancels
/// @param load how the load arrives
public record RunExpectation(int requests, long shortestNanos, int cancellations, LoadKind load) {
    /// A closed loop.
    public RunExpectation(int requests, long shortestNanos, int cancellations) {
        this(requests, shortestNanos, cancellations, LoadKind.CLOSED_LOOP);
    }

    /// A number of requests, without cancellations.
    public static RunExpectation requests(int requests) {
        return new RunExpectation(requests, 0, 0);
    }

    /// The same with a minimum duration.
    public RunExpectation lasting(long nanos) {
        return new RunExpectation(requests, nanos, cancellations, load);
    }

    /// The same with a number of requests cancelled by the workload.
    public RunExpectation cancelling(int onPurpose) {
        return new RunExpectation(requests, shortestNanos, onPurpose, load);
    }

    /// The same for a load of another kind.
    public RunExpectation arriving(LoadKind kind) {
        return new RunExpectation(requests, shortestNanos, cancellations, kind);
    }
}
