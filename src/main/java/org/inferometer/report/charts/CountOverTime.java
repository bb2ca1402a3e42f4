package org.inferometer.report.charts;

import java.util.Arrays;

/// A count that changes at many instants, as a line: all points, or of many the first, the least, the greatest and the last of each of
/// [#STRETCHES] equal stretches of time (docs/decisions/0051). For one thread.
final class CountOverTime {
    /// Stretches of a line that is thinned.
    static final int STRETCHES = 1 << 15;
    /// The most points of a line.
    static final int MOST_POINTS = 4 * STRETCHES;
    private static final int KEPT = 4;
    private final long originNanos;
    private final long firstNanos;
    private final double stretchNanos;
    private final boolean all;
    private final double[] x;
    private final double[] y;
    private int n;
    private int stretch = -1;
    private final long[] nanos = new long[KEPT]; // first, least, greatest, last of the stretch
    private final int[] count = new int[KEPT];

    /// @param originNanos at which x is 0
    /// @param firstNanos of the first point
    /// @param lastNanos of the last point
    /// @param points that will be added
    CountOverTime(long originNanos, long firstNanos, long lastNanos, int points) {
        this.originNanos = originNanos;
        this.firstNanos = firstNanos;
        this.stretchNanos = (lastNanos - firstNanos) / (double) STRETCHES;
        this.all = points <= MOST_POINTS;
        this.x = new double[Math.min(points, MOST_POINTS + KEPT)];
        this.y = new double[x.length];
    }

    /// Adds a point, not before the last one.
    void add(long atNanos, int value) {
        if (all) {
            put(atNanos, value);
            return;
        }
        int within = (int) Math.min(STRETCHES - 1.0, (atNanos - firstNanos) / stretchNanos);
        if (within != stretch) {
            putStretch();
            stretch = within;
            Arrays.fill(nanos, atNanos);
            Arrays.fill(count, value);
            return;
        }
        if (value < count[1]) {
            nanos[1] = atNanos;
            count[1] = value;
        }
        if (value > count[2]) {
            nanos[2] = atNanos;
            count[2] = value;
        }
        nanos[3] = atNanos;
        count[3] = value;
    }

    private void putStretch() {
        if (stretch < 0) {
            return;
        }
        boolean leastFirst = nanos[1] < nanos[2] || (nanos[1] == nanos[2] && count[0] == count[1]);
        put(nanos[0], count[0]);
        putNew(leastFirst ? 1 : 2);
        putNew(leastFirst ? 2 : 1);
        putNew(3);
    }

    private void putNew(int kept) {
        double seconds = seconds(nanos[kept]);
        if (x[n - 1] != seconds || y[n - 1] != count[kept]) {
            put(nanos[kept], count[kept]);
        }
    }

    private void put(long atNanos, int value) {
        x[n] = seconds(atNanos);
        y[n++] = value;
    }

    private double seconds(long atNanos) {
        return (atNanos - originNanos) / 1e9;
    }

    /// The line through the points.
    TimeSeries line() {
        putStretch();
        stretch = -1;
        return n == x.length ? new TimeSeries(x, y) : new TimeSeries(Arrays.copyOf(x, n), Arrays.copyOf(y, n));
    }
}
