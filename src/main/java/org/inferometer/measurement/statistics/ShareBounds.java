package org.inferometer.measurement.statistics;

import org.apache.commons.statistics.distribution.BetaDistribution;

/// One-sided exact bounds of a binomial share (Clopper and Pearson 1934, Biometrika 26) for an effective number of requests.
///
/// As LoadGen's early stopping, and as surveys do for samples that depend on each other: both counts are divided by the variance inflation
/// (Korn and Graubard 1998, Survey Methodology 24).
///
/// @param misses effective number of misses
/// @param n effective number of requests
/// @param error probability that one bound is wrong
public record ShareBounds(double misses, double n, double error) {
    private static final double MOST = 1e9;

    /// The lower bound of the share without a miss.
    public double lowerShare() {
        return misses >= n ? 0 : 1 - BetaDistribution.of(misses + 1, n - misses).inverseSurvivalProbability(error);
    }

    /// The upper bound of the share without a miss.
    public double upperShare() {
        return misses <= 0 ? 1 : 1 - BetaDistribution.of(misses, n - misses + 1).inverseCumulativeProbability(error);
    }

    public boolean decides(double goal) {
        return lowerShare() >= goal || upperShare() < goal;
    }

    /// The effective number of requests that decides at the same share; 0 if none does.
    public double enough(double goal) {
        double share = misses / n;
        double most = n;
        while (!new ShareBounds(share * most, most, error).decides(goal)) {
            most *= 2;
            if (most > MOST) {
                return 0;
            }
        }
        double least = most / 2;
        while (most - least > Math.max(1, most / 1000)) {
            double middle = (least + most) / 2;
            if (new ShareBounds(share * middle, middle, error).decides(goal)) {
                most = middle;
            } else {
                least = middle;
            }
        }
        return most;
    }
}
