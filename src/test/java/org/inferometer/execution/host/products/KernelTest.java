package org.inferometer.execution.host.products;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.random.RandomGenerator;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.inferometer.engine.E4m3;
import org.inferometer.engine.WeightMatrix;
import org.inferometer.execution.host.kernels.BlockKernels;
import org.inferometer.execution.host.kernels.Dequantization;
import org.inferometer.execution.host.kernels.PackedMatrix;
import org.inferometer.execution.host.kernels.PackedModel;
import org.inferometer.execution.host.machine.VectorMath;
import org.inferometer.execution.host.machine.Vectors;
import org.inferometer.units.Seed;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
public class KernelTest {
    @Example
    void everyFiniteE4m3CodeDecodesExactly() {
        for (int code = 0; code < 256; code++) {
            if ((code & 0x7F) == 0x7F) {
                continue;
            }
            IntVector words = IntVector.broadcast(Vectors.INTS, code << 24 | 0xFF5AA5);
            float[] decoded = new float[Vectors.LANES];
            Dequantization
                    .fp8Exact(words, IntVector.broadcast(Vectors.INTS, Dequantization.FP8_MAGNITUDE),
                            IntVector.broadcast(Vectors.INTS, Dequantization.FP8_EXPONENT),
                            IntVector.broadcast(Vectors.INTS, Dequantization.SIGN),
                            FloatVector.broadcast(Vectors.FLOATS, Dequantization.FP8_TWO),
                            FloatVector.broadcast(Vectors.FLOATS, Dequantization.FP8_OFFSET))
                    .mul(PackedMatrix.FP8_KERNEL_SCALE).intoArray(decoded, 0);
            assertThat(decoded[Vectors.LANES - 1]).isEqualTo(E4m3.decode((byte) code));
        }
    }

    @Example
    void shortDecodingDiffersByTheCorrection() {
        float[] decoded = new float[Vectors.LANES];
        for (int code = 0; code < 256; code++) {
            IntVector words = IntVector.broadcast(Vectors.INTS, code << 24 | 0xFF5AA5);
            Dequantization
                    .fp8(words, IntVector.broadcast(Vectors.INTS, Dequantization.FP8_MASK),
                            IntVector.broadcast(Vectors.INTS, Dequantization.FP8_EXPONENT))
                    .mul(PackedMatrix.FP8_KERNEL_SCALE).intoArray(decoded, 0);
            boolean exponent = (code & 0x78) != 0;
            float sign = code < 128 ? 1 : -1;
            float expected = (code & 0x7F) == 0x7F ? sign * 480 : E4m3.decode((byte) code);
            assertThat(decoded[0]).isEqualTo(exponent ? expected : sign * (1 + (code & 7) / 8f) * 0x1p-7f);
        }
    }

    /// Few codes without exponent are repaired, many go through the exact kernels: all agree with the rows of the matrix, and one
    /// row alone gives the same bits as the same row among others.
    @Property(tries = 40)
    public void fp8IsRightHoweverManyCodesHaveNoExponent(@ForAll @IntRange(min = 1, max = 100) int outputs,
            @ForAll @IntRange(min = 1, max = 300) int inputs, @ForAll @IntRange(min = 0, max = 3) int density,
            @ForAll long seed) {
        assertFp8(outputs, inputs, density, 9, seed);
    }

    private static void assertFp8(int outputs, int inputs, int density, int rows, long seed) {
        assertFp8(outputs, inputs, density, rows, 0, seed);
        assertFp8(outputs, inputs, density, rows, WeightMatrix.Fp8.GROUP_COLUMNS, seed);
    }

