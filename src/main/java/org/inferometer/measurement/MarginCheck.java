package org.inferometer.measurement;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.inferometer.record.CellFigure;
import org.jspecify.annotations.Nullable;

/// Whether a figure is worse than the base by more than its margin, over runs.
///
/// The test is on the contrast candidate − base − margin in the direction of worse. A relative margin is a share of the base's true mean, so
/// the contrast is candidate − (1 ± share) · base ([MeanDifference]). It is a regression if the lower end of the contrast's 95 % interval is
/// above 0, and passes if the upper end is not.
///
/// @param excess how far beyond the margin the candidate is, in the metric's raw unit; negative within it
/// @param halfWidth half of the 95 % interval of the excess; absent with fewer than two runs on a side
/// @param pValue one-sided, of an excess at least this large if the truth were just at the margin; Holm-corrected by [#together]
public record MarginCheck(Margin margin, CellFigure base, CellFigure candidate, double excess,
        @Nullable Double halfWidth, @Nullable Double pValue, Outcome outcome) {
    /// The result of the check.
    public enum Outcome {
        /// Not worse by more than the margin.
        PASS,
        /// Worse by more than the margin.
        REGRESSION,
        /// Undecided: the runs support neither.
        CANNOT_TELL
    }

    private static final double SIGNIFICANCE = (1 - Moments.CONFIDENCE) / 2;

    static MarginCheck of(Margin margin, CellFigure base, CellFigure candidate) {
        double worse = margin.worse();
        double scale = margin.relative() ? 1 + worse * margin.amount() : 1;
        double allowed = margin.relative() ? 0 : margin.amount();
        double excess = worse * (candidate.mean() - scale * base.mean()) - allowed;
        Optional<MeanDifference> contrast = MeanDifference.between(base.runValues(), candidate.runValues(), scale);
        if (contrast.isEmpty()) {
            return new MarginCheck(margin, base, candidate, excess, null, null, Outcome.CANNOT_TELL);
        }
        double half = contrast.get().halfWidth(Moments.CONFIDENCE);
        return new MarginCheck(margin, base, candidate, excess, half, contrast.get().upperTail(excess),
                outcome(excess, half));
    }

    /// The checks with regressions corrected after Holm, so that the chance of any false alarm is that of one check. Passing is not
    /// corrected.
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
            boolean rejected = check.outcome == Outcome.REGRESSION && pValue > SIGNIFICANCE;
            judged.add(new MarginCheck(check.margin, check.base, check.candidate, check.excess, check.halfWidth, pValue,
                    rejected ? Outcome.CANNOT_TELL : check.outcome));
        }
        return List.copyOf(judged);
    }

    /// How much worse the candidate is than the base, in the metric's raw unit; negative where it is better.
    public double loss() {
        return margin.worse() * (candidate.mean() - base.mean());
    }

    /// The loss as a share of the base's mean; absent if that is 0.
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
