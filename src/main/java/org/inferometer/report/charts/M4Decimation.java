package org.inferometer.report.charts;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.inferometer.units.BinarySearch;

/// Decimates the points of a line for drawing: of each pixel column the first, smallest, largest and last, so that a line through them
/// covers the same pixels.
///
/// After Jugel, Jerzak, Hackenbroich and Markl, "M4: a visualization-oriented time series data aggregation" (2014). For drawing only, not
/// for figures. Blocks of points know where their smallest and largest values are, so millions of points are thinned in a millisecond.
/// Immutable.
public final class M4Decimation {
    private static final int BLOCK = 64;
    private static final int NONE = -1;
    private final double[] x;
    private final double[] y;
    private final int[] least; // [blocks] place of the smallest value, NONE if all are gaps
    private final int[] greatest; // [blocks]

    /// @param x `[points]` ascending, not changed afterwards
    /// @param y `[points]` NaN is a gap
    public M4Decimation(double[] x, double[] y) {
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

    /// The points to keep between two places, ascending.
    ///
    /// A NaN is a gap. It is kept between points of different columns; a gap within one column is not visible.
    ///
    /// @param to one after the last
    /// @param lower end of the axis; the columns have equal widths in the logarithm on a logarithmic axis
    /// @param columns pixel columns between `lower` and `upper`; points outside have a column at each end
    public int[] indices(int from, int to, double lower, double upper, boolean logarithmic, int columns) {
        double low = logarithmic ? Math.log(lower) : lower;
        double high = logarithmic ? Math.log(upper) : upper;
        if (to - from <= 2 * columns || !(high > low)) {
            return IntStream.range(from, to).toArray();
        }
        int[] kept = new int[Math.min(to - from, 7 * (columns + 2))];
        int n = 0;
        int start = from;
        while (start < to) {
            int end = end(start, to, low, high, logarithmic, columns);
            n = keep(kept, n, start, end);
            start = end;
        }
        return Arrays.copyOf(kept, n);
    }

    /// The points to keep of curves over the same x: those of each.
    public static int[] indices(double[] x, List<double[]> curves, double lower, double upper, int columns) {
        return curves.stream()
                .flatMapToInt(
                        y -> Arrays.stream(new M4Decimation(x, y).indices(0, x.length, lower, upper, false, columns)))
                .distinct().sorted().toArray();
    }

    /// The values at the given places.
    public static double[] at(double[] values, int[] places) {
        return Arrays.stream(places).mapToDouble(place -> values[place]).toArray();
    }

    /// One after the last point of the column of a point.
    private int end(int start, int to, double low, double high, boolean logarithmic, int columns) {
        int column = column(place(start, logarithmic), low, high, columns);
        return BinarySearch.last(start, to, i -> column(place(i, logarithmic), low, high, columns) == column) + 1;
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

    private static int column(double x, double lower, double upper, int columns) {
        if (x < lower || x > upper) {
            return x < lower ? -1 : columns;
        }
        return Math.clamp((long) ((x - lower) / (upper - lower) * columns), 0, columns - 1);
    }
}