    private static void assertFp8(int outputs, int inputs, int density, int rows, int groupColumns, long seed) {
        RandomGenerator random = new Seed(seed).generator();
        byte[] codes = new byte[outputs * inputs];
        int oneIn = new int[]{4, 60, 2_000, Integer.MAX_VALUE}[density];
        for (int i = 0; i < codes.length; i++) {
            int code = random.nextInt(8, 127) | (random.nextBoolean() ? 0x80 : 0);
            codes[i] = (byte) (random.nextInt(oneIn) == 0 ? code & 0x87 : code);
        }
        float[] scales = new float[outputs * WeightMatrix.Fp8.groups(inputs, groupColumns)];
        for (int i = 0; i < scales.length; i++) {
            scales[i] = 0.01f * (1 + i % 7);
        }
        WeightMatrix.Fp8 flat = new WeightMatrix.Fp8(scales.length, 1, MemorySegment.ofArray(codes), scales);
        WeightMatrix matrix = new WeightMatrix.Fp8(outputs, inputs, groupColumns, flat.values(), flat.scales());
        ActivationRows input = inputOf(inputs, rows, MatrixKind.FP8, random);
        assertAgreement(matrix, input, rows, 1e-6);
        ActivationRows alone =
                new ActivationRows(inputs, BlockKernels.wholeTiles(1), ProductPlan.PORTABLE, Arena.ofAuto());
        System.arraycopy(input.values, (rows - 1) * input.stride, alone.values, 0, inputs);
        alone.prepare(0, 1, false, new float[Vectors.LANES]);
        assertThat(multiply(matrix, alone, 1)[0]).containsExactly(multiply(matrix, input, rows)[rows - 1]);
    }

    /// One row of any number of rows has the bits of that row alone.
    @Property(tries = 60)
    public void rowHasTheSameBitsInAnyBatch(@ForAll MatrixKind kind, @ForAll @IntRange(min = 1, max = 100) int outputs,
            @ForAll @IntRange(min = 1, max = 300) int inputs, @ForAll @IntRange(min = 2, max = 26) int rows,
            @ForAll long seed) {
        RandomGenerator random = new Seed(seed).generator();
        WeightMatrix matrix = kind.matrix(outputs, inputs, random);
        ActivationRows input = inputOf(inputs, rows, kind, random);
        float[][] together = multiply(matrix, input, rows);
        for (int row = 0; row < rows; row++) {
            ActivationRows alone =
                    new ActivationRows(inputs, BlockKernels.wholeTiles(1), kind.portable(), Arena.ofAuto());
            System.arraycopy(input.values, row * input.stride, alone.values, 0, inputs);
            alone.prepare(0, 1, kind.isInteger(), new float[Vectors.LANES]);
            assertThat(multiply(matrix, alone, 1)[0]).containsExactly(together[row]);
        }
    }

    /// Rows of 5,000 inputs go in panels of 32; 97 to 112 leave one to sixteen for the last.
    @Property(tries = 8)
    public void rowHasTheSameBitsInAnyPanel(@ForAll MatrixKind kind, @ForAll @IntRange(min = 97, max = 112) int rows,
            @ForAll long seed) {
        rowHasTheSameBitsInAnyBatch(kind, 70, 5_000, rows, seed);
        assertFp8(40, 5_000, 2, rows, seed);
    }

    /// An output may differ by 1e-6 of the sum of its absolute products, plus 1e-6; INT4, whose chains carry the ones of its
    /// decoding, by 2e-5.
    @Property(tries = 60)
    public void productsAgreeWithTheRowsOfTheMatrix(@ForAll MatrixKind kind,
            @ForAll @IntRange(min = 1, max = 150) int outputs, @ForAll @IntRange(min = 1, max = 300) int inputs,
            @ForAll @IntRange(min = 1, max = 21) int rows, @ForAll long seed) {
        RandomGenerator random = new Seed(seed).generator();
        WeightMatrix matrix = kind.matrix(outputs, inputs, random);
        assertAgreement(matrix, inputOf(inputs, rows, kind, random), rows, kind.isInteger() ? 2e-5 : 1e-6);
    }

    private static ActivationRows inputOf(int inputs, int rows, MatrixKind kind, RandomGenerator random) {
        ActivationRows input =
                new ActivationRows(inputs, BlockKernels.wholeTiles(rows), kind.portable(), Arena.ofAuto());
        for (int row = 0; row < rows; row++) {
            for (int i = 0; i < inputs; i++) {
                input.values[row * input.stride + i] = (float) random.nextGaussian();
            }
        }
        for (int tile = 0; tile * ActivationRows.TILE < rows; tile++) {
            input.prepare(tile, rows, kind.isInteger(), new float[Vectors.LANES]);
        }
        return input;
    }

    private static void assertAgreement(WeightMatrix matrix, ActivationRows input, int rows, double slack) {
        float[][] actual = multiply(matrix, input, rows);
        int inputs = matrix.columns();
        float[] weights = new float[inputs];
        for (int output = 0; output < matrix.rows(); output++) {
            matrix.row(output, weights, 0);
            for (int row = 0; row < rows; row++) {
                double sum = 0;
                double magnitude = 0;
                for (int i = 0; i < inputs; i++) {
                    double product = (double) weights[i] * input.values[row * input.stride + i];
                    sum += product;
                    magnitude += Math.abs(product);
                }
                assertThat((double) actual[row][output]).isCloseTo(sum, offset(slack * (magnitude + 1)));
            }
        }
    }

