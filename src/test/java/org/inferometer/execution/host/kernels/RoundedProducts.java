package org.inferometer.execution.host.kernels;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.inferometer.engine.WeightMatrix;

/// What holds for the portable kernels of INT4 and of INT8 alike, with activations rounded to 8 bits.
final class RoundedProducts {
    static final int MOST = 127;

    private RoundedProducts() {}

    static float[][] multiply(WeightMatrix matrix, float[][] x, Activations activations) {
        try (Arena arena = Arena.ofShared()) {
            return KernelTest.multiply(matrix, x, MatrixKind.portable(matrix, activations), arena);
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
        float[][] rounded = multiply(matrix, x, Activations.INT8);
        assertThat(rounded).isDeepEqualTo(multiply(matrix, x, Activations.FP32));
        int one = random.nextInt(rows);
        assertThat(multiply(matrix, new float[][]{x[one]}, Activations.INT8)[0]).containsExactly(rounded[one]);
    }

    static void assertZeroOrNaNOfWhatCannotBeRounded(WeightMatrix matrix) {
        float[] values = {0f, -0f, 1e-44f, 1e-33f, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, Float.NaN};
        float[][] x = new float[values.length][matrix.columns()];
        for (int row = 0; row < values.length; row++) {
            Arrays.fill(x[row], values[row]);
        }
        float[][] together = multiply(matrix, x, Activations.INT8);
        for (int row = 0; row < values.length; row++) {
            float expected = Float.isFinite(values[row]) ? 0f : Float.NaN;
            assertThat(together[row]).containsOnly(expected);
            assertThat(multiply(matrix, new float[][]{x[row]}, Activations.INT8)[0]).containsOnly(expected);
        }
    }
}
