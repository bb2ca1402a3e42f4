package org.inferometer.measurement.statistics;

import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;

/// All samples of one quantity in ascending order, with exact percentiles.
public final class Distribution {
    static final int EXPECTED_BEYOND = 10;

    /// Whole numbers below this magnitude are exact as doubles.
    private static final long EXACT = 1L << 53;

    private final Samples samples;

    private Distribution(Samples samples) {
        this.samples = samples;
    }

    /// The samples by rank from 0.
    private sealed interface Samples {
        int n();

        double sum();

        /// The samples at consecutive ranks.
        double[] at(int rank, int count);
    }

    private record Sorted(double[] ascending) implements Samples {
        @Override
        public int n() {
            return ascending.length;
        }

        @Override
        public double sum() {
            double sum = 0;
            for (double sample : ascending) {
                sum += sample;
            }
            return sum;
        }

        @Override
        public double[] at(int rank, int count) {
            return Arrays.copyOfRange(ascending, rank, rank + count);
        }
    }

    /// Whole numbers whose sum is exact in any order.
    private record Whole(RankedNumbers numbers, long total) implements Samples {
        @Override
        public int n() {
            return numbers.n();
        }

        @Override
        public double sum() {
            return total;
        }

        @Override
        public double[] at(int rank, int count) {
            return Arrays.stream(numbers.at(rank, count)).asDoubleStream().toArray();
        }
    }

    /// Takes ownership of the array, sorts its first `n` samples in place.
    public static Distribution taking(double[] samples, int n) {
        double[] kept = n == samples.length ? samples : Arrays.copyOf(samples, n);
        RadixSort.ascending(kept);
        return new Distribution(new Sorted(kept));
    }

    /// A distribution of samples in ascending order, which the caller does not change afterwards.
    public static Distribution ofAscending(double[] samples) {
        return new Distribution(new Sorted(samples));
    }

    /// Takes ownership of an array of durations in nanoseconds, of which the first `n` count. Figures equal those of the same durations as
    /// doubles, to the bit, and are faster for large arrays.
    public static Distribution takingNanos(long[] nanos, int n) {
        long total = 0;
        long magnitude = 0;
        for (int i = 0; i < n && magnitude < EXACT; i++) {
            long size = Math.abs(nanos[i]);
            magnitude = size < 0 || size > EXACT ? EXACT : magnitude + size;
            total += nanos[i];
        }
        if (n < RadixSort.LEAST || magnitude >= EXACT) {
            double[] samples = new double[n];
            for (int i = 0; i < n; i++) {
                samples[i] = nanos[i];
            }
            return taking(samples, n);
        }
        return new Distribution(
                new Whole(new RankedNumbers(n == nanos.length ? nanos : Arrays.copyOf(nanos, n)), total));
    }

    /// A distribution of a copy of the samples.
    public static Distribution of(double... samples) {
        return taking(samples.clone(), samples.length);
    }

    /// The number of samples.
    public int n() {
        return samples.n();
    }

    /// Whether there are no samples.
    public boolean isEmpty() {
        return samples.n() == 0;
    }

    /// The arithmetic mean.
    ///
    /// @throws IllegalStateException without samples
    public double mean() {
        requireSamples();
        return samples.sum() / samples.n();
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
        int greatest = samples.n() - 1;
        double rank = greatest * percent / 100;
        int below = (int) rank;
        if (below == greatest) {
            return samples.at(below, 1)[0];
        }
        double[] beside = samples.at(below, 2);
        return beside[0] + (rank - below) * (beside[1] - beside[0]);
    }

    /// The distribution of a decreasing function of the samples, without sorting again.
    public Distribution falling(DoubleUnaryOperator function) {
        double[] ascending = samples.at(0, samples.n());
        double[] mapped = new double[ascending.length];
        for (int i = 0; i < mapped.length; i++) {
            mapped[i] = function.applyAsDouble(ascending[mapped.length - 1 - i]);
        }
        return new Distribution(new Sorted(mapped));
    }

    /// Whether `n` samples suffice for a percentile: n ≥ 10/(1 − p), or n ≥ 10/p in the lower tail.
    ///
    /// @param percent whole, above 0 and below 100, so that the rule is exact
    public static boolean enough(long n, int percent) {
        return n * Math.min(percent, 100 - percent) >= EXPECTED_BEYOND * 100L;
    }

    private void requireSamples() {
        if (samples.n() == 0) {
            throw new IllegalStateException("A distribution without samples has no mean and no percentile.");
        }
    }
}
