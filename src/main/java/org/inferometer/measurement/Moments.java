package org.inferometer.measurement;

import java.util.List;

/// Mean and sample variance (divisor n − 1) of a few runs; the variance of one run is 0 and means nothing.
record Moments(int n, double mean, double variance) {
    static Moments of(List<Double> runs) {
        if (runs.isEmpty()) {
            throw new IllegalArgumentException("There is no mean of no runs.");
        }
        double mean = runs.stream().mapToDouble(Double::doubleValue).sum() / runs.size();
        double squares = runs.stream().mapToDouble(run -> (run - mean) * (run - mean)).sum();
        return new Moments(runs.size(), mean, runs.size() < 2 ? 0 : squares / (runs.size() - 1));
    }

    /// Variance of the mean.
    double meanVariance() {
        return variance / n;
    }
}
