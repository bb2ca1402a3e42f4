package org.inferometer.ui.timeline;

/// A time range, in nanoseconds since measuring began.
///
/// @param to after `from`
public record TimeWindow(long from, long to) {
    /// Shortest range: a microsecond.
    public static final long SHORTEST = 1_000;

    public TimeWindow {
        if (to <= from) {
            throw new IllegalArgumentException("A window ends after it starts: " + from + " to " + to);
        }
    }

    /// Length in nanoseconds.
    public long length() {
        return to - from;
    }

    /// Whether the range contains an instant.
    public boolean contains(long nanos) {
        return nanos >= from && nanos < to;
    }

    /// Zoomed out (above 1) or in (below 1) around an instant, within `all`.
    public TimeWindow zoomed(double factor, long at, TimeWindow all) {
        double length = Math.clamp(length() * factor, Math.min(SHORTEST, all.length()), all.length());
        double share = Math.clamp((at - from) / (double) length(), 0, 1);
        long start = Math.round(at - share * length);
        return new TimeWindow(start, start + Math.max(1, Math.round(length))).within(all);
    }

    /// The same length, shifted, within `all`.
    public TimeWindow panned(long nanos, TimeWindow all) {
        return new TimeWindow(from + nanos, to + nanos).within(all);
    }

    /// The same length, centred on an instant, within `all`.
    public TimeWindow centred(long nanos, TimeWindow all) {
        return new TimeWindow(nanos - length() / 2, nanos - length() / 2 + length()).within(all);
    }

    /// Shifted or grown to contain a range.
    public TimeWindow showing(long start, long end, TimeWindow all) {
        if (end - start > length() * 0.9) {
            long margin = Math.max(1, (end - start) / 10);
            return new TimeWindow(start - margin, end + margin).within(all);
        }
        if (start < from || end > to) {
            return centred((start + end) / 2, all);
        }
        return this;
    }

    private TimeWindow within(TimeWindow all) {
        long length = Math.min(length(), all.length());
        long start = Math.clamp(from, all.from, all.to - length);
        return new TimeWindow(start, start + length);
    }
}
