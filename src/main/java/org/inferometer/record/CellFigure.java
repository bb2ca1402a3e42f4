package org.inferometer.record;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One figure of a cell: the mean over its runs, with the 95 % t-interval where there are at least two runs.
///
/// @param halfWidth half of the 95 % interval; absent with one run
/// @param runValues the figure of each run that has it
/// @param n samples over all runs
/// @param fewest samples of the run that has fewest; [#enough] is judged by it
/// @param enough whether every run has samples enough for this percentile
public record CellFigure(@JsonProperty("metric") Metric metric, @JsonProperty("mean") double mean,
        @JsonProperty("halfWidth") @Nullable Double halfWidth, @JsonProperty("runValues") List<Double> runValues,
        @JsonProperty("n") long n, @JsonProperty("fewest") long fewest, @JsonProperty("enough") boolean enough) {
    /// Half the width of the 95 % interval over runs.
    public Optional<Double> interval() {
        return Optional.ofNullable(halfWidth);
    }

    /// Number of runs.
    public int runs() {
        return runValues.size();
    }
}
