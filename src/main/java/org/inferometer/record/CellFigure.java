package org.inferometer.record;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// One figure of a cell: the mean over its runs, with the 95 % t-interval where there are at least two runs.
///
/// @param halfWidth half of the 95 % interval; absent with one run
/// @param runValues the figure of each run that has it
/// @param n samples over all runs
/// @param fewest samples of the run that has fewest; absent in records from before it was kept
/// @param enough whether every run has samples enough for this percentile
public record CellFigure(@JsonProperty("metric") Metric metric, @JsonProperty("mean") double mean,
        @JsonProperty("halfWidth") @Nullable Double halfWidth, @JsonProperty("runValues") List<Double> runValues,
        @JsonProperty("n") long n, @JsonProperty("fewest") @Nullable Long fewest,
        @JsonProperty("enough") boolean enough) {
    /// Of which no more is known than the samples over all runs.
    public CellFigure(Metric metric, double mean, @Nullable Double halfWidth, List<Double> runValues, long n,
            boolean enough) {
        this(metric, mean, halfWidth, runValues, n, null, enough);
    }

    /// Samples of the run that has fewest: what [#enough] was judged by. Empty where only the sum over several runs is known.
    public OptionalLong fewestOfARun() {
        return fewest != null ? OptionalLong.of(fewest) : runs() == 1 ? OptionalLong.of(n) : OptionalLong.empty();
    }

    /// Half the width of the 95 % interval over runs.
    public Optional<Double> interval() {
        return Optional.ofNullable(halfWidth);
    }

    /// How many runs it rests on.
    public int runs() {
        return runValues.size();
    }
}
