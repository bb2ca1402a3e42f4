package org.inferometer.engine.build;

import java.util.Optional;
import org.inferometer.engine.EngineDescriptor.WeightOrigin;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.WeightSpec;
import org.inferometer.units.Seed;

/// Random weights from a seed, without meaning; activations keep their size through all layers, as in a trained model.
///
/// With z the standardised sum of four 16-bit parts of a mixed counter (Irwin-Hall, nearly normal), a value is
/// z · (1 + z²/24), scaled: never zero, with tails up to 4.66 deviations, as trained weights have them (decision 42).
/// Projections have deviation 1/√columns, which keeps the variance of their input. Projections that are added to the
/// residual stream have 1/√(2·layers·columns), like GPT-2. Norm weights are around 1. Each row has its own seed, so the
/// order and the thread of rows do not matter.
public final class SyntheticWeights implements WeightSource {
    private static final int PART = 0xFFFF;
    /// Half a step below the middle of four parts, so that no value is zero.
    private static final float MEAN = 4 * (PART / 2f) - 0.5f;
    private static final double DEVIATION = Math.sqrt(4 * (65536.0 * 65536 - 1) / 12);
    private static final float TAIL = 1 / 24f;
    /// Standard deviation of z · (1 + z²/24), from the moments of four uniform parts: E z⁴ = 2.7, E z⁶ = 765/70.
    private static final double SPREAD = Math.sqrt(1 + 2 * 2.7 / 24 + 765 / 70.0 / (24 * 24));
    private static final long GOLDEN = 0x9e3779b97f4a7c15L;

    private final Seed seed;
    private final int layers;

    public SyntheticWeights(ModelShape shape, long seed) {
        this.seed = new Seed(seed);
        this.layers = shape.layers();
    }

    @Override
    public WeightOrigin origin() {
        return new WeightOrigin(seed.value(), null);
    }

    @Override
    public Optional<String> fingerprint() {
        return Optional.of("synthetic " + seed.value() + " " + layers);
    }

    @Override
    public void row(WeightSpec weight, int row, float[] destination) {
        int columns = weight.columns();
        switch (weight.role()) {
            case EMBEDDING, HEAD, PROJECTION -> fill(weight, row, destination, 0, 1 / Math.sqrt(columns));
            case RESIDUAL_PROJECTION -> fill(weight, row, destination, 0, 1 / Math.sqrt(2.0 * layers * columns));
            case POSITIONS -> fill(weight, row, destination, 0, 0.5 / Math.sqrt(columns));
            case NORM_WEIGHT -> fill(weight, row, destination, 1, 0.05);
            case NORM_BIAS, PROJECTION_BIAS -> fill(weight, row, destination, 0, 0.02);
            case INPUT_ORDER -> throw new IllegalArgumentException("synthetic weights have no order of inputs");
        }
    }

    private void fill(WeightSpec weight, int row, float[] destination, float mean, double deviation) {
        long counter = seed.part(weight.name()).part(row).value();
        float factor = (float) (deviation / SPREAD);
        float toNormal = (float) (1 / DEVIATION);
        for (int column = 0; column < weight.columns(); column++) {
            long bits = Seed.mix(counter += GOLDEN);
            int sum =
                    (int) (bits & PART) + (int) (bits >>> 16 & PART) + (int) (bits >>> 32 & PART) + (int) (bits >>> 48);
            float z = (sum - MEAN) * toNormal;
            destination[column] = mean + z * (1 + z * z * TAIL) * factor;
        }
    }
}
