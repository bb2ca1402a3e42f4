package org.inferometer.workload.trace;

import java.io.IOException;

/// Converts the instants of a trace to nanoseconds since its first request and refuses a trace that is not sorted.
///
/// Sorting would need the whole file in memory, and lines out of order often mean that files were joined.
final class AscendingInstants {
    private static final long MAX_NANOS = 10L * 366 * 24 * 3600 * 1_000_000_000L;

    private boolean started;
    private long first;
    private long last;

    /// @param nanos from any origin
    /// @param line where the instant was read
    long sinceFirst(long nanos, FileLine line) throws IOException {
        if (!started) {
            started = true;
            first = nanos;
            last = nanos;
        }
        if (nanos < last) {
            throw line.fault(
                    "This request came " + (last - nanos) / 1e9 + " s before the one above. Sort the file by time.");
        }
        if (nanos - first < 0 || nanos - first > MAX_NANOS) {
            throw line.fault("This request came more than ten years after the first. Check the column of times.");
        }
        last = nanos;
        return nanos - first;
    }
}
