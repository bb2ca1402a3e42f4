package org.inferometer.measurement.statistics;

import java.util.List;
import java.util.Optional;
import org.apache.commons.statistics.distribution.TDistribution;

/// Mean and sample variance (divisor n − 1) of a few runs. The variance of one run is 0 and has no meaning.
public record Moments(int n, double mean, double variance) {
    /// The confidence of intervals over runs.
    public static final double CONFIDENCE = 0.95;

    public static Moments of(List<Double> runs) {
        if (runs.isEmpty()) {
            throw new IllegalArgumentException("A mean needs at least one run.");
        }
        double mean = runs.stream().mapToDouble(Double::doubleValue).sum() / runs.size();
        double squares = runs.stream().mapToDouble(run -> (run - mean) * (run - mean)).sum();
        return new Moments(runs.size(), mean, runs.size() < 2 ? 0 : squares / (runs.size() - 1));
    }

    /// Variance of the mean.
    public double meanVariance() {
        return variance / n;
    }

    /// Half of the two-sided 95 % interval of the mean from Student's t, t(0.975, n − 1) · s/√n; absent with fewer than two runs.
    public Optional<Double> halfWidth() {
        return halfWidth(1);
    }

    /// The same for one of several looks at the runs, over which the error is split evenly.
    public Optional<Double> halfWidth(int looks) {
        return n < 2 ? Optional.empty()
                : Optional.of(TDistribution.of(n - 1).inverseSurvivalProbability((1 - CONFIDENCE) / 2 / looks)
                        * Math.sqrt(meanVariance()));
    }
}
