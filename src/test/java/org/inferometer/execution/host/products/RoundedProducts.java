package org.inferometer.execution.host.products;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.inferometer.engine.WeightMatrix;
import org.inferometer.execution.host.products.ActivationRows.IntegerFormat;

/// What holds for the portable kernels of INT4 and of INT8 alike, with activations rounded to 8 bits.
final class RoundedProducts {
    static final int MOST = 127;

    private RoundedProducts() {}

    static float[][] multiply(WeightMatrix matrix, float[][] x, IntegerFormat format) {
        try (Arena arena = Arena.ofShared()) {
            return KernelTest.multiply(matrix, x, MatrixKind.integers(matrix, format, null), arena);
        }
    }

    /// Activations that are integers up to 127 already stay as they are.
    ///
    /// @param group inputs of a group
    static void assertBitsOfTheFp32Kernels(WeightMatrix matrix, int group, int rows, RandomGenerator random) {
        float[][] x = new float[rows][matrix.columns()];
        for (float[] row : x) {
            for (int i = 0; i < row.length; i++) {
                row[i] = i % group == 0 ? MOST : random.nextInt(-MOST, MOST + 1);
            }
        }
        float[][] rounded = multiply(matrix, x, IntegerFormat.ROUNDED);
        assertThat(rounded).isDeepEqualTo(multiply(matrix, x, IntegerFormat.EXACT));
        int one = random.nextInt(rows);
        assertThat(multiply(matrix, new float[][]{x[one]}, IntegerFormat.ROUNDED)[0]).containsExactly(rounded[one]);
    }

    static void assertZeroOrNaNOfWhatCannotBeRounded(WeightMatrix matrix) {
        float[] values = {0f, -0f, 1e-44f, 1e-33f, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, Float.NaN};
        float[][] x = new float[values.length][matrix.columns()];
        for (int row = 0; row < values.length; row++) {
            Arrays.fill(x[row], values[row]);
        }
        float[][] together = multiply(matrix, x, IntegerFormat.ROUNDED);
        for (int row = 0; row < values.length; row++) {
            float expected = Float.isFinite(values[row]) ? 0f : Float.NaN;
            assertThat(together[row]).containsOnly(expected);
            assertThat(multiply(matrix, new float[][]{x[row]}, IntegerFormat.ROUNDED)[0]).containsOnly(expected);
        }
    }
}
