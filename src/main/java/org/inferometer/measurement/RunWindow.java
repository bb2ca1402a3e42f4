package org.inferometer.measurement;

import java.util.List;
import java.util.Optional;
import org.inferometer.record.RequestColumns;
import org.inferometer.record.RequestOutcome;

/// The time over which rates are taken: from the intended send time of the first measured request to the last token of the measured
/// requests. Warm-up requests do not count.
///
/// @param startNanos since the run's anchor
/// @param endNanos after the start
public record RunWindow(long startNanos, long endNanos) {
    /// The window of a run; absent if no measured request has a token.
    public static Optional<RunWindow> of(List<RequestOutcome> requests) {
        long intended = Long.MAX_VALUE;
        long sent = Long.MAX_VALUE;
        long end = Long.MIN_VALUE;
        RequestColumns columns = RequestColumns.of(requests);
        for (int i = 0; i < columns.size(); i++) {
            if (!columns.warmUp(i)) {
                if (columns.intendedNanos(i) != RequestOutcome.ABSENT) {
                    intended = Math.min(intended, columns.intendedNanos(i));
                }
                if (columns.sentNanos(i) != RequestOutcome.ABSENT) {
                    sent = Math.min(sent, columns.sentNanos(i));
                }
                end = Math.max(end, columns.lastTokenNanos(i));
            }
        }
        // Records without intended send times start at the first sending.
        long start = intended == Long.MAX_VALUE ? sent : intended;
        return end > start ? Optional.of(new RunWindow(start, end)) : Optional.empty();
    }

    /// Its length.
    public long lengthNanos() {
        return endNanos - startNanos;
    }

    /// Its length in seconds.
    public double seconds() {
        return lengthNanos() / 1e9;
    }

    /// Whether an instant is inside, ends included.
    public boolean contains(long nanos) {
        return nanos >= startNanos && nanos <= endNanos;
    }

    /// The part of an interval inside the window.
    public long overlapNanos(long fromNanos, long toNanos) {
        return Math.max(0, Math.min(toNanos, endNanos) - Math.max(fromNanos, startNanos));
    }
}
