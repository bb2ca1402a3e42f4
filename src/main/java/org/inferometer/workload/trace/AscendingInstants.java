package org.inferometer.workload.trace;

import java.io.IOException;

/// Turns a trace's own instants into nanoseconds since its first request, and refuses those that go back.
///
/// A trace that is not in order is refused, not sorted: sorting needs the whole file in memory, and lines out of order often mean
/// that files were joined.
final class AscendingInstants {
    private static final long MOST_NANOS = 10L * 366 * 24 * 3600 * 1_000_000_000L;

    private boolean started;
    private long first;
    private long last;

    /// @param nanos from any origin
    /// @param lines at the line that holds it
    long sinceFirst(long nanos, BoundedLines lines) throws IOException {
        if (!started) {
            started = true;
            first = nanos;
            last = nanos;
        }
        if (nanos < last) {
            throw new IOException(lines.where() + "its instant lies " + (last - nanos) / 1e9
                    + " s before that of the request above. Sort the file by time.");
        }
        if (nanos - first < 0 || nanos - first > MOST_NANOS) {
            throw new IOException(lines.where()
                    + "its instant lies more than ten years after the first. Is the column of times right?");
        }
        last = nanos;
        return nanos - first;
    }
}
