package org.inferometer.measurement;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.commons.statistics.distribution.TDistribution;
import org.inferometer.record.CellFigure;
import org.jspecify.annotations.Nullable;

/// Whether a figure got worse by more than its margin, over runs.
///
/// What is judged is the contrast candidate − base − margin in the direction of worse; a relative margin is a share of the base's true mean, so
/// the contrast is candidate − (1 ± share) · base, whose variance is known (Welch and Satterthwaite for the degrees of freedom). It is a
/// regression when the lower end of the contrast's 95 % interval lies above 0, and passes when the upper end does not.
///
/// @param excess how far beyond the margin the candidate is, in the metric's raw unit; negative within it
/// @param halfWidth half of the 95 % interval of the excess; absent with fewer than two runs on a side
/// @param pValue one-sided, of an excess at least this large if the truth were just at the margin; corrected where several are judged together
public record MarginCheck(Margin margin, CellFigure base, CellFigure candidate, double excess,
        @Nullable Double halfWidth, @Nullable Double pValue, Outcome outcome) {
    /// What can be said.
    public enum Outcome {
        /// Not worse by more than the margin.
        PASS,
        /// Worse by more than the margin.
        REGRESSION,
        /// The runs support neither.
        CANNOT_TELL
    }

    private static final double SIGNIFICANCE = (1 - TInterval.CONFIDENCE) / 2;

    static MarginCheck of(Margin margin, CellFigure base, CellFigure candidate) {
        double worse = margin.worse();
        double baseShare = margin.relative() ? 1 + worse * margin.amount() : 1;
        double allowed = margin.relative() ? 0 : margin.amount();
        Moments a = Moments.of(base.runValues());
        Moments b = Moments.of(candidate.runValues());
        double excess = worse * (b.mean() - baseShare * a.mean()) - allowed;
        if (a.n() < 2 || b.n() < 2) {
            return new MarginCheck(margin, base, candidate, excess, null, null, Outcome.CANNOT_TELL);
        }
        double fromBase = baseShare * baseShare * a.meanVariance();
        double variance = fromBase + b.meanVariance();
        if (variance == 0) {
            Outcome outcome = excess > 0 ? Outcome.REGRESSION : Outcome.PASS;
            return new MarginCheck(margin, base, candidate, excess, 0.0, excess > 0 ? 0.0 : 1.0, outcome);
        }
        double freedom = variance * variance
                / (fromBase * fromBase / (a.n() - 1) + b.meanVariance() * b.meanVariance() / (b.n() - 1));
        TDistribution t = TDistribution.of(freedom);
        double error = Math.sqrt(variance);
        double half = t.inverseCumulativeProbability(1 - SIGNIFICANCE) * error;
        return new MarginCheck(margin, base, candidate, excess, half, t.survivalProbability(excess / error),
                outcome(excess, half));
    }

    /// The same checks judged together: a regression must stand after Holm's correction, so that the chance of any false alarm stays where it is
    /// for one. Passing is asked of each by itself.
    public static List<MarginCheck> together(List<MarginCheck> checks) {
        double[] corrected = Holm.corrected(
                checks.stream().map(MarginCheck::pValue).filter(p -> p != null).mapToDouble(p -> p).toArray());
        List<MarginCheck> judged = new ArrayList<>();
        int at = 0;
        for (MarginCheck check : checks) {
            if (check.pValue == null) {
                judged.add(check);
                continue;
            }
            double pValue = corrected[at++];
            boolean alone = check.outcome == Outcome.REGRESSION && pValue > SIGNIFICANCE;
            judged.add(new MarginCheck(check.margin, check.base, check.candidate, check.excess, check.halfWidth, pValue,
                    alone ? Outcome.CANNOT_TELL : check.outcome));
        }
        return List.copyOf(judged);
    }

    /// How much worse the candidate is than the base, in the metric's raw unit; negative where it is better.
    public double loss() {
        return margin.worse() * (candidate.mean() - base.mean());
    }

    /// The loss as a share of the base's mean; absent where that is 0.
    public Optional<Double> relativeLoss() {
        return base.mean() == 0 ? Optional.empty() : Optional.of(loss() / Math.abs(base.mean()));
    }

    private static Outcome outcome(double excess, double half) {
        if (excess - half > 0) {
            return Outcome.REGRESSION;
        }
        return excess + half <= 0 ? Outcome.PASS : Outcome.CANNOT_TELL;
    }
}
