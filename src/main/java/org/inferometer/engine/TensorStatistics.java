package org.inferometer.engine;

import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/// The distribution of a weight's values in FP32.
///
/// @param count number of values
/// @param zeros values that are exactly zero
/// @param bins values in each of [#BINS] equal ranges from `min` to `max`, the last with its end; all in the first if
///     both are equal
public record TensorStatistics(long count, float min, float max, double meanAbsolute, double standardDeviation,
        long zeros, List<Long> bins) {
    /// Ranges of the histogram.
    public static final int BINS = 32;

    /// The start of a range; its end is the start of the next.
    public double binStart(int bin) {
        return min + ((double) max - min) * bin / BINS;
    }

    /// Reads all values of one weight of an open engine twice; about two seconds per hundred million.
    ///
    /// @param weight [EngineInspection.TensorView#weight()]
    /// @return empty if the engine has no such weight
    public static Optional<TensorStatistics> of(Engine engine, String weight) {
        EngineDescriptor descriptor = engine.descriptor();
        Optional<WeightSpec> found = StoredTensor.of(descriptor.shape(), descriptor.formats()).stream()
                .map(StoredTensor::weight).filter(spec -> spec.name().equals(weight)).findFirst();
        if (found.isEmpty()) {
            return Optional.empty();
        }
        Spread spread = new Spread();
        WeightLoader.rows(engine, found.get(), spread::add);
        long[] bins = new long[BINS];
        double width = (double) spread.max - spread.min;
        WeightLoader.rows(engine, found.get(), values -> {
            for (float value : values) {
                bins[width == 0 ? 0 : Math.min(BINS - 1, (int) (((double) value - spread.min) / width * BINS))]++;
            }
        });
        return Optional.of(spread.statistics(bins));
    }

    private static final class Spread {
        private long count;
        private float min = Float.POSITIVE_INFINITY;
        private float max = Float.NEGATIVE_INFINITY;
        private double absolute;
        private double sum;
        private double squares;
        private long zeros;

        void add(float[] values) {
            count += values.length;
            for (float value : values) {
                min = Math.min(min, value);
                max = Math.max(max, value);
                absolute += Math.abs(value);
                sum += value;
                squares += (double) value * value;
                zeros += value == 0 ? 1 : 0;
            }
        }

        TensorStatistics statistics(long[] bins) {
            double mean = sum / count;
            return new TensorStatistics(count, min, max, absolute / count,
                    Math.sqrt(Math.max(0, squares / count - mean * mean)), zeros, LongStream.of(bins).boxed().toList());
        }
    }
}
