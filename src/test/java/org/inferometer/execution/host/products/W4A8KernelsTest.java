package org.inferometer.execution.host.products;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.inferometer.engine.WeightMatrix;
import org.inferometer.execution.check.RandomModel;
import org.inferometer.execution.host.machine.Vectors;
import org.inferometer.execution.host.products.ActivationRows.IntegerFormat;
import org.inferometer.units.Seed;

/// The portable kernels for activations rounded to 8 bits, in lanes of 16 bits.
public class W4A8KernelsTest {
    private static final int GROUP = WeightMatrix.Int4.GROUP_COLUMNS;
    private static final int MOST = RoundedProducts.MOST;

    /// Activations that are integers up to 127 already stay as they are.
    @Property(tries = 40)
    public void integersGiveTheBitsOfTheFp32Kernels(@ForAll @IntRange(min = 1, max = 150) int outputs,
            @ForAll @IntRange(min = 1, max = 4_500) int inputs, @ForAll @IntRange(min = 1, max = 37) int rows,
            @ForAll @IntRange(max = 2) int width, @ForAll long seed) {
        int group = WeightMatrix.Int4.GROUPS.get(width);
        RandomGenerator random = new Seed(seed).generator();
        WeightMatrix.Int4 matrix = RandomModel.int4(outputs, inputs, group, random);
        RoundedProducts.assertBitsOfTheFp32Kernels(matrix, group, rows, random);
    }

    /// A single row of them is multiplied with four units by turns.
    @Property(tries = 8)
    void largeMatricesGiveTheSameBits(@ForAll @IntRange(max = 130) int more,
            @ForAll @IntRange(min = 1, max = 2_600) int inputs, @ForAll @IntRange(max = 2) int width,
            @ForAll long seed) {
        int group = WeightMatrix.Int4.GROUPS.get(width);
        RandomGenerator random = new Seed(seed).generator();
        int outputs = UnitProduct.LARGE_UNITS * Vectors.UNIT + more;
        RoundedProducts.assertBitsOfTheFp32Kernels(RandomModel.int4(outputs, inputs, group, random), group, 2, random);
    }

    /// Every sum here is an integer that a float holds.
    @Example
    public void largestSumsDoNotOverflow() {
        int inputs = 2 * GROUP + 40;
        float[][] x = new float[7][inputs];
        for (int row = 0; row < x.length; row++) {
            for (int i = 0; i < inputs; i++) {
                x[row][i] = switch (row % 4) {
                    case 0 -> MOST;
                    case 1 -> -MOST;
                    case 2 -> i % 2 == 0 ? MOST : -MOST;
                    default -> i % 8 < 4 ? -MOST : MOST;
                };
            }
        }
        for (int nibble : new int[]{0, 7, 8, 15}) {
            for (int zero : new int[]{0, 8, 15}) {
                for (int group : WeightMatrix.Int4.GROUPS) {
                    assertSums(constant(3, inputs, group, nibble, zero), x, nibble - zero);
                }
            }
        }
    }

    private static void assertSums(WeightMatrix.Int4 matrix, float[][] x, int weight) {
        float[][] expected = new float[x.length][3];
        for (int row = 0; row < x.length; row++) {
            float sum = 0;
            for (float value : x[row]) {
                sum += value * weight;
            }
            Arrays.fill(expected[row], sum);
        }
        assertThat(RoundedProducts.multiply(matrix, x, IntegerFormat.ROUNDED)).isDeepEqualTo(expected);
        assertThat(RoundedProducts.multiply(matrix, new float[][]{x[1]}, IntegerFormat.ROUNDED)[0])
                .containsExactly(expected[1]);
    }

    @Example
    void unroundableActivationsGiveZeroOrNaN() {
        WeightMatrix.Int4 matrix = RandomModel.int4(70, 300, 32, new Seed(5).generator());
        RoundedProducts.assertZeroOrNaNOfWhatCannotBeRounded(matrix);
    }

    private static WeightMatrix.Int4 constant(int outputs, int inputs, int group, int nibble, int zero) {
        byte[] nibbles = new byte[outputs * Math.ceilDiv(inputs, 2)];
        Arrays.fill(nibbles, (byte) (nibble << 4 | nibble));
        int groups = outputs * Math.ceilDiv(inputs, group);
        float[] scales = new float[groups];
        Arrays.fill(scales, 1f);
        byte[] zeros = new byte[groups];
        Arrays.fill(zeros, (byte) zero);
        return new WeightMatrix.Int4(outputs, inputs, group, MemorySegment.ofArray(nibbles), scales, zeros);
    }
}
