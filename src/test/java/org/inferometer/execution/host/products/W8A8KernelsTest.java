package org.inferometer.execution.host.products;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import jdk.incubator.vector.IntVector;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.inferometer.engine.WeightMatrix;
import org.inferometer.execution.check.RandomModel;
import org.inferometer.execution.host.kernels.Int8Groups;
import org.inferometer.execution.host.machine.Vectors;
import org.inferometer.execution.host.products.ActivationRows.IntegerFormat;
import org.inferometer.units.Seed;

/// The portable kernels of INT8 for activations rounded to 8 bits.
public class W8A8KernelsTest {
    private static final int GROUP = WeightMatrix.Int8.GROUP_COLUMNS;
    private static final int MOST = RoundedProducts.MOST;

    /// Activations that are integers up to 127 already stay as they are.
    @Property(tries = 40)
    public void integersGiveTheBitsOfTheFp32Kernels(@ForAll @IntRange(min = 1, max = 150) int outputs,
            @ForAll @IntRange(min = 1, max = 4_500) int inputs, @ForAll @IntRange(min = 1, max = 37) int rows,
            @ForAll long seed) {
        RandomGenerator random = new Seed(seed).generator();
        WeightMatrix matrix = RandomModel.int8(outputs, inputs, random);
        RoundedProducts.assertBitsOfTheFp32Kernels(matrix, GROUP, rows, random);
    }

    /// A single row of them is multiplied with four units by turns.
    @Property(tries = 8)
    void largeMatricesGiveTheSameBits(@ForAll @IntRange(max = 130) int more,
            @ForAll @IntRange(min = 1, max = 2_600) int inputs, @ForAll long seed) {
        RandomGenerator random = new Seed(seed).generator();
        int outputs = UnitProduct.LARGE_UNITS * Vectors.UNIT + more;
        RoundedProducts.assertBitsOfTheFp32Kernels(RandomModel.int8(outputs, inputs, random), GROUP, 2, random);
    }

    /// Every sum here is an integer that a float holds.
    @Example
    public void largestSumsDoNotOverflow() {
        int inputs = 2 * GROUP + 19;
        for (int code : new int[]{-128, -127, -1, 0, 1, MOST}) {
            byte[] codes = new byte[3 * inputs];
            Arrays.fill(codes, (byte) code);
            for (int pattern = 0; pattern < 4; pattern++) {
                float[][] x = new float[5][inputs];
                float[][] expected = new float[x.length][3];
                for (int row = 0; row < x.length; row++) {
                    float sum = 0;
                    for (int i = 0; i < inputs; i++) {
                        x[row][i] = (i >> (row + pattern) % 3 & 1) == 0 || pattern == 3 ? MOST : -MOST;
                        sum += x[row][i] * code;
                    }
                    Arrays.fill(expected[row], sum);
                }
                WeightMatrix matrix = new WeightMatrix.Int8(3, inputs, MemorySegment.ofArray(codes), halves(9, 1));
                assertThat(RoundedProducts.multiply(matrix, x, IntegerFormat.ROUNDED)).isDeepEqualTo(expected);
            }
        }
    }

    /// Subnormal, negative and large scales.
    @Example
    public void everyHalfIsWidenedExactly() {
        float[] widened = new float[Vectors.LANES];
        for (int half = 0; half < 1 << 16; half++) {
            float expected = Float.float16ToFloat((short) half);
            if (!Float.isFinite(expected)) {
                continue;
            }
            Int8Groups.scale(IntVector.broadcast(Vectors.INTS, half | 0x7BCD0000), 0).intoArray(widened, 0);
            assertThat(widened[0]).isEqualTo(expected);
            Int8Groups.scale(IntVector.broadcast(Vectors.INTS, half << 16 | 0x7BCD), 5).intoArray(widened, 0);
            assertThat(widened[Vectors.LANES - 1]).isEqualTo(expected);
        }
    }

    @Example
    void unroundableActivationsGiveZeroOrNaN() {
        WeightMatrix matrix = RandomModel.int8(70, 300, new Seed(5).generator());
        RoundedProducts.assertZeroOrNaNOfWhatCannotBeRounded(matrix);
    }

    private static MemorySegment halves(int count, float scale) {
        ByteBuffer bytes = ByteBuffer.allocate(2 * count).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < count; i++) {
            bytes.putShort(Float.floatToFloat16(scale));
        }
        return MemorySegment.ofArray(bytes.array());
    }
}
