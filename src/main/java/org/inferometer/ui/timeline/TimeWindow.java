package org.inferometer.ui.timeline;

/// A stretch of time that is looked at, in nanoseconds since measuring began.
///
/// @param to after `from`
public record TimeWindow(long from, long to) {
    /// The shortest stretch worth looking at: a microsecond.
    public static final long SHORTEST = 1_000;

    public TimeWindow {
        if (to <= from) {
            throw new IllegalArgumentException("A window ends after it starts: " + from + " to " + to);
        }
    }

    /// How long it is.
    public long length() {
        return to - from;
    }

    /// Whether an instant lies inside.
    public boolean contains(long nanos) {
        return nanos >= from && nanos < to;
    }

    /// Longer (above 1) or shorter (below 1) with the instant in its place, never beyond what there is to see.
    public TimeWindow zoomed(double factor, long at, TimeWindow all) {
        double length = Math.clamp(length() * factor, Math.min(SHORTEST, all.length()), all.length());
        double share = Math.clamp((at - from) / (double) length(), 0, 1);
        long start = Math.round(at - share * length);
        return new TimeWindow(start, start + Math.max(1, Math.round(length))).within(all);
    }

    /// The same length, further on or back, never beyond what there is to see.
    public TimeWindow panned(long nanos, TimeWindow all) {
        return new TimeWindow(from + nanos, to + nanos).within(all);
    }

    /// The same length around an instant, never beyond what there is to see.
    public TimeWindow centred(long nanos, TimeWindow all) {
        return new TimeWindow(nanos - length() / 2, nanos - length() / 2 + length()).within(all);
    }

    /// Moved as far as needed to show a stretch, or grown where it does not fit.
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
