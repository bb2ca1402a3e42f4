package org.inferometer.measurement;

import java.util.List;
import java.util.Optional;
import org.apache.commons.statistics.distribution.TDistribution;

/// The mean of a few runs with its two-sided 95 % interval from Student's t: mean ± t(0.975, n − 1) · s/√n.
///
/// @param halfWidth half of the interval
/// @param n runs, at least two
public record TInterval(double mean, double halfWidth, int n) {
    /// The share of experiments whose interval holds the true mean.
    public static final double CONFIDENCE = 0.95;

    /// The interval over runs; absent with fewer than two, which tell nothing of the spread.
    public static Optional<TInterval> of(List<Double> runs) {
        Moments moments = Moments.of(runs);
        if (moments.n() < 2) {
            return Optional.empty();
        }
        double t = TDistribution.of(moments.n() - 1).inverseCumulativeProbability((1 + CONFIDENCE) / 2);
        return Optional.of(new TInterval(moments.mean(), t * Math.sqrt(moments.variance() / moments.n()), moments.n()));
    }
}
