package org.inferometer.execution.host.products;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Set;
import java.util.random.RandomGenerator;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AddLifecycleHook;
import org.inferometer.engine.Bfloat16;
import org.inferometer.engine.E4m3;
import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightMatrix;
import org.inferometer.execution.check.RandomModel;
import org.inferometer.execution.host.products.FloatProducts.FloatFormat;
import org.inferometer.execution.host.products.FloatProducts.SumOrder;
import org.inferometer.units.Seed;

/// Products of converted weights by oneDNN, whatever it computes them with on this processor, against sums in double precision of
/// what each format says that it rounds.
///
/// An output may differ by 1e-6 of the sum of its absolute products, plus 1e-6: the FP32 sums. Against operands that are not rounded
/// that makes 2^-9 of the same sum for BF16's activations, and as much again for weights with scales of groups.
public class FloatProductsTest {
    @Property(tries = 40)
    @AddLifecycleHook(OneDnnHere.Fp32.class)
    void fp32RoundsNothingButTheSums(@ForAll MatrixKind kind, @ForAll @IntRange(min = 1, max = 150) int outputs,
            @ForAll @IntRange(min = 1, max = 2_500) int inputs, @ForAll @IntRange(min = 1, max = 130) int rows,
            @ForAll long seed) throws IOException {
        assertProducts(FloatFormat.FP32, kind, outputs, inputs, rows, seed);
    }

    /// Few and small, because a processor without the instructions takes tens of nanoseconds a multiplication.
    @Property(tries = 20)
    @AddLifecycleHook(OneDnnHere.Bf16.class)
    void bf16RoundsActivationsAndScaledWeights(@ForAll MatrixKind kind,
            @ForAll @IntRange(min = 1, max = 100) int outputs, @ForAll @IntRange(min = 1, max = 200) int inputs,
            @ForAll @IntRange(min = 1, max = 130) int rows, @ForAll long seed) throws IOException {
        assertProducts(FloatFormat.BF16, kind, outputs, inputs, rows, seed);
    }

    @Example
    @AddLifecycleHook(OneDnnHere.Fp32.class)
    void rowsOfSeveralBlocksAreAddedUpInFp32() throws IOException {
        for (MatrixKind kind : MatrixKind.values()) {
            assertProducts(FloatFormat.FP32, kind, 70, 2_100, 300, 5);
        }
    }

    @Example
    @AddLifecycleHook(OneDnnHere.Bf16.class)
    void rowsOfSeveralBlocksAreAddedUpInBf16() throws IOException {
        for (MatrixKind kind : MatrixKind.values()) {
            assertProducts(FloatFormat.BF16, kind, 33, 1_100, 3, 4);
        }
    }

    @Example
    @AddLifecycleHook(OneDnnHere.Fp32.class)
    void whatIsNotANumberStaysSoAndInItsRowInFp32() throws IOException {
        assertNotANumberStays(FloatFormat.FP32);
    }

    @Example
    @AddLifecycleHook(OneDnnHere.Bf16.class)
    void whatIsNotANumberStaysSoAndInItsRowInBf16() throws IOException {
        assertNotANumberStays(FloatFormat.BF16);
    }

    private static void assertNotANumberStays(FloatFormat format) throws IOException {
        WeightMatrix matrix = RandomModel.matrix(40, 70, Precision.BF16, new Seed(1).generator());
        float[][] x = new float[9][70];
        x[0][3] = Float.NaN;
        x[1][4] = Float.intBitsToFloat(0x7FFFFFFF);
        x[2][5] = Float.intBitsToFloat(0x7F800001);
        float[][] products = multiply(MatrixKind.BF16, matrix, x, format);
        for (int row = 0; row < 3; row++) {
            assertThat(products[row]).containsOnly(Float.NaN);
        }
        for (int row = 3; row < 9; row++) {
            assertThat(products[row]).containsOnly(0f);
        }
    }

    /// Fewer rows than the choice names take the portable kernels, and give their bits.
    @Example
    @AddLifecycleHook(OneDnnHere.Fp32.class)
    void fewerRowsUseThePortableKernels() throws IOException {
        RandomGenerator random = new Seed(2).generator();
        WeightMatrix matrix = RandomModel.matrix(70, 300, Precision.INT4, random);
        float[][] x = rows(11, 300, random);
        try (FloatProducts products = open(FloatFormat.FP32, 300, 12); Arena arena = Arena.ofShared()) {
            BatchedProduct chosen = new BatchedProduct(products, SumOrder.UNKNOWN, 12, "");
            assertThat(KernelTest.multiply(matrix, x, new ProductPlan(IntegerPlan.EXACT, chosen), arena))
                    .isDeepEqualTo(KernelTest.multiply(matrix, x, ProductPlan.PORTABLE, arena));
        }
    }

