package org.inferometer.record;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One figure of a cell: the mean over its runs, with the 95 % t-interval where there are at least two runs.
///
/// @param halfWidth half of the 95 % interval; absent with one run
/// @param runValues the figure of each run that has it
/// @param runSeeds the seed of the requests of each of these runs; empty where they are not known
/// @param n samples over all runs
/// @param fewest samples of the run that has fewest; [#enough] is judged by it
/// @param enough whether every run has samples enough for this percentile
/// @param looks how often the experiment looked at its runs to decide on more; the interval holds under them. At least 1
/// @param setByLoad whether the load decides it as long as the target keeps up, so that it ranks nothing
public record CellFigure(@JsonProperty("metric") Metric metric, @JsonProperty("mean") double mean,
        @JsonProperty("halfWidth") @Nullable Double halfWidth, @JsonProperty("runValues") List<Double> runValues,
        @JsonProperty("runSeeds") List<Long> runSeeds, @JsonProperty("n") long n, @JsonProperty("fewest") long fewest,
        @JsonProperty("enough") boolean enough, @JsonProperty("looks") int looks,
        @JsonProperty("setByLoad") boolean setByLoad) {
    /// Missing seeds are not known; so are seeds that fit the values in number no more.
    public CellFigure {
        runSeeds = Objects.requireNonNullElse(runSeeds, List.of());
        if (runValues != null && runSeeds.size() != runValues.size()) {
            runSeeds = List.of();
        }
        looks = Math.max(1, looks);
    }

    /// A figure of runs whose seeds are not known.
    public CellFigure(Metric metric, double mean, @Nullable Double halfWidth, List<Double> runValues, long n,
            long fewest, boolean enough) {
        this(metric, mean, halfWidth, runValues, List.of(), n, fewest, enough, 1, false);
    }

    /// The same figure with the seeds of its runs.
    public CellFigure withSeeds(List<Long> seeds) {
        return new CellFigure(metric, mean, halfWidth, runValues, seeds, n, fewest, enough, looks, setByLoad);
    }

    /// The same figure of a load that decides it.
    public CellFigure ofLoad() {
        return new CellFigure(metric, mean, halfWidth, runValues, runSeeds, n, fewest, enough, looks, true);
    }

    /// Half the width of the 95 % interval over runs.
    public Optional<Double> interval() {
        return Optional.ofNullable(halfWidth);
    }

    /// The ends of an interval.
    public record Ends(double low, double high) {}

    /// The ends of the 95 % interval over runs, cut where no value is possible: below 0, and above 1 for a share. Empty with one run.
    public Optional<Ends> ends() {
        double most = metric.unit() == Metric.Unit.FRACTION && mean <= 1 ? 1 : Double.POSITIVE_INFINITY;
        return interval().map(half -> mean < 0 ? new Ends(mean - half, mean + half)
                : new Ends(Math.max(0, mean - half), Math.min(most, mean + half)));
    }

    /// Whether the interval is cut, so that the mean is not in its middle.
    public boolean isCut() {
        return ends().filter(ends -> ends.high() - mean != mean - ends.low() && (ends.low() == 0 || ends.high() == 1))
                .isPresent();
    }

    /// Number of runs.
    public int runs() {
        return runValues.size();
    }
}
