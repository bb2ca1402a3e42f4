package org.inferometer.engine.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.inferometer.engine.Shapes;
import org.inferometer.engine.WeightSpec;
import org.inferometer.engine.WeightSpec.WeightRole;
import org.junit.jupiter.api.Test;

class SyntheticWeightsTest {
    private final SyntheticWeights weights = new SyntheticWeights(Shapes.llama(), 42);

    private float[] row(String name, WeightRole role, int row, int columns) {
        float[] values = new float[columns];
        weights.row(new WeightSpec(name, role, 1000, columns), row, values);
        return values;
    }

    @Test
    void theSameRowIsTheSameEachTimeAndNoOther() {
        float[] row = row("a", WeightRole.PROJECTION, 3, 129);
        assertThat(row("a", WeightRole.PROJECTION, 3, 129)).isEqualTo(row);
        assertThat(row("a", WeightRole.PROJECTION, 4, 129)).isNotEqualTo(row);
        assertThat(row("b", WeightRole.PROJECTION, 3, 129)).isNotEqualTo(row);
    }

    @Test
    void thePublishedSeedGivesThePublishedValues() {
        // Engines are compared by hash across machines and versions: these values may never change.
        assertThat(row("a", WeightRole.PROJECTION, 0, 4)).containsExactly(-0.41051587f, 0.11433853f, -0.15153044f,
                0.35920364f);
    }

    @Test
    void valuesHaveTheSpreadThatKeepsActivationsInSize() {
        assertSpread(row("w", WeightRole.PROJECTION, 0, 100_001), 0, 1 / Math.sqrt(100_001));
        assertSpread(row("w", WeightRole.RESIDUAL_PROJECTION, 0, 100_001), 0, 1 / Math.sqrt(4 * 100_001.0));
        assertSpread(row("w", WeightRole.NORM_WEIGHT, 0, 100_001), 1, 0.05);
    }

    /// FP8 rounds the smallest values to zero, so an atom there would be seen by its kernels.
    @Test
    void noValueIsZeroAndTailsAreHeavierThanNormal() {
        float[] row = row("w", WeightRole.PROJECTION, 0, 1_000_000);
        double deviation = 1 / Math.sqrt(row.length);
        int zero = 0;
        int beyondThree = 0;
        double largest = 0;
        for (float value : row) {
            zero += value == 0 ? 1 : 0;
            beyondThree += Math.abs(value) > 3 * deviation ? 1 : 0;
            largest = Math.max(largest, Math.abs(value) / deviation);
        }
        assertThat(zero).isZero();
        assertThat(beyondThree / 1e6).isBetween(0.0045, 0.0055);
        assertThat(largest).isBetween(4.2, 4.66);
    }

    private static void assertSpread(float[] values, double mean, double deviation) {
        double sum = 0;
        double squares = 0;
        int withinOne = 0;
        double products = 0;
        for (int index = 0; index < values.length; index++) {
            double normal = (values[index] - mean) / deviation;
            sum += normal;
            squares += normal * normal;
            withinOne += Math.abs(normal) < 1 ? 1 : 0;
            products += index == 0 ? 0 : normal * (values[index - 1] - mean) / deviation;
        }
        assertThat(sum / values.length).isCloseTo(0, within(0.02));
        assertThat(squares / values.length).isCloseTo(1, within(0.02));
        assertThat((double) withinOne / values.length).isCloseTo(0.70, within(0.02));
        assertThat(products / values.length).isCloseTo(0, within(0.02));
    }
}
