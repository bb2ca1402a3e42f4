package org.inferometer.engine.build;

import org.inferometer.engine.EngineDescriptor.WeightOrigin;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.WeightSpec;
import org.inferometer.units.Seed;

/// Random weights from a seed, without meaning; activations keep their size through all layers, as in a trained model.
///
/// A value is the sum of four bytes of a mixed counter (Irwin-Hall, nearly normal, cut at 3.45 deviations), scaled.
/// Projections have deviation 1/√columns, which keeps the variance of their input. Projections that are added to the
/// residual stream have 1/√(2·layers·columns), like GPT-2. Norm weights are around 1. Each row has its own seed, so the
/// order and the thread of rows do not matter.
public final class SyntheticWeights implements WeightSource {
    private static final long BYTES = 0x00FF00FF00FF00FFL;
    private static final long SUMS = 0x0000FFFF0000FFFFL;
    private static final float MEAN = 4 * 255 / 2f;
    private static final double DEVIATION = Math.sqrt(4 * (256.0 * 256 - 1) / 12);
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
    public void row(WeightSpec weight, int row, float[] destination) {
        int columns = weight.columns();
        switch (weight.role()) {
            case EMBEDDING, HEAD, PROJECTION -> fill(weight, row, destination, 0, 1 / Math.sqrt(columns));
            case RESIDUAL_PROJECTION -> fill(weight, row, destination, 0, 1 / Math.sqrt(2.0 * layers * columns));
            case POSITIONS -> fill(weight, row, destination, 0, 0.5 / Math.sqrt(columns));
            case NORM_WEIGHT -> fill(weight, row, destination, 1, 0.05);
            case NORM_BIAS, PROJECTION_BIAS -> fill(weight, row, destination, 0, 0.02);
        }
    }

    private void fill(WeightSpec weight, int row, float[] destination, float mean, double deviation) {
        long counter = seed.part(weight.name()).part(row).value();
        float factor = (float) (deviation / DEVIATION);
        int columns = weight.columns();
        for (int column = 0; column < columns; column += 2) {
            long bits = Seed.mix(counter += GOLDEN);
            long pairs = (bits & BYTES) + ((bits >>> 8) & BYTES);
            long sums = (pairs & SUMS) + ((pairs >>> 16) & SUMS);
            destination[column] = mean + ((int) sums - MEAN) * factor;
            if (column + 1 < columns) {
                destination[column + 1] = mean + ((int) (sums >>> 32) - MEAN) * factor;
            }
        }
    }
}
