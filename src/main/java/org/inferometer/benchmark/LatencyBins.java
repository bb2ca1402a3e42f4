package org.inferometer.benchmark;

/// Sixty-four logarithmic bins from 10 µs to 100 s for the live picture of a latency distribution; figures never come from bins.
public final class LatencyBins {
    /// How many bins there are.
    public static final int COUNT = 64;

    private static final double LOWEST_NANOS = 1e4;
    private static final double DECADES = 7;

    private LatencyBins() {}

    /// The bin of a latency; the outermost bins take what lies beyond.
    public static int of(long nanos) {
        double decade = Math.log10(Math.max(nanos, 1) / LOWEST_NANOS);
        return Math.clamp((int) Math.floor(decade / DECADES * COUNT), 0, COUNT - 1);
    }

    /// The lower edge of a bin in nanoseconds; `edge(COUNT)` is the upper edge of the last.
    public static double edge(int bin) {
        return LOWEST_NANOS * Math.pow(10, DECADES * bin / COUNT);
    }
}
