package org.inferometer.engine;

import java.util.Optional;

/// The distribution of a weight's values in FP32.
///
/// @param count number of values
public record TensorStatistics(long count, float min, float max, double meanAbsolute, double standardDeviation) {

    /// Reads all values of one weight of an open engine; about a second per hundred million.
    ///
    /// @param weight [EngineInspection.TensorView#weight()]
    /// @return empty if the engine has no such weight
    public static Optional<TensorStatistics> of(Engine engine, String weight) {
        Optional<WeightSpec> found = ModelLayout.of(engine.descriptor().shape()).stream()
                .filter(spec -> spec.name().equals(weight)).findFirst();
        if (found.isEmpty()) {
            return Optional.empty();
        }
        Spread spread = new Spread();
        WeightLoader.rows(engine, found.get(), spread::add);
        return Optional.of(spread.statistics());
    }

    private static final class Spread {
        private long count;
        private float min = Float.POSITIVE_INFINITY;
        private float max = Float.NEGATIVE_INFINITY;
        private double absolute;
        private double sum;
        private double squares;

        void add(float[] values) {
            count += values.length;
            for (float value : values) {
                min = Math.min(min, value);
                max = Math.max(max, value);
                absolute += Math.abs(value);
                sum += value;
                squares += (double) value * value;
            }
        }

        TensorStatistics statistics() {
            double mean = sum / count;
            return new TensorStatistics(count, min, max, absolute / count,
                    Math.sqrt(Math.max(0, squares / count - mean * mean)));
        }
    }
}
