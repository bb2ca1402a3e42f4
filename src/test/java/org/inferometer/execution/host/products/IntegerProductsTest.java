package org.inferometer.execution.host.products;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.Set;
import java.util.random.RandomGenerator;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AddLifecycleHook;
import org.inferometer.engine.WeightMatrix;
import org.inferometer.execution.check.RandomModel;
import org.inferometer.execution.host.products.ActivationRows.IntegerFormat;
import org.inferometer.units.Seed;
import org.jspecify.annotations.Nullable;

/// INT4 and INT8 products with activations rounded to 8 bits: the portable kernels against plain integers, oneDNN against the portable
/// kernels to the bit, both at any number of rows.
public class IntegerProductsTest {
    /// An output may differ from the exact sum by 4e-7 of the sum of its groups' magnitudes: only adding the groups rounds.
    @Property(tries = 40)
    public void roundedProductsEqualPlainIntegers(@ForAll @IntRange(min = 1, max = 150) int outputs,
            @ForAll @IntRange(min = 1, max = 2_700) int inputs, @ForAll @IntRange(min = 1, max = 21) int rows,
            @ForAll @IntRange(max = 3) int kind, @ForAll long seed) {
        RandomGenerator random = new Seed(seed).generator();
        WeightMatrix matrix = MatrixKind.integers(kind, outputs, inputs, random);
        int columns = MatrixKind.groupColumns(matrix);
        float[][] x = rows(rows, inputs, random);
        float[][] actual = multiply(matrix, x, IntegerFormat.ROUNDED, null);
        float[] weights = new float[inputs];
        for (int output = 0; output < outputs; output++) {
            matrix.row(output, weights, 0);
            for (int row = 0; row < rows; row++) {
                double sum = 0;
                double magnitude = 0;
                for (int from = 0; from < inputs; from += columns) {
                    int to = Math.min(from + columns, inputs);
                    float largest = 0;
                    for (int k = from; k < to; k++) {
                        largest = Math.max(largest, Math.abs(x[row][k]));
                    }
                    double factor = largest / 127;
                    double group = 0;
                    for (int k = from; k < to; k++) {
                        // The product is rounded once, to an integer: rounding it to a float first would move halves.
                        double code = Math.rint((double) x[row][k] * (127 / largest));
                        group += code * factor * weights[k];
                    }
                    sum += group;
                    magnitude += Math.abs(group);
                }
                assertThat((double) actual[row][output]).isCloseTo(sum,
                        offset(4e-7 * Math.ceilDiv(inputs, columns) * (magnitude + 1e-9)));
            }
        }
    }

    @Property(tries = 60)
    @AddLifecycleHook(OneDnnHere.Integers.class)
    public void oneDnnGivesTheBitsOfThePortableKernels(@ForAll @IntRange(min = 1, max = 150) int outputs,
            @ForAll @IntRange(min = 1, max = 4_500) int inputs, @ForAll @IntRange(min = 1, max = 150) int rows,
            @ForAll @IntRange(max = 3) int kind, @ForAll long seed) throws IOException {
        RandomGenerator random = new Seed(seed).generator();
        WeightMatrix matrix = MatrixKind.integers(kind, outputs, inputs, random);
        float[][] x = rows(rows, inputs, random);
        try (IntegerProducts integers = open(matrix, rows)) {
            float[][] together = multiply(matrix, x, IntegerFormat.ROUNDED_BYTES, integers);
            assertThat(together).isDeepEqualTo(multiply(matrix, x, IntegerFormat.ROUNDED, null));
            int one = random.nextInt(rows);
            assertThat(multiply(matrix, new float[][]{x[one]}, IntegerFormat.ROUNDED_BYTES, integers)[0])
                    .containsExactly(together[one]);
        }
    }

    @Example
    @AddLifecycleHook(OneDnnHere.Integers.class)
    void extremeActivationsGiveTheSameBits() throws IOException {
        assertExtremeActivations(RandomModel.int4(70, 300, 128, new Seed(5).generator()));
        assertExtremeActivations(RandomModel.int8(70, 300, new Seed(5).generator()));
    }

    private static void assertExtremeActivations(WeightMatrix matrix) throws IOException {
        float[] values = {0f, -0f, 1e-44f, 1e-33f, 3e38f, -3e38f, Float.POSITIVE_INFINITY, Float.NaN, 1f, -1f};
        float[][] x = new float[values.length][300];
        for (int row = 0; row < values.length; row++) {
            Arrays.fill(x[row], values[row]);
        }
        try (IntegerProducts integers = open(matrix, x.length)) {
            float[][] bytes = multiply(matrix, x, IntegerFormat.ROUNDED_BYTES, integers);
            float[][] portable = multiply(matrix, x, IntegerFormat.ROUNDED, null);
            // Other than the assertion on arrays, this holds one NaN equal to another.
            assertThat(Arrays.deepEquals(bytes, portable)).isTrue();
            assertThat(portable[0]).containsOnly(0f);
            assertThat(portable[2]).containsOnly(0f);
            assertThat(portable[6]).containsOnly(Float.NaN);
            assertThat(portable[7]).containsOnly(Float.NaN);
        }
    }

    private static IntegerProducts open(WeightMatrix matrix, int rows) throws IOException {
        int columns = MatrixKind.groupColumns(matrix);
        return IntegerProducts.open(columns, Set.of(Math.ceilDiv(matrix.columns(), columns)), rows);
    }

    private static float[][] rows(int rows, int inputs, RandomGenerator random) {
        float[][] x = new float[rows][inputs];
        for (float[] row : x) {
            float scale = (float) Math.exp(3 * random.nextGaussian());
            for (int i = 0; i < inputs; i++) {
                row[i] = scale * (float) random.nextGaussian();
            }
        }
        return x;
    }

    private static float[][] multiply(WeightMatrix matrix, float[][] x, IntegerFormat format,
            @Nullable IntegerProducts integers) {
        try (Arena arena = Arena.ofShared()) {
            return KernelTest.multiply(matrix, x, MatrixKind.integers(matrix, format, integers), arena);
        }
    }
}