    @Property(tries = 40)
    @AddLifecycleHook(OneDnnHere.Bf16.class)
    void aRowHasTheSameBitsBesideAnyOthersInBf16(@ForAll MatrixKind kind,
            @ForAll @IntRange(min = 1, max = 100) int outputs, @ForAll @IntRange(min = 1, max = 1_300) int inputs,
            @ForAll @IntRange(min = 2, max = 300) int rows, @ForAll long seed) throws IOException {
        assertSameBits(FloatFormat.BF16, kind, outputs, inputs, rows, seed);
    }

    @Property(tries = 40)
    @AddLifecycleHook(OneDnnHere.Fp32.class)
    void aRowHasTheSameBitsBesideAnyOthersInFp32(@ForAll MatrixKind kind,
            @ForAll @IntRange(min = 1, max = 100) int outputs, @ForAll @IntRange(min = 1, max = 2_500) int inputs,
            @ForAll @IntRange(min = 2, max = 600) int rows, @ForAll long seed) throws IOException {
        assertSameBits(FloatFormat.FP32, kind, outputs, inputs, rows, seed);
    }

    /// One FP8 unit in two has many codes without exponent; groups of FP8 are scaled one by one.
    @Property(tries = 60)
    @AddLifecycleHook(OneDnnHere.Ordered.class)
    void manyRowsHaveTheBitsOfThePortableKernels(@ForAll boolean fp8, @ForAll boolean groups,
            @ForAll @IntRange(min = 0, max = 2) int tiny, @ForAll @IntRange(min = 1, max = 100) int outputs,
            @ForAll @IntRange(min = 1, max = 2_100) int inputs, @ForAll @IntRange(min = 1, max = 70) int rows,
            @ForAll long seed) throws IOException {
        RandomGenerator random = new Seed(seed).generator();
        WeightMatrix matrix = fp8
                ? RandomModel.fp8(outputs, inputs, groups ? WeightMatrix.Fp8.GROUP_COLUMNS : 0,
                        new int[]{10, 2_000, 1 << 20}[tiny], random)
                : RandomModel.matrix(outputs, inputs, Precision.BF16, random);
        float[][] x = rows(rows, inputs, random);
        try (FloatProducts products = open(FloatFormat.BF16, inputs, rows); Arena arena = Arena.ofShared()) {
            SumOrder order = products.sumOrder();
            float[][] converted = KernelTest.multiply(matrix, x, from(products, order, 1), arena);
            ProductPlan portable = from(products, order, rows + 1);
            assertThat(KernelTest.multiply(matrix, x, portable, arena)).isDeepEqualTo(converted);
            assertThat(KernelTest.multiply(matrix, new float[][]{x[rows - 1]}, portable, arena)[0])
                    .isEqualTo(converted[rows - 1]);
        }
    }

    @Property(tries = 30)
    @AddLifecycleHook(OneDnnHere.Bf16.class)
    void aSingleRowOfBf16IsAddedUpAsMatrixTilesDo(@ForAll @IntRange(min = 1, max = 70) int outputs,
            @ForAll @IntRange(min = 1, max = 3_200) int inputs, @ForAll long seed) throws IOException {
        RandomGenerator random = new Seed(seed).generator();
        WeightMatrix matrix = RandomModel.matrix(outputs, inputs, Precision.BF16, random);
        float[] x = rows(1, inputs, random)[0];
        float[] expected = new float[outputs];
        float[] weights = new float[inputs];
        for (int output = 0; output < outputs; output++) {
            matrix.row(output, weights, 0);
            expected[output] = inTiles(weights, x);
        }
        assertThat(singleRow(matrix, x)).isEqualTo(expected);
    }

    /// Where many codes have no exponent, and where none lacks it: a few are corrected after the sum.
    @Property(tries = 30)
    @AddLifecycleHook(OneDnnHere.Bf16.class)
    void aSingleRowOfFp8IsAddedUpAsMatrixTilesDo(@ForAll boolean exact,
            @ForAll @IntRange(min = 1, max = 70) int outputs, @ForAll @IntRange(min = 8, max = 3_200) int inputs,
            @ForAll long seed) throws IOException {
        RandomGenerator random = new Seed(seed).generator();
        float[] scales = new float[outputs];
        byte[] codes = new byte[outputs * inputs];
        float[] expected = new float[outputs];
        float[] weights = new float[inputs];
        float[] x = rows(1, inputs, random)[0];
        for (int output = 0; output < outputs; output++) {
            scales[output] = random.nextFloat() / 100;
            for (int i = 0; i < inputs; i++) {
                float value = random.nextBoolean() ? random.nextFloat(1, 448) : -random.nextFloat(1, 448);
                byte code = E4m3.encode(exact && i % 3 == 0 ? value / 30_000 : value);
                codes[output * inputs + i] = code;
                weights[i] = E4m3.decode(code);
            }
            expected[output] = inTiles(weights, x) * scales[output];
        }
        assertThat(singleRow(new WeightMatrix.Fp8(outputs, inputs, MemorySegment.ofArray(codes), scales), x))
                .isEqualTo(expected);
    }

