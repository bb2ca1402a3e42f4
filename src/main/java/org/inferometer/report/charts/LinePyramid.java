package org.inferometer.report.charts;

import java.util.Arrays;

/// Finds the points that [M4Decimation] keeps of a part of one line without reading all its points.
///
/// Blocks of points know where their smallest and largest values are, so millions of points are thinned in a millisecond. Immutable.
public final class LinePyramid {
    private static final int BLOCK = 64;
    private static final int NONE = -1;
    private final double[] x;
    private final double[] y;
    private final int[] least; // [blocks] place of the smallest value, NONE if all are gaps
    private final int[] greatest; // [blocks]

    /// @param x `[points]` ascending, not changed afterwards
    /// @param y `[points]` NaN is a gap
    public LinePyramid(double[] x, double[] y) {
        this.x = x;
        this.y = y;
        int blocks = (x.length + BLOCK - 1) / BLOCK;
        least = new int[blocks];
        greatest = new int[blocks];
        for (int block = 0; block < blocks; block++) {
            int low = NONE;
            int high = NONE;
            for (int i = block * BLOCK; i < Math.min(x.length, (block + 1) * BLOCK); i++) {
                low = smaller(i, low);
                high = larger(i, high);
            }
            least[block] = low;
            greatest[block] = high;
        }
    }

    /// The points to keep between two places: those that [M4Decimation#indices] keeps of these points alone.
    ///
    /// @param to one after the last
    /// @param lower end of the axis; the columns have equal widths in the logarithm on a logarithmic axis
    /// @param columns pixel columns between `lower` and `upper`; points outside have a column at each end
    public int[] indices(int from, int to, double lower, double upper, boolean logarithmic, int columns) {
        double low = logarithmic ? Math.log(lower) : lower;
        double high = logarithmic ? Math.log(upper) : upper;
        int[] kept = new int[Math.min(Math.max(0, to - from), 7 * (columns + 2))];
        int n = 0;
        boolean all = to - from <= 2 * columns || !(high > low);
        if (all) {
            kept = new int[Math.max(0, to - from)];
            Arrays.setAll(kept, i -> from + i);
            return kept;
        }
        int start = from;
        while (start < to) {
            int end = end(start, to, low, high, logarithmic, columns);
            n = keep(kept, n, start, end);
            start = end;
        }
        return Arrays.copyOf(kept, n);
    }

    /// One after the last point of the column of a point.
    private int end(int start, int to, double low, double high, boolean logarithmic, int columns) {
        int column = M4Decimation.column(place(start, logarithmic), low, high, columns);
        int within = start;
        int step = 1;
        while (within + step < to
                && M4Decimation.column(place(within + step, logarithmic), low, high, columns) == column) {
            within += step;
            step *= 2;
        }
        int beyond = Math.min(to, within + step);
        while (beyond - within > 1) {
            int middle = (within + beyond) >>> 1;
            if (M4Decimation.column(place(middle, logarithmic), low, high, columns) == column) {
                within = middle;
            } else {
                beyond = middle;
            }
        }
        return within + 1;
    }

    private double place(int i, boolean logarithmic) {
        return logarithmic ? Math.log(x[i]) : x[i];
    }

    /// Appends the first, smallest, largest and last point of a column, ascending, and the gaps beside them.
    private int keep(int[] kept, int at, int from, int to) {
        int first = from;
        while (first < to && Double.isNaN(y[first])) {
            first = first % BLOCK == 0 && least[first / BLOCK] == NONE ? Math.min(to, first + BLOCK) : first + 1;
        }
        if (first == to) {
            kept[at] = from;
            return at + 1;
        }
        int last = to - 1;
        while (Double.isNaN(y[last])) {
            last = last % BLOCK == BLOCK - 1 && least[last / BLOCK] == NONE ? last - BLOCK : last - 1;
        }
        int low = NONE;
        int high = NONE;
        int i = first;
        while (i <= last) {
            if (i % BLOCK == 0 && i + BLOCK <= last + 1) {
                int block = i / BLOCK;
                if (least[block] != NONE) {
                    low = smaller(least[block], low);
                    high = larger(greatest[block], high);
                }
                i += BLOCK;
            } else {
                low = smaller(i, low);
                high = larger(i, high);
                i++;
            }
        }
        int n = at;
        n = first > from ? append(kept, n, first - 1) : n;
        n = append(kept, n, first);
        n = append(kept, n, Math.min(low, high));
        n = append(kept, n, Math.max(low, high));
        n = append(kept, n, last);
        return last < to - 1 ? append(kept, n, last + 1) : n;
    }

    private static int append(int[] kept, int n, int place) {
        if (n > 0 && kept[n - 1] >= place) {
            return n;
        }
        kept[n] = place;
        return n + 1;
    }

    private int smaller(int i, int than) {
        return Double.isNaN(y[i]) || (than != NONE && !(y[i] < y[than])) ? than : i;
    }

    private int larger(int i, int than) {
        return Double.isNaN(y[i]) || (than != NONE && !(y[i] > y[than])) ? than : i;
    }
}
