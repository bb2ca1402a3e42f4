package org.inferometer.measurement.comparison;

import java.util.Optional;
import java.util.OptionalInt;
import org.inferometer.measurement.comparison.Comparison.ShareRange;
import org.inferometer.measurement.statistics.MeanDifference;
import org.inferometer.measurement.statistics.Moments;
import org.inferometer.record.CellFigure;
import org.jspecify.annotations.Nullable;

/// Whether a figure is worse than the base by more than its margin, over runs ([RunPairs]).
///
/// The test is on the contrast of the candidate with the base at its margin: (1 ± share) times the base, or the base ± the amount. It is a
/// regression if the lower end of the contrast's 95 % interval is above 0, and passes if the upper end is not.
///
/// @param excess how far beyond the margin the candidate's mean is, in the metric's raw unit; negative within it
/// @param lossInterval 95 % interval of the loss: a share of the base for a relative margin, else in the metric's raw unit; absent with fewer
///     than two runs on a side, and for a share of a base of 0
/// @param pValue one-sided, of an excess at least this large if the truth were just at the margin; Holm-corrected by [GateCheck#together]
/// @param runsToTell runs of each side that would decide in 4 of 5 experiments if excess and spread stay as they are; absent where the
///     check is decided, and above 1000
public record MarginCheck(Margin margin, CellFigure base, CellFigure candidate, Comparison.Pairing pairing,
        double excess, @Nullable ShareRange lossInterval, @Nullable Double pValue, Outcome outcome,
        @Nullable Integer runsToTell) implements GateCheck {
    /// The result of the check.
    public enum Outcome {
        /// Not worse by more than the margin.
        PASS,
        /// Worse by more than the margin.
        REGRESSION,
        /// Undecided: the runs support neither.
        CANNOT_TELL,
        /// Not judged: a cell or figure is missing, a side has fewer than two runs, or a run is INVALID.
        NOT_JUDGED
    }

    static MarginCheck of(Margin margin, CellFigure base, CellFigure candidate,
            Optional<ExperimentVariation> variation) {
        double worse = margin.worse();
        double scale = margin.relative() ? 1 + worse * margin.amount() : 1;
        double allowed = margin.relative() ? 0 : margin.amount();
        double excess = worse * (candidate.mean() - scale * base.mean()) - allowed;
        RunPairs all = RunPairs.of(base, candidate).across(margin.metric(), variation);
        RunPairs runs = margin.relative() ? all : all.byDifference();
        Comparison.Pairing pairing = Comparison.Pairing.of(runs);
        Optional<MeanDifference> difference = runs.difference();
        Optional<MeanDifference> contrast =
                runs.withBaseTimes(scale).difference().map(each -> (worse > 0 ? each : each.negated()).less(allowed));
        if (difference.isEmpty() || contrast.isEmpty()) {
            return new MarginCheck(margin, base, candidate, pairing, excess, null, null, Outcome.CANNOT_TELL, null);
        }
        Outcome outcome = outcome(contrast.get());
        OptionalInt runsToTell = outcome == Outcome.CANNOT_TELL ? runs.runsToTell(contrast.get()) : OptionalInt.empty();
        return new MarginCheck(margin, base, candidate, pairing, excess,
                lossInterval(margin, runs, difference.get()).orElse(null),
                contrast.get().upperTail(contrast.get().difference()), outcome,
                runsToTell.isPresent() ? runsToTell.getAsInt() : null);
    }

    private static Optional<ShareRange> lossInterval(Margin margin, RunPairs runs, MeanDifference difference) {
        double half = difference.halfWidth(Moments.CONFIDENCE);
        Optional<ShareRange> change = margin.relative() ? runs.interval(difference)
                : Optional.of(new ShareRange(difference.difference() - half, difference.difference() + half));
        return margin.worse() > 0 ? change : change.map(each -> new ShareRange(-each.high(), -each.low()));
    }

    @Override
    public MarginCheck corrected(double corrected, Outcome judged) {
        return new MarginCheck(margin, base, candidate, pairing, excess, lossInterval, corrected, judged, runsToTell);
    }

    /// How much worse the candidate is than the base, in the metric's raw unit; negative where it is better.
    public double loss() {
        return margin.worse() * (candidate.mean() - base.mean());
    }

    /// The loss as a share of the base, over the compared runs; absent if the base is 0.
    public Optional<Double> relativeLoss() {
        return RunPairs.of(base, candidate).change().map(change -> margin.worse() * change);
    }

    private static Outcome outcome(MeanDifference contrast) {
        double half = contrast.halfWidth(Moments.CONFIDENCE);
        if (contrast.difference() - half > 0) {
            return Outcome.REGRESSION;
        }
        return contrast.difference() + half <= 0 ? Outcome.PASS : Outcome.CANNOT_TELL;
    }
}