    private static float[] singleRow(WeightMatrix matrix, float[] x) throws IOException {
        try (FloatProducts products = open(FloatFormat.BF16, matrix.columns(), 8); Arena arena = Arena.ofShared()) {
            return KernelTest.multiply(matrix, new float[][]{x}, from(products, SumOrder.TILES, 2), arena)[0];
        }
    }

    /// Blocks of 2,048 inputs, the last up to 1,024 longer.
    private static float inTiles(float[] weights, float[] x) {
        int padded = Math.ceilDiv(x.length, 64) * 64;
        float total = 0;
        float block = 0;
        for (int first = 0; first < x.length; first += 32) {
            if (first > 0 && first % 2_048 == 0 && padded - first > 1_024) {
                total += block;
                block = 0;
            }
            float[] sums = new float[2];
            for (int i = first; i < Math.min(x.length, first + 32); i++) {
                sums[i % 2] = Math.fma(weights[i], Bfloat16.decode(Bfloat16.encode(x[i])), sums[i % 2]);
            }
            block += sums[0] + sums[1];
        }
        return total + block;
    }

    private static ProductPlan from(FloatProducts products, SumOrder order, int fewestRows) {
        return new ProductPlan(IntegerPlan.EXACT, new BatchedProduct(products, order, fewestRows, ""));
    }

    private static void assertSameBits(FloatFormat format, MatrixKind kind, int outputs, int inputs, int rows,
            long seed) throws IOException {
        RandomGenerator random = new Seed(seed).generator();
        WeightMatrix matrix = kind.matrix(outputs, inputs, random);
        float[][] x = rows(rows, inputs, random);
        float[][] together = multiply(kind, matrix, x, format);
        int from = random.nextInt(rows);
        int to = random.nextInt(from + 1, rows + 1);
        float[][] part = multiply(kind, matrix, Arrays.copyOfRange(x, from, to), format);
        assertThat(part).isDeepEqualTo(Arrays.copyOfRange(together, from, to));
    }

    public static void assertProducts(FloatFormat format, MatrixKind kind, int outputs, int inputs, int rows, long seed)
            throws IOException {
        RandomGenerator random = new Seed(seed).generator();
        WeightMatrix matrix = kind.matrix(outputs, inputs, random);
        float[][] x = rows(rows, inputs, random);
        float[][] actual = multiply(kind, matrix, x, format);
        boolean bf16 = format == FloatFormat.BF16;
        float[] weights = new float[inputs];
        for (int output = 0; output < outputs; output++) {
            matrix.row(output, weights, 0);
            for (int row = 0; row < rows; row++) {
                double sum = 0;
                double magnitude = 0;
                for (int i = 0; i < inputs; i++) {
                    double weight =
                            bf16 && kind.isScaledInGroups() ? Bfloat16.decode(Bfloat16.encode(weights[i])) : weights[i];
                    double product = weight * (bf16 ? Bfloat16.decode(Bfloat16.encode(x[row][i])) : x[row][i]);
                    sum += product;
                    magnitude += Math.abs(product);
                }
                assertThat((double) actual[row][output]).isCloseTo(sum, offset(1e-6 * (magnitude + 1)));
            }
        }
    }

    private static float[][] rows(int rows, int inputs, RandomGenerator random) {
        float[][] x = new float[rows][inputs];
        for (float[] row : x) {
            for (int i = 0; i < inputs; i++) {
                row[i] = (float) random.nextGaussian();
            }
        }
        return x;
    }

    private static float[][] multiply(MatrixKind kind, WeightMatrix matrix, float[][] x, FloatFormat format)
            throws IOException {
        try (FloatProducts products = open(format, matrix.columns(), x.length); Arena arena = Arena.ofShared()) {
            return KernelTest.multiply(matrix, x, kind.plan(new BatchedProduct(products, SumOrder.UNKNOWN, 1, "")),
                    arena);
        }
    }

    private static FloatProducts open(FloatFormat format, int inputs, int rows) throws IOException {
        return FloatProducts.open(format, Set.of(inputs), true, rows);
    }
}
