package org.inferometer.measurement.definitions;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.inferometer.measurement.definitions.Rule.Quantile;
import org.inferometer.measurement.definitions.Rule.Spread;
import org.jspecify.annotations.Nullable;

/// Ascending values with weights.
final class WeightedSamples {
    private final double[] values; // [n] ascending
    private final long[] upTo; // [n] sum of the weights up to and with each value

    private WeightedSamples(double[] values, long[] upTo) {
        this.values = values;
        this.upTo = upTo;
    }

    /// @param weights how often each value counts, 0 for not at all; null for once each
    static WeightedSamples of(double[] values, long @Nullable [] weights) {
        if (weights == null) {
            double[] sorted = values.clone();
            Arrays.sort(sorted);
            return new WeightedSamples(sorted, IntStream.rangeClosed(1, sorted.length).asLongStream().toArray());
        }
        int[] order = IntStream.range(0, values.length).filter(i -> weights[i] > 0).boxed()
                .sorted(Comparator.comparingDouble(i -> values[i])).mapToInt(Integer::intValue).toArray();
        double[] sorted = new double[order.length];
        long[] upTo = new long[order.length];
        long sum = 0;
        for (int i = 0; i < order.length; i++) {
            sorted[i] = values[order[i]];
            sum += weights[order[i]];
            upTo[i] = sum;
        }
        return new WeightedSamples(sorted, upTo);
    }

    boolean isEmpty() {
        return values.length == 0;
    }

    /// The sum of the weights.
    long n() {
        return isEmpty() ? 0 : upTo[upTo.length - 1];
    }

    double mean() {
        double sum = 0;
        for (int i = 0; i < values.length; i++) {
            sum += values[i] * weight(i);
        }
        return sum / n();
    }

    /// The standard deviation; null if the rule has none or for a single value.
    @Nullable
    Double deviation(Spread rule) {
        long divisor = switch (rule) {
            case NONE -> 0;
            case POPULATION -> n();
            case SAMPLE -> n() - 1;
        };
        if (divisor <= 0) {
            return null;
        }
        double mean = mean();
        double squares = 0;
        for (int i = 0; i < values.length; i++) {
            squares += (values[i] - mean) * (values[i] - mean) * weight(i);
        }
        return Math.sqrt(squares / divisor);
    }

    /// @param percent 0 to 100
    double percentile(int percent, Quantile rule) {
        return switch (rule) {
            case LINEAR -> {
                double rank = (n() - 1) * (double) percent / 100;
                long below = (long) rank;
                yield below == n() - 1 ? at(below) : at(below) + (rank - below) * (at(below + 1) - at(below));
            }
            // Whole numbers keep the rank exact.
            case NEAREST_RANK -> at(Math.max(0, Math.ceilDiv(n() * percent, 100) - 1));
            case TRUNCATED -> at(Math.min(n() - 1, n() * percent / 100));
        };
    }

    /// The value at a rank from 0, each value repeated by its weight.
    private double at(long rank) {
        int found = Arrays.binarySearch(upTo, rank + 1);
        return values[found >= 0 ? found : -found - 1];
    }

    private long weight(int i) {
        return i == 0 ? upTo[0] : upTo[i] - upTo[i - 1];
    }
}
