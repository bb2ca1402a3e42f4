package org.inferometer.measurement.statistics;

import org.apache.commons.statistics.distribution.TDistribution;

/// A least-squares line through centred points.
public final class LineFit {
    private double xx;
    private double xy;
    private double yy;

    /// @param x less the mean of x
    /// @param y less the mean of y
    public void add(double x, double y) {
        xx += x * x;
        xy += x * y;
        yy += y * y;
    }

    public double slope() {
        return xy / xx;
    }

    /// The probability of a slope at least as steep if there were none, from Student's t; NaN if nothing varies.
    public double pValue(int degreesOfFreedom) {
        double error = Math.sqrt(Math.max(0, yy - slope() * xy) / degreesOfFreedom / xx);
        double t = Math.abs(slope()) / error;
        return Double.isNaN(t) ? t : 2 * TDistribution.of(degreesOfFreedom).survivalProbability(t);
    }
}
