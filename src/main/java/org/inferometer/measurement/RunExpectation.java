package org.inferometer.measurement;

/// The plan of a run, for its verdict.
///
/// @param requests planned measured requests
/// @param shortestNanos planned window; 0 without a duration
/// @param cancellations measured requests that the workload cancels
/// @param earlyEnds whether answers may end before their length
/// @param load how the load arrives
public record RunExpectation(int requests, long shortestNanos, int cancellations, boolean earlyEnds, LoadKind load) {
    /// A closed loop.
    public RunExpectation(int requests, long shortestNanos, int cancellations) {
        this(requests, shortestNanos, cancellations, false, LoadKind.CLOSED_LOOP);
    }

    /// A number of requests, without cancellations.
    public static RunExpectation requests(int requests) {
        return new RunExpectation(requests, 0, 0);
    }

    /// The same with a minimum duration.
    public RunExpectation lasting(long nanos) {
        return new RunExpectation(requests, nanos, cancellations, earlyEnds, load);
    }

    /// The same with a number of requests cancelled by the workload.
    public RunExpectation cancelling(int onPurpose) {
        return new RunExpectation(requests, shortestNanos, onPurpose, earlyEnds, load);
    }

    /// The same for a load of another kind.
    public RunExpectation arriving(LoadKind kind) {
        return new RunExpectation(requests, shortestNanos, cancellations, earlyEnds, kind);
    }

    /// The same for answers that may end before their length.
    public RunExpectation endingEarly(boolean early) {
        return new RunExpectation(requests, shortestNanos, cancellations, early, load);
    }
}
