package org.inferometer.measurement.verdict;

/// The plan of a run, for its verdict.
///
/// @param requests planned measured requests
/// @param shortestNanos planned window; 0 without a duration
/// @param earlyEnds whether answers may end before their length
public record RunExpectation(int requests, long shortestNanos, boolean earlyEnds) {
    /// A number of requests.
    public static RunExpectation requests(int requests) {
        return new RunExpectation(requests, 0, false);
    }

    /// The same with a minimum duration.
    public RunExpectation lasting(long nanos) {
        return new RunExpectation(requests, nanos, earlyEnds);
    }

    /// The same for answers that may end before their length.
    public RunExpectation endingEarly(boolean early) {
        return new RunExpectation(requests, shortestNanos, early);
    }
}
