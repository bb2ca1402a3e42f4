package org.inferometer.measurement;

import java.util.List;
import java.util.Optional;
import org.apache.commons.statistics.distribution.TDistribution;

/// The difference of two means over independent runs of unequal variance, after Welch (1947) with the degrees of freedom of Welch and
/// Satterthwaite. Conservative with three runs a side.
///
/// @param difference second mean less the scaled first
/// @param standardError of the difference; 0 if neither side varied
/// @param degreesOfFreedom without meaning if the standard error is 0
record MeanDifference(double difference, double standardError, double degreesOfFreedom) {
    /// The contrast candidate − scale · base; absent with fewer than two runs on a side.
    static Optional<MeanDifference> between(List<Double> base, List<Double> candidate, double scale) {
        Moments a = Moments.of(base);
        Moments b = Moments.of(candidate);
        if (a.n() < 2 || b.n() < 2) {
            return Optional.empty();
        }
        double ofBase = scale * scale * a.meanVariance();
        double variance = ofBase + b.meanVariance();
        double freedom = variance * variance
                / (ofBase * ofBase / (a.n() - 1) + b.meanVariance() * b.meanVariance() / (b.n() - 1));
        return Optional.of(new MeanDifference(b.mean() - scale * a.mean(), Math.sqrt(variance), freedom));
    }

    /// Half of the two-sided interval at a confidence.
    double halfWidth(double confidence) {
        return standardError == 0 ? 0 : quantile((1 + confidence) / 2) * standardError;
    }

    /// The probability of a difference at least this large if there were none, two-sided.
    double pValue() {
        return Math.min(1, 2 * upperTail(Math.abs(difference)));
    }

    /// The probability that a difference without true value exceeds an amount; 0 or 1 if neither side varied.
    double upperTail(double amount) {
        return standardError == 0 ? amount > 0 ? 0 : 1
                : TDistribution.of(degreesOfFreedom).survivalProbability(amount / standardError);
    }

    /// The smallest true difference that a test at this confidence finds with this power.
    double detectable(double confidence, double power) {
        return standardError == 0 ? 0 : (quantile((1 + confidence) / 2) + quantile(power)) * standardError;
    }

    private double quantile(double probability) {
        return TDistribution.of(degreesOfFreedom).inverseCumulativeProbability(probability);
    }
}
