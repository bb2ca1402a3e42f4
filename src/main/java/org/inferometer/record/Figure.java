package org.inferometer.record;

import org.jspecify.annotations.Nullable;

/// One figure of one run. A figure that could not be measured does not exist: there is no zero or NaN in its place.
///
/// @param n how many samples it rests on (requests, gaps, steps, ...)
/// @param enough whether n suffices for this percentile (n ≥ 10/(1−p)); true for means and rates
/// @param bucket between which values of a histogram it was interpolated; absent where the samples are known
public record Figure(Metric metric, double value, long n, boolean enough, CellFigure.@Nullable Ends bucket) {
    /// A figure of known samples.
    public Figure(Metric metric, double value, long n, boolean enough) {
        this(metric, value, n, enough, null);
    }
}
