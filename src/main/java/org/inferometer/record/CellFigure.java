package org.inferometer.record;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One figure of a cell: the mean over its runs, with its 95 % interval where there are at least two runs.
///
/// @param halfWidth half of the 95 % t-interval over runs; absent with one run
/// @param runValues the figure of each run that has it
/// @param runSeeds the seed of the requests of each of these runs; empty where they are not known
/// @param n samples over all runs
/// @param fewest samples of the run that has fewest; [#enough] is judged by it
/// @param enough whether every run has samples enough for this percentile; see [#isMarked]
/// @param looks how often the experiment looked at its runs to decide on more; the interval holds under them. At least 1
/// @param setByLoad whether the load decides it as long as the target keeps up, so that it ranks nothing
/// @param pooled what the requests of all runs together tell of a latency or a share within an SLO; absent for other figures, where requests are not known, and in
///     older records
/// @param bucket the means of the ends between which a histogram's figure was interpolated in each run; absent where samples are known
public record CellFigure(@JsonProperty("metric") Metric metric, @JsonProperty("mean") double mean,
        @JsonProperty("halfWidth") @Nullable Double halfWidth, @JsonProperty("runValues") List<Double> runValues,
        @JsonProperty("runSeeds") List<Long> runSeeds, @JsonProperty("n") long n, @JsonProperty("fewest") long fewest,
        @JsonProperty("enough") boolean enough, @JsonProperty("looks") int looks,
        @JsonProperty("setByLoad") boolean setByLoad, @JsonProperty("pooled") @Nullable Pooled pooled,
        @JsonProperty("bucket") @Nullable Ends bucket) {
    /// As a share of the width of an interval.
    private static final double EVEN = 1e-6;

    /// What the requests of all runs together tell of a figure of the system.
    ///
    /// @param independent how many independent requests they count as, since requests of one queue share their fate
    /// @param enough whether they tell it, and the start of the runs does not move it
    /// @param ends of the 95 % interval; absent where they do not tell it, and with one run
    public record Pooled(@JsonProperty("independent") double independent, @JsonProperty("enough") boolean enough,
            @JsonProperty("ends") @Nullable Ends ends) {}

    /// The ends of an interval.
    public record Ends(@JsonProperty("low") double low, @JsonProperty("high") double high) {}

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

    /// A figure of its runs alone.
    public CellFigure(Metric metric, double mean, @Nullable Double halfWidth, List<Double> runValues,
            List<Long> runSeeds, long n, long fewest, boolean enough, int looks, boolean setByLoad) {
        this(metric, mean, halfWidth, runValues, runSeeds, n, fewest, enough, looks, setByLoad, null, null);
    }

    /// The same figure with the seeds of its runs.
    public CellFigure withSeeds(List<Long> seeds) {
        return new CellFigure(metric, mean, halfWidth, runValues, seeds, n, fewest, enough, looks, setByLoad, pooled,
                bucket);
    }

    /// The same figure of a load that decides it.
    public CellFigure ofLoad() {
        return new CellFigure(metric, mean, halfWidth, runValues, runSeeds, n, fewest, enough, looks, true, pooled,
                bucket);
    }

    /// The same figure with what all requests tell of it; absent where that is not known.
    public CellFigure withPooled(@Nullable Pooled tail) {
        return new CellFigure(metric, mean, halfWidth, runValues, runSeeds, n, fewest, enough, looks, setByLoad, tail,
                bucket);
    }

    /// The same figure, interpolated in buckets of a histogram; absent where the samples of a run are known.
    public CellFigure withBucket(@Nullable Ends ends) {
        return new CellFigure(metric, mean, halfWidth, runValues, runSeeds, n, fewest, enough, looks, setByLoad, pooled,
                ends);
    }

    /// The same figure without its interval.
    public CellFigure withoutInterval() {
        return new CellFigure(metric, mean, null, runValues, runSeeds, n, fewest, enough, looks, setByLoad,
                pooled == null ? null : new Pooled(pooled.independent(), pooled.enough(), null), bucket);
    }

    /// Whether it is no figure of the system, but of runs of this length: they have too few requests, or too few independent ones.
    public boolean isMarked() {
        return !enough || (pooled != null && !pooled.enough());
    }

    /// Half the width of the 95 % interval.
    public Optional<Double> interval() {
        return pooled == null ? Optional.ofNullable(halfWidth) : ends().map(ends -> (ends.high() - ends.low()) / 2);
    }

    /// The ends of the 95 % interval: of the system's percentile or share where all requests tell it, else over runs, cut where no value is possible,
    /// below 0, and above 1 for a share. Empty with one run, and where all requests tell too little.
    public Optional<Ends> ends() {
        if (pooled != null) {
            return Optional.ofNullable(pooled.ends());
        }
        double most = metric.unit() == Metric.Unit.FRACTION && mean <= 1 ? 1 : Double.POSITIVE_INFINITY;
        return Optional.ofNullable(halfWidth).map(half -> mean < 0 ? new Ends(mean - half, mean + half)
                : new Ends(Math.max(0, mean - half), Math.min(most, mean + half)));
    }

    /// Whether the mean is not in the middle of the interval.
    public boolean isUneven() {
        return ends().filter(ends -> Math.abs(ends.high() + ends.low() - 2 * mean) > EVEN * (ends.high() - ends.low()))
                .isPresent();
    }

    /// Number of runs.
    public int runs() {
        return runValues.size();
    }
}
