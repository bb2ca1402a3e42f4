package org.inferometer.measurement.statistics;

import java.util.Arrays;
import java.util.OptionalDouble;

/// The distribution of a quantity of which some values are only known to be at least so large: Kaplan and Meier (1958, J. Am. Stat. Assoc. 53).
///
/// What a user who left would have waited for is taken to be distributed as for those who stayed at least as long. Without such values all
/// figures equal those of [Distribution].
public final class CensoredDistribution {
    private final int n;
    private final double[] observed;
    /// The estimated share below each observed value.
    private final double[] below;
    /// The estimated share up to the last of them; above it no value is known.
    private final double reached;

    private CensoredDistribution(int n, double[] observed, double[] below, double reached) {
        this.n = n;
        this.observed = observed;
        this.below = below;
        this.reached = reached;
    }

    /// @param observed values, in any order
    /// @param atLeast least values of the others, in any order
    public static CensoredDistribution of(double[] observed, double[] atLeast) {
        double[] values = observed.clone();
        double[] censored = atLeast.clone();
        Arrays.sort(values);
        Arrays.sort(censored);
        double[] below = new double[values.length];
        int n = values.length + censored.length;
        double reached = 0;
        int gone = 0;
        for (int i = 0; i < values.length; i++) {
            // At one instant, what was seen came before what was given up.
            while (gone < censored.length && censored[gone] < values[i]) {
                gone++;
            }
            below[i] = reached;
            reached = gone == 0 ? (i + 1.0) / n : 1 - (1 - reached) * (1 - 1.0 / (n - i - gone));
        }
        return new CensoredDistribution(n, values, below, reached);
    }

    /// Observed and censored values.
    public int n() {
        return n;
    }

    /// Observed values.
    public int observed() {
        return observed.length;
    }

    /// The mean; empty where the largest values are not known.
    public OptionalDouble mean() {
        if (observed.length == 0 || reached < 1) {
            return OptionalDouble.empty();
        }
        double mean = 0;
        for (int i = 0; i < observed.length; i++) {
            mean += observed[i] * ((i + 1 < observed.length ? below[i + 1] : 1) - below[i]);
        }
        return OptionalDouble.of(mean);
    }

    /// The percentile, linear between observed values as type 7 of Hyndman and Fan; empty where it lies beyond what is known.
    ///
    /// @param percent 0 to 100
    public OptionalDouble percentile(double percent) {
        if (observed.length == 0) {
            return OptionalDouble.empty();
        }
        double share = percent / 100 * (1 - 1.0 / n);
        int at = Arrays.binarySearch(below, share);
        int lower = at >= 0 ? at : -at - 2;
        if (lower == observed.length - 1) {
            return reached < 1 && share > below[lower] ? OptionalDouble.empty() : OptionalDouble.of(observed[lower]);
        }
        double part = (share - below[lower]) / (below[lower + 1] - below[lower]);
        return OptionalDouble.of(observed[lower] + part * (observed[lower + 1] - observed[lower]));
    }

    /// Whether as many values are known to lie beyond a percentile as [Distribution#enough] asks.
    public boolean enough(int percent) {
        double value = percentile(percent).orElse(Double.POSITIVE_INFINITY);
        int at = Arrays.binarySearch(observed, value);
        int seen = observed.length - (at >= 0 ? at : -at - 1);
        return Distribution.enough(n, percent) && seen >= Distribution.EXPECTED_BEYOND;
    }

    /// For each observed value in rising order, the share of values up to it.
    public double[] upToEach() {
        double[] shares =
                Arrays.copyOfRange(below, Math.min(1, below.length), below.length + Math.min(1, below.length));
        if (shares.length > 0) {
            shares[shares.length - 1] = reached;
        }
        return shares;
    }

    /// The share of values up to a limit; what is not known counts as above it. 0 without values.
    public double upTo(double limit) {
        int counted = 0;
        while (counted < observed.length && observed[counted] <= limit) {
            counted++;
        }
        return n == 0 ? 0 : counted < observed.length ? below[counted] : reached;
    }

    /// The share of which it is not known whether it is up to a limit: no value above it was seen.
    public double unknown(double limit) {
        return observed.length > 0 && observed[observed.length - 1] > limit ? 0 : 1 - upTo(limit);
    }
}