    @Property(tries = 100)
    void vectorAndScalarExponentialAreEqual(@ForAll long seed) {
        RandomGenerator random = new Seed(seed).generator();
        float[] x = new float[Vectors.LANES];
        for (int i = 0; i < x.length; i++) {
            x[i] = (float) (random.nextGaussian() * 30);
        }
        float[] vector = new float[x.length];
        VectorMath.exp(FloatVector.fromArray(Vectors.FLOATS, x, 0)).intoArray(vector, 0);
        for (int i = 0; i < x.length; i++) {
            assertThat(vector[i]).isEqualTo(VectorMath.exp(x[i]));
            double expected = Math.exp(Math.clamp(x[i], -87, 88));
            assertThat((double) vector[i]).isCloseTo(expected, offset(3e-7 * expected));
        }
    }

    @Property(tries = 50)
    void activationsAgreeWithTheirFormulas(@ForAll long seed) {
        RandomGenerator random = new Seed(seed).generator();
        float[] x = new float[Vectors.LANES];
        for (int i = 0; i < x.length; i++) {
            x[i] = (float) (random.nextGaussian() * 8);
        }
        float[] silu = new float[x.length];
        float[] gelu = new float[x.length];
        FloatVector input = FloatVector.fromArray(Vectors.FLOATS, x, 0);
        VectorMath.silu(input).intoArray(silu, 0);
        VectorMath.gelu(input).intoArray(gelu, 0);
        for (int i = 0; i < x.length; i++) {
            double u = x[i];
            assertThat((double) silu[i]).isCloseTo(u / (1 + Math.exp(-u)), offset(1e-6 * (1 + Math.abs(u))));
            double tanh = Math.tanh(Math.sqrt(2 / Math.PI) * (u + 0.044715 * u * u * u));
            assertThat((double) gelu[i]).isCloseTo(0.5 * u * (1 + tanh), offset(1e-6 * (1 + Math.abs(u))));
        }
    }

    private static float[][] multiply(WeightMatrix matrix, ActivationRows input, int rows) {
        return multiply(matrix, input, rows, new UnitProduct(rows, ProductPlan.PORTABLE, Arena.ofAuto()));
    }

    /// The products of rows `x` under a plan, `[rows][outputs]`.
    public static float[][] multiply(WeightMatrix matrix, float[][] x, ProductPlan plan, Arena arena) {
        int rows = x.length;
        ActivationRows input = new ActivationRows(matrix.columns(), BlockKernels.wholeTiles(rows), plan, arena);
        for (int row = 0; row < rows; row++) {
            System.arraycopy(x[row], 0, input.values, row * input.stride, x[row].length);
        }
        for (int tile = 0; tile * ActivationRows.TILE < rows; tile++) {
            input.prepare(tile, rows, matrix.precision().isInteger(), new float[Vectors.LANES]);
        }
        return multiply(matrix, input, rows, new UnitProduct(rows, plan, arena));
    }

    /// The products of every row, `[rows][outputs]`.
    public static float[][] multiply(WeightMatrix matrix, ActivationRows input, int rows, UnitProduct product) {
        try (Arena arena = Arena.ofConfined()) {
            PackedMatrix packed = new PackedMatrix(matrix, arena);
            for (int unit = 0; unit < packed.units(); unit++) {
                packed.packUnit(unit);
            }
            LinearProjections section = new LinearProjections(new UnitProduct[]{product}, rows, input);
            int stride = Vectors.stride(matrix.rows());
            float[] out = new float[BlockKernels.wholeTiles(rows) * stride];
            section.begin(input, rows, ProductEpilogue.STORE);
            section.add(new PackedModel.Linear(packed, new float[0]), out, stride);
            for (int item = 0; item < section.items(); item++) {
                section.run(0, item);
            }
            float[][] result = new float[rows][];
            for (int row = 0; row < rows; row++) {
                result[row] = java.util.Arrays.copyOfRange(out, row * stride, row * stride + matrix.rows());
            }
            return result;
        }
    }
}
