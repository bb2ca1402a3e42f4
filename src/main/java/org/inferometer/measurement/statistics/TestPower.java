package org.inferometer.measurement.statistics;

import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.apache.commons.statistics.distribution.TDistribution;

/// The power of two-sided t-tests, from the noncentral t distribution: P(T > t) is the mean of Φ(λ − t·s) over s², which is χ²(ν)/ν
/// (Johnson, Kotz and Balakrishnan 1995, Continuous Univariate Distributions 2, chapter 31). The mean is taken at equally probable s.
///
/// The spread is known from the runs only. A difference of λ standard errors *as estimated* is found less often than one of λ true standard
/// errors: the power is averaged over the estimate too ("expected power", Julious and Owen 2006, Pharmaceutical Statistics 5, 29–37).
public final class TestPower {
    private static final int NODES = 20;
    private static final int STEPS = 12;
    private static final NormalDistribution NORMAL = NormalDistribution.of(0, 1);

    private TestPower() {}

    /// The true difference that is found with this power by an experiment of the same design, in standard errors as one experiment estimates
    /// them.
    public static double detectable(double degreesOfFreedom, double significance, double power) {
        double[] spreads = spreads(degreesOfFreedom);
        double critical = critical(degreesOfFreedom, significance);
        double low = 0;
        double high = critical;
        while (expected(high, critical, spreads) < power) {
            low = high;
            high *= 2;
        }
        for (int step = 0; step < STEPS; step++) {
            double middle = (low + high) / 2;
            if (expected(middle, critical, spreads) < power) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high;
    }

    /// The power at a difference of so many true standard errors.
    public static double power(double noncentrality, double degreesOfFreedom, double significance) {
        return found(noncentrality, critical(degreesOfFreedom, significance), spreads(degreesOfFreedom));
    }

    private static double expected(double estimated, double critical, double[] spreads) {
        double sum = 0;
        for (double spread : spreads) {
            sum += found(estimated * spread, critical, spreads);
        }
        return sum / spreads.length;
    }

    private static double found(double noncentrality, double critical, double[] spreads) {
        double sum = 0;
        for (double spread : spreads) {
            sum += NORMAL.cumulativeProbability(noncentrality - critical * spread);
        }
        return sum / spreads.length;
    }

    private static double critical(double degreesOfFreedom, double significance) {
        return TDistribution.of(degreesOfFreedom).inverseSurvivalProbability(significance / 2);
    }

    /// Equally probable values of the estimated spread, as shares of the true one.
    private static double[] spreads(double degreesOfFreedom) {
        ChiSquaredDistribution squares = ChiSquaredDistribution.of(degreesOfFreedom);
        return IntStream.range(0, NODES)
                .mapToDouble(i -> Math.sqrt(squares.inverseCumulativeProbability((i + 0.5) / NODES) / degreesOfFreedom))
                .toArray();
    }
}
