package org.inferometer.measurement;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One figure of a cell: the mean over its runs, with the 95 % t-interval where there are at least two runs.
///
/// @param runValues the figure of each run that has it
/// @param n samples over all runs
/// @param halfWidth half of the 95 % interval; absent with one run
public record CellFigure(Metric metric, double mean, @Nullable Double halfWidth, List<Double> runValues, long n, boolean enough) {
    /// Half the width of the 95 % interval over runs.
    public Optional<Double> interval() {
        return Optional.ofNullable(halfWidth);
    }

    /// How many runs it rests on.
    public int runs() {
        return runValues.size();
    }
}
