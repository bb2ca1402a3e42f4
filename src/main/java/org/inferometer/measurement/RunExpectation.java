package org.inferometer.measurement;

/// What a run was to do, as far as its verdict needs it.
///
/// @param requests measured requests that were asked for
/// @param shortestNanos window that was asked for; 0 where only requests were
/// @param failedLimit requests that may end otherwise than ok
/// @param exactLengths whether every answer must be exactly as long as asked; else no longer
public record RunExpectation(int requests, long shortestNanos, int failedLimit, boolean exactLengths) {
    /// So many requests, all ok, all answered at the length asked.
    public static RunExpectation requests(int requests) {
        return new RunExpectation(requests, 0, 0, true);
    }
}
