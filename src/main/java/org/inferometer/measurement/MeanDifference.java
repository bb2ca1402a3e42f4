package org.inferometer.measurement;

import java.util.List;
import org.apache.commons.statistics.distribution.TDistribution;

/// The difference of two means over independent runs of unequal spread, after Welch (1947) with the degrees of freedom of
/// Welch and Satterthwaite. With three runs a side it errs on the careful side.
///
/// @param difference second mean less the first
/// @param standardError of the difference; 0 when neither side varied at all
/// @param degreesOfFreedom meaningless when the standard error is 0
record MeanDifference(double difference, double standardError, double degreesOfFreedom) {
    /// @param base at least two runs
    /// @param candidate at least two runs
    static MeanDifference between(List<Double> base, List<Double> candidate) {
        Moments a = Moments.of(base);
        Moments b = Moments.of(candidate);
        if (a.n() < 2 || b.n() < 2) {
            throw new IllegalArgumentException("A difference with an interval needs two runs a side.");
        }
        double variance = a.meanVariance() + b.meanVariance();
        double freedom = variance * variance / (a.meanVariance() * a.meanVariance() / (a.n() - 1)
                + b.meanVariance() * b.meanVariance() / (b.n() - 1));
        return new MeanDifference(b.mean() - a.mean(), Math.sqrt(variance), freedom);
    }

    /// Half of the two-sided interval at a confidence.
    double halfWidth(double confidence) {
        return standardError == 0 ? 0 : quantile((1 + confidence) / 2) * standardError;
    }

    /// The chance of a difference at least this large if there were none.
    double pValue() {
        if (standardError == 0) {
            return difference == 0 ? 1 : 0;
        }
        return Math.min(1,
                2 * TDistribution.of(degreesOfFreedom).survivalProbability(Math.abs(difference) / standardError));
    }

    /// The smallest true difference that a test at this confidence would find with this probability.
    double detectable(double confidence, double power) {
        return standardError == 0 ? 0 : (quantile((1 + confidence) / 2) + quantile(power)) * standardError;
    }

    private double quantile(double probability) {
        return TDistribution.of(degreesOfFreedom).inverseCumulativeProbability(probability);
    }
}
