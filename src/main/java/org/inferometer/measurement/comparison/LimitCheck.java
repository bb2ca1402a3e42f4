package org.inferometer.measurement.comparison;

import java.util.List;
import java.util.OptionalInt;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.inferometer.measurement.comparison.Comparison.ShareRange;
import org.inferometer.measurement.comparison.MarginCheck.Outcome;
import org.inferometer.measurement.statistics.MeanDifference;
import org.inferometer.measurement.statistics.Moments;
import org.inferometer.record.CellFigure;
import org.jspecify.annotations.Nullable;

/// Whether a figure is beyond a limit. A regression if its whole 95 % interval is beyond, passed if none of it is.
///
/// The interval is that of the figure's mean over runs; of a percentile that all requests tell, theirs. One that they do not tell cannot tell.
///
/// @param excess how far beyond the limit the mean is, in the metric's raw unit; negative within it
/// @param interval 95 % interval of the mean, in the metric's raw unit; absent with fewer than two runs
/// @param pValue one-sided, of a mean at least this far beyond if the truth were just at the limit
/// @param runsToTell as in [MarginCheck]
public record LimitCheck(Limit limit, CellFigure candidate, double excess, @Nullable ShareRange interval,
        @Nullable Double pValue, Outcome outcome, @Nullable Integer runsToTell) implements GateCheck {
    static LimitCheck of(Limit limit, CellFigure candidate) {
        double beyond = limit.least() ? -1 : 1;
        double excess = beyond * (candidate.mean() - limit.amount());
        if (candidate.pooled() != null) {
            return pooled(limit, candidate, excess);
        }
        if (candidate.runs() < 2) {
            return new LimitCheck(limit, candidate, excess, null, null, Outcome.CANNOT_TELL, null);
        }
        List<Double> values = candidate.runValues();
        RunPairs runs = new RunPairs(values.stream().map(value -> limit.amount()).toList(), values, true, false, 0,
                candidate.looks(), null);
        MeanDifference mean = runs.difference().map(each -> beyond > 0 ? each : each.negated()).orElseThrow();
        double half = mean.halfWidth(Moments.CONFIDENCE);
        Outcome outcome =
                mean.difference() - half > 0 ? Outcome.REGRESSION : mean.difference() + half <= 0 ? Outcome.PASS
                        : Outcome.CANNOT_TELL;
        OptionalInt runsToTell = outcome == Outcome.CANNOT_TELL ? runs.runsToTell(mean) : OptionalInt.empty();
        return new LimitCheck(limit, candidate, excess,
                new ShareRange(candidate.mean() - half, candidate.mean() + half), mean.upperTail(mean.difference()),
                outcome, runsToTell.isPresent() ? runsToTell.getAsInt() : null);
    }

    /// The p-value is that of a normal error as wide as the interval on the side of the limit.
    private static LimitCheck pooled(Limit limit, CellFigure candidate, double excess) {
        CellFigure.Ends ends = candidate.ends().filter(each -> !candidate.isMarked()).orElse(null);
        if (ends == null) {
            return new LimitCheck(limit, candidate, excess, null, null, Outcome.CANNOT_TELL, null);
        }
        boolean toLow = limit.least() == excess < 0;
        double half = toLow ? candidate.mean() - ends.low() : ends.high() - candidate.mean();
        NormalDistribution normal = NormalDistribution.of(0, 1);
        double width = normal.inverseSurvivalProbability((1 - Moments.CONFIDENCE) / 2);
        boolean passed = limit.least() ? ends.low() >= limit.amount() : ends.high() <= limit.amount();
        boolean beyond = limit.least() ? ends.high() < limit.amount() : ends.low() > limit.amount();
        return new LimitCheck(limit, candidate, excess, new ShareRange(ends.low(), ends.high()),
                normal.survivalProbability(excess / Math.max(half, Double.MIN_NORMAL) * width),
                beyond ? Outcome.REGRESSION : passed ? Outcome.PASS : Outcome.CANNOT_TELL, null);
    }

    @Override
    public LimitCheck corrected(double corrected, Outcome judged) {
        return new LimitCheck(limit, candidate, excess, interval, corrected, judged, runsToTell);
    }
}
