package org.inferometer.report.charts;

import java.util.Arrays;
import java.util.BitSet;

/// Decimates points for drawing: of each pixel column the first, smallest, largest and last, so that a line through them covers the
/// same pixels.
///
/// After Jugel, Jerzak, Hackenbroich and Markl, "M4: a visualization-oriented time series data aggregation" (2014). For drawing only, not
/// for figures.
public final class M4Decimation {
    private M4Decimation() {}

    /// The points to keep of curves over the same x, ascending.
    ///
    /// A NaN is a gap. It is kept between points of different columns; a gap within one column is not visible.
    ///
    /// @param x ascending
    /// @param curves each as long as `x`
    /// @param columns pixel columns between `lower` and `upper`; points outside have a column at each end
    public static int[] indices(double[] x, double[][] curves, double lower, double upper, int columns) {
        if (x.length <= 2 * columns || !(upper > lower)) {
            return all(x.length);
        }
        BitSet kept = new BitSet(x.length);
        int from = 0;
        while (from < x.length) {
            int column = column(x[from], lower, upper, columns);
            int to = from + 1;
            while (to < x.length && column(x[to], lower, upper, columns) == column) {
                to++;
            }
            keep(kept, curves, from, to);
            from = to;
        }
        return kept.stream().toArray();
    }

    /// The same for one curve.
    public static int[] indices(double[] x, double[] y, double lower, double upper, int columns) {
        return indices(x, new double[][]{y}, lower, upper, columns);
    }

    /// The values at the given places.
    public static double[] at(double[] values, int[] places) {
        double[] taken = new double[places.length];
        for (int i = 0; i < places.length; i++) {
            taken[i] = values[places[i]];
        }
        return taken;
    }

    private static void keep(BitSet kept, double[][] curves, int from, int to) {
        for (double[] y : curves) {
            int first = -1;
            int last = -1;
            int least = -1;
            int greatest = -1;
            for (int i = from; i < to; i++) {
                if (Double.isNaN(y[i])) {
                    continue;
                }
                first = first < 0 ? i : first;
                last = i;
                least = least < 0 || y[i] < y[least] ? i : least;
                greatest = greatest < 0 || y[i] > y[greatest] ? i : greatest;
            }
            if (first < 0) {
                kept.set(from);
                continue;
            }
            if (first > from) {
                kept.set(first - 1);
            }
            kept.set(first);
            kept.set(least);
            kept.set(greatest);
            kept.set(last);
            if (last < to - 1) {
                kept.set(last + 1);
            }
        }
    }

    static int column(double x, double lower, double upper, int columns) {
        if (x < lower || x > upper) {
            return x < lower ? -1 : columns;
        }
        return Math.clamp((long) ((x - lower) / (upper - lower) * columns), 0, columns - 1);
    }

    private static int[] all(int n) {
        int[] all = new int[n];
        Arrays.setAll(all, i -> i);
        return all;
    }
}
