package org.inferometer.measurement.comparison;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.inferometer.measurement.Metrics;
import org.inferometer.measurement.comparison.Comparison.ShareRange;
import org.inferometer.measurement.statistics.MeanDifference;
import org.inferometer.measurement.statistics.Moments;
import org.inferometer.measurement.statistics.TestPower;
import org.inferometer.record.CellFigure;
import org.inferometer.record.Metric;
import org.jspecify.annotations.Nullable;

/// The runs of two cells as a comparison uses them: paired by seed where both sides share [#LEAST_PAIRS] seeds or more, else all runs of
/// both as two samples. Repetition r has the same requests in every cell, so what the requests do to a figure cancels in a pair.
///
/// The design decides, never the values: which seeds were run, and the metric ([#onLogs]).
///
/// @param base values, in the order of the pairs if paired
/// @param candidate values, in the order of the pairs if paired
/// @param logs whether ratios are compared; else differences
/// @param leftOut runs without a partner, which a paired comparison leaves out
/// @param looks at the runs to decide on more, of the side with more
/// @param between the variance of a difference of logarithms between two experiments; absent within one, and where it is not known
public record RunPairs(List<Double> base, List<Double> candidate, boolean paired, boolean logs, int leftOut, int looks,
        @Nullable Between between) {
    /// @param variance of the difference of two experiments' logarithms
    public record Between(double variance, double degreesOfFreedom) {}

    /// The fewest shared seeds for a paired comparison.
    public static final int LEAST_PAIRS = 3;
    /// The most runs that are ever advised.
    public static final int MOST_RUNS = 1000;

    /// The runs of two cells.
    public static RunPairs of(CellFigure base, CellFigure candidate) {
        int looks = Math.max(base.looks(), candidate.looks());
        boolean logs = onLogs(base.metric()) && allPositive(base) && allPositive(candidate);
        Map<Long, Double> bySeed = bySeed(base);
        List<Double> of = new ArrayList<>();
        List<Double> against = new ArrayList<>();
        bySeed(candidate).forEach((seed, value) -> {
            Double other = bySeed.get(seed);
            if (other != null) {
                of.add(other);
                against.add(value);
            }
        });
        if (of.size() < LEAST_PAIRS) {
            return new RunPairs(base.runValues(), candidate.runValues(), false, logs, 0, looks, null);
        }
        return new RunPairs(List.copyOf(of), List.copyOf(against), true, logs,
                base.runs() + candidate.runs() - 2 * of.size(), looks, null);
    }

    /// The same runs of two experiments whose variation is known.
    public RunPairs across(Metric metric, Optional<ExperimentVariation> variation) {
        return variation.flatMap(known -> known.variance(metric).map(variance -> new RunPairs(base, candidate, paired,
                logs, leftOut, looks, new Between(2 * variance, known.degreesOfFreedom())))).orElse(this);
    }

    /// The same runs with the base's values times a factor.
    public RunPairs withBaseTimes(double factor) {
        return new RunPairs(base.stream().map(value -> factor * value).toList(), candidate, paired, logs, leftOut,
                looks, between);
    }

    /// The same runs compared by their differences.
    public RunPairs byDifference() {
        return new RunPairs(base, candidate, paired, false, leftOut, looks, between);
    }

    /// Whether a metric is compared by ratios: times, rates, bytes, prices and ratios are. Shares and counts are small whole numbers or
    /// 0 by nature and are compared by differences, and so is goodput, which is 0 where no request is in time.
    public static boolean onLogs(Metric metric) {
        return switch (metric.unit()) {
            case FRACTION, COUNT -> false;
            case NANOSECONDS, PER_SECOND_REQUESTS, PER_SECOND_TOKENS, BYTES, JOULES_PER_TOKEN, WATTS,
                    PRICE_PER_MILLION_TOKENS, RATIO ->
                !metric.id().equals(Metrics.GOODPUT.id());
        };
    }

    /// Candidate less base: of logarithms or of values. Absent with fewer than two runs on a side.
    public Optional<MeanDifference> difference() {
        List<Double> of = logs ? base.stream().map(Math::log).toList() : base;
        List<Double> against = logs ? candidate.stream().map(Math::log).toList() : candidate;
        Optional<MeanDifference> difference =
                (paired ? Optional.of(MeanDifference.ofPairs(of, against)) : MeanDifference.ofSamples(of, against))
                        .map(each -> each.at(looks));
        Between known = between;
        return known == null ? difference
                : difference.map(each -> each.plus(known.variance() * scale() * scale(), known.degreesOfFreedom()));
    }

    /// The size of a unit of logarithms on the scale of the difference.
    private double scale() {
        return logs ? 1 : (Math.abs(mean(base)) + Math.abs(mean(candidate))) / 2;
    }

    /// The estimate of the change as a share of the base; absent for differences from a base of 0.
    public Optional<Double> change() {
        double of = mean(base);
        double against = mean(candidate);
        if (logs) {
            return Optional.of(Math.exp(against - of) - 1);
        }
        return of == 0 ? Optional.empty() : Optional.of((against - of) / Math.abs(of));
    }

    /// A difference as a share of the base; absent for differences from a base of 0. Never below −1: no figure falls below 0.
    public Optional<Double> share(double difference) {
        if (logs) {
            return Optional.of(Math.expm1(difference));
        }
        double of = mean(base);
        return of == 0 ? Optional.empty() : Optional.of(Math.max(-1, difference / Math.abs(of)));
    }

    /// A standard error of differences as a share of the base, or of logarithms as it is; absent for differences from a base of 0.
    public Optional<Double> shareOfError(double error) {
        double of = mean(base);
        return logs ? Optional.of(error) : of == 0 ? Optional.empty() : Optional.of(error / Math.abs(of));
    }

    /// The 95 % interval of the change; absent for differences from a base of 0.
    public Optional<ShareRange> interval(MeanDifference difference) {
        double half = difference.halfWidth(Moments.CONFIDENCE);
        return share(difference.difference() - half)
                .flatMap(low -> share(difference.difference() + half).map(high -> new ShareRange(low, high)));
    }

    /// How many runs of each side would find an effect in 4 of 5 experiments if the spread stays as it is; absent above [#MOST_RUNS].
    ///
    /// @param from the fewest runs
    /// @param difference of these runs
    /// @param effect on the scale of the difference
    public OptionalInt runsToFind(int from, MeanDifference difference, double effect) {
        int now = Math.min(base.size(), candidate.size());
        for (int runs = from; runs <= MOST_RUNS; runs += Math.max(1, runs / 20)) {
            double error = difference.standardError() * Math.sqrt(now / (double) runs);
            double freedom = difference.degreesOfFreedom() * (runs - 1) / (now - 1);
            if (error == 0 || TestPower.power(Math.abs(effect) / error, freedom,
                    Comparisons.SIGNIFICANCE / looks) >= Comparisons.POWER) {
                return OptionalInt.of(runs);
            }
        }
        return OptionalInt.empty();
    }

    /// As [#runsToFind(int, MeanDifference, double)], with more than these runs.
    public OptionalInt runsToTell(MeanDifference difference) {
        return runsToFind(Math.min(base.size(), candidate.size()), difference, difference.difference());
    }

    private double mean(List<Double> values) {
        return values.stream().mapToDouble(value -> logs ? Math.log(value) : value).sum() / values.size();
    }

    /// Empty where seeds are not known or not distinct.
    private static Map<Long, Double> bySeed(CellFigure figure) {
        if (new HashSet<>(figure.runSeeds()).size() < figure.runs()) {
            return Map.of();
        }
        Map<Long, Double> values = new LinkedHashMap<>();
        for (int i = 0; i < figure.runs(); i++) {
            values.put(figure.runSeeds().get(i), figure.runValues().get(i));
        }
        return values;
    }

    private static boolean allPositive(CellFigure figure) {
        return figure.runValues().stream().allMatch(value -> value > 0);
    }
}
