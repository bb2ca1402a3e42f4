package org.inferometer.measurement.statistics;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.TDistribution;

/// The difference of two means over independent runs: of pairs (Student's t) or of two samples of unequal variance, after Welch (1947)
/// with the degrees of freedom of Welch and Satterthwaite. Welch's is conservative with three runs a side.
///
/// @param difference second mean less the first
/// @param standardError of the difference; 0 if nothing varied
/// @param degreesOfFreedom without meaning if the standard error is 0
/// @param looks how often the runs were looked at to decide on more. The error is split evenly over the looks, a spending function of Lan and
///     DeMets (1983) that holds for any reason to stop (Bonferroni): each interval has the confidence 1 − 0.05/looks
public record MeanDifference(double difference, double standardError, double degreesOfFreedom, int looks) {
    /// Smaller spreads of logarithms are rounding.
    private static final double ROUNDING = 1e-12;

    /// The difference of two samples; absent with fewer than two runs on a side.
    public static Optional<MeanDifference> ofSamples(List<Double> base, List<Double> candidate) {
        Moments a = Moments.of(base);
        Moments b = Moments.of(candidate);
        if (a.n() < 2 || b.n() < 2) {
            return Optional.empty();
        }
        return Optional.of(new MeanDifference(b.mean() - a.mean(), 0, 0, 1).plus(a.meanVariance(), a.n() - 1)
                .plus(b.meanVariance(), b.n() - 1));
    }

    /// The mean of the differences of pairs; at least two.
    ///
    /// @param base one value per pair
    /// @param candidate in the order of the base
    public static MeanDifference ofPairs(List<Double> base, List<Double> candidate) {
        Moments moments =
                Moments.of(IntStream.range(0, base.size()).mapToObj(i -> candidate.get(i) - base.get(i)).toList());
        return new MeanDifference(moments.mean(), 0, 0, 1).plus(moments.meanVariance(), moments.n() - 1);
    }

    /// The same difference with one more independent part of its variance, after Satterthwaite (1946).
    ///
    /// @param variance the estimated part
    /// @param freedom degrees of freedom of its estimate
    public MeanDifference plus(double variance, double freedom) {
        double own = standardError * standardError;
        double all = own + variance;
        if (Math.sqrt(variance) <= ROUNDING * Math.max(1, Math.abs(difference))) {
            return this;
        }
        double ofOwn = own == 0 ? 0 : own * own / degreesOfFreedom;
        return new MeanDifference(difference, Math.sqrt(all), all * all / (ofOwn + variance * variance / freedom),
                looks);
    }

    /// The difference less an amount.
    public MeanDifference less(double amount) {
        double rest = difference - amount;
        boolean rounding = Math.abs(rest) <= ROUNDING * Math.max(1, Math.abs(amount));
        return new MeanDifference(rounding ? 0 : rest, standardError, degreesOfFreedom, looks);
    }

    /// The same difference at one of several looks.
    public MeanDifference at(int looks) {
        return new MeanDifference(difference, standardError, degreesOfFreedom, looks);
    }

    /// The negative difference.
    public MeanDifference negated() {
        return new MeanDifference(-difference, standardError, degreesOfFreedom, looks);
    }

    /// Half of the two-sided interval at a confidence.
    public double halfWidth(double confidence) {
        return standardError == 0 ? 0
                : TDistribution.of(degreesOfFreedom).inverseSurvivalProbability((1 - confidence) / 2 / looks)
                        * standardError;
    }

    /// The probability of a difference at least this large if there were none, two-sided.
    public double pValue() {
        return Math.min(1, 2 * upperTail(Math.abs(difference)));
    }

    /// The probability that a difference without true value exceeds an amount at any look; 0 or 1 if nothing varied.
    public double upperTail(double amount) {
        return standardError == 0 ? amount > 0 ? 0 : 1
                : Math.min(1, looks * TDistribution.of(degreesOfFreedom).survivalProbability(amount / standardError));
    }
}
