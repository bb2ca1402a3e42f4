package org.inferometer.measurement;

import java.util.Arrays;

/// All samples of one quantity in ascending order, with exact percentiles. Never made from binned or decimated data.
public final class Distribution {
    private static final int EXPECTED_BEYOND = 10;

    private final double[] sorted; // [n] ascending

    private Distribution(double[] sorted) {
        this.sorted = sorted;
    }

    /// Takes the first `n` samples over and sorts the array in place; the caller must not touch it again.
    public static Distribution taking(double[] samples, int n) {
        double[] kept = n == samples.length ? samples : Arrays.copyOf(samples, n);
        if (kept.length < RadixSort.LEAST) {
            Arrays.sort(kept);
        } else {
            RadixSort.sort(kept);
        }
        return new Distribution(kept);
    }

    /// A distribution of a copy of the samples.
    public static Distribution of(double... samples) {
        return taking(samples.clone(), samples.length);
    }

    /// How many samples there are.
    public int n() {
        return sorted.length;
    }

    /// Whether there is nothing to tell.
    public boolean isEmpty() {
        return sorted.length == 0;
    }

    /// The arithmetic mean.
    ///
    /// @throws IllegalStateException without samples
    public double mean() {
        requireSamples();
        double sum = 0;
        for (double sample : sorted) {
            sum += sample;
        }
        return sum / sorted.length;
    }

    /// The percentile, linear between ranks: type 7 of Hyndman and Fan (1996), rank (n − 1)·p/100 counted from 0.
    ///
    /// @param percent 0 (the least sample) to 100 (the greatest)
    /// @throws IllegalStateException without samples
    public double percentile(double percent) {
        requireSamples();
        if (!(percent >= 0 && percent <= 100)) {
            throw new IllegalArgumentException("A percentile lies between 0 and 100, not at " + percent + ".");
        }
        double rank = (sorted.length - 1) * percent / 100;
        int below = (int) rank;
        if (below == sorted.length - 1) {
            return sorted[below];
        }
        return sorted[below] + (rank - below) * (sorted[below + 1] - sorted[below]);
    }

    /// Whether `n` samples let a percentile stand without a mark: at least ten are expected beyond it, n ≥ 10/(1 − p), and
    /// likewise n ≥ 10/p for a percentile of the lower tail.
    ///
    /// @param percent whole, above 0 and below 100, so that the rule is exact
    public static boolean enough(long n, int percent) {
        return n * Math.min(percent, 100 - percent) >= EXPECTED_BEYOND * 100L;
    }

    private void requireSamples() {
        if (sorted.length == 0) {
            throw new IllegalStateException("A distribution without samples has no figures.");
        }
    }
}
