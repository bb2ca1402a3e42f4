package org.inferometer.execution.host.products;

import static org.inferometer.execution.host.machine.Vectors.BYTES;
import static org.inferometer.execution.host.machine.Vectors.FLOATS;
import static org.inferometer.execution.host.machine.Vectors.INTS;
import static org.inferometer.execution.host.machine.Vectors.LANES;
import static org.inferometer.execution.host.machine.Vectors.UNIT;
import static org.inferometer.execution.host.machine.Vectors.ints;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import org.inferometer.execution.host.kernels.GroupedRows;
import org.inferometer.execution.host.kernels.Int4Groups;
import org.inferometer.execution.host.kernels.Int8Groups;
import org.inferometer.execution.host.kernels.PackedMatrix;

/// Converts nibbles or packed bytes to the blocks of an integer product of INT4 or INT8 weights, and its sums to floats.
///
/// The bytes of a word of nibbles have inputs 0, 2, 4, 6 in their low nibbles and 1, 3, 5, 7 in their high nibbles, so a word gives two
/// quads of inputs without moves. Activations have the same order (`ActivationRows`).
public final class IntegerKernels {
    /// Outputs of a line: two units.
    static final int WIDTH = 2 * UNIT;
    /// Offset that makes activations unsigned, as the processor's byte products require.
    public static final int OFFSET = 128;

    private static final int LINE = PackedMatrix.LINE_BYTES;
    private static final int QUAD_BYTES = 4 * WIDTH;
    private static final int NIBBLES = 0x0F0F0F0F;
    private static final int HIGH = 4;
    private static final int EVEN_BYTES = 0x00FF00FF;
    private static final int EACH_BYTE = 0x01010101;
    private static final int ODD_SIGNS = 0x80008000;
    /// Codes in a word of INT8, and what makes them unsigned in the sums.
    private static final int BYTES_OFFSET = 4 * OFFSET;
    private static final int WORD_INPUTS = 8;
    /// Of the sums of a group: the scale of its rounded inputs.
    private static final int FACTOR = 2;
    /// Floats of the tables of a group.
    static final int TABLES = 2 * WIDTH;

    private IntegerKernels() {}

    /// Spreads a group of one unit: weights less their zero points as bytes, and what [#tables] needs of them.
    ///
    /// Segments are sliced to the range of the loop, so that its counter is an `int` from zero. With longer offsets the
    /// compiler checks every access, which took most of the time.
    ///
    /// @param from first byte of the group's words
    /// @param header of the group's zero points, which are subtracted
    /// @param to `[inputs / 4][WIDTH][4]` from byte `at` on, of which every other unit is written
    /// @param sums `[2][UNIT]`: bytes that each hold the sum of the codes in their place, of even and of odd inputs
    static void spread(MemorySegment w, long from, long header, int words, MemorySegment to, long at, int[] sums) {
        MemorySegment lines = w.asSlice(from, (long) words * LINE);
        MemorySegment quads = to.asSlice(at, (long) words * (2 * QUAD_BYTES) - LINE);
        // A byte holds the sum of one nibble of each of a group's words, sixteen at most.
        IntVector nibbles = IntVector.broadcast(INTS, NIBBLES);
        ByteVector zero0 = zeroBytes(w, header);
        ByteVector zero1 = zeroBytes(w, header + BYTES);
        IntVector lowSum0 = IntVector.zero(INTS);
        IntVector lowSum1 = lowSum0;
        IntVector highSum0 = lowSum0;
        IntVector highSum1 = lowSum0;
        for (int i = 0; i < words; i++) {
            IntVector w0 = ints(lines, i * LINE);
            IntVector w1 = ints(lines, i * LINE + BYTES);
            IntVector low0 = w0.and(nibbles);
            IntVector low1 = w1.and(nibbles);
            IntVector high0 = w0.lanewise(VectorOperators.LSHR, HIGH).and(nibbles);
            IntVector high1 = w1.lanewise(VectorOperators.LSHR, HIGH).and(nibbles);
            lowSum0 = lowSum0.add(low0);
            lowSum1 = lowSum1.add(low1);
            highSum0 = highSum0.add(high0);
            highSum1 = highSum1.add(high1);
            int quad = i * (2 * QUAD_BYTES);
            centred(low0, zero0).intoMemorySegment(quads, quad, ByteOrder.nativeOrder());
            centred(low1, zero1).intoMemorySegment(quads, quad + BYTES, ByteOrder.nativeOrder());
            centred(high0, zero0).intoMemorySegment(quads, quad + QUAD_BYTES, ByteOrder.nativeOrder());
            centred(high1, zero1).intoMemorySegment(quads, quad + QUAD_BYTES + BYTES, ByteOrder.nativeOrder());
        }
        lowSum0.intoArray(sums, 0);
        lowSum1.intoArray(sums, LANES);
        highSum0.intoArray(sums, UNIT);
        highSum1.intoArray(sums, UNIT + LANES);
    }

    /// The zero point of each output in its four bytes.
    private static ByteVector zeroBytes(MemorySegment w, long header) {
        return ints(w, header).and(PackedMatrix.ZERO_POINT_BITS).mul(EACH_BYTE).reinterpretAsBytes();
    }

    private static ByteVector centred(IntVector codes, ByteVector zero) {
        return codes.reinterpretAsBytes().sub(zero);
    }

    /// The tables of a group of one unit, from its header and the sums that [#spread] left.
    ///
    /// @param tables `[2][WIDTH]` from `table` on: scale, [#OFFSET] times the sum of codes less zero points
    static void tables(MemorySegment w, long header, int words, int[] sums, float[] tables, int table) {
        for (int i = 0; i < UNIT; i += LANES) {
            IntVector bits = ints(w, header + 4L * i);
            IntVector halves =
                    pairs(IntVector.fromArray(INTS, sums, i)).add(pairs(IntVector.fromArray(INTS, sums, UNIT + i)));
            IntVector total = halves.and(0xFFFF).add(halves.lanewise(VectorOperators.LSHR, 16));
            IntVector centred = total.sub(bits.and(PackedMatrix.ZERO_POINT_BITS).mul(WORD_INPUTS * words));
            Int4Groups.scale(bits).intoArray(tables, table + i);
            ((FloatVector) centred.mul(OFFSET).convert(VectorOperators.I2F, 0)).intoArray(tables, table + i + WIDTH);
        }
    }

    /// Sums of the first and third and of the second and fourth byte of each lane, as two 16-bit numbers.
    private static IntVector pairs(IntVector bytes) {
        return bytes.and(EVEN_BYTES).add(bytes.lanewise(VectorOperators.LSHR, 8).and(EVEN_BYTES));
    }

    /// Spreads a group of INT8: packed words are quads of inputs already.
    ///
    /// @param from first byte of the group's words
    /// @param to `[inputs / 4][WIDTH][4]` from byte `at` on, of which every other unit is written
    /// @param sums `[UNIT]`: two 16-bit sums of each output's codes, each code plus 128
    static void spreadBytes(MemorySegment w, long from, int words, MemorySegment to, long at, int[] sums) {
        MemorySegment lines = w.asSlice(from, (long) words * LINE);
        MemorySegment quads = to.asSlice(at, (long) words * QUAD_BYTES - LINE);
        IntVector sum0 = IntVector.zero(INTS);
        IntVector sum1 = sum0;
        for (int i = 0; i < words; i++) {
            IntVector w0 = ints(lines, i * LINE);
            IntVector w1 = ints(lines, i * LINE + BYTES);
            sum0 = sum0.add(unsigned(w0));
            sum1 = sum1.add(unsigned(w1));
            codes(w0).intoMemorySegment(quads, i * QUAD_BYTES, ByteOrder.nativeOrder());
            codes(w1).intoMemorySegment(quads, i * QUAD_BYTES + BYTES, ByteOrder.nativeOrder());
        }
        sum0.intoArray(sums, 0);
        sum1.intoArray(sums, LANES);
    }

    private static IntVector codes(IntVector words) {
        return words.lanewise(VectorOperators.XOR, PackedMatrix.INT8_EVEN_BITS);
    }

    /// The sums of the first two and of the last two codes, each plus 128.
    private static IntVector unsigned(IntVector words) {
        IntVector odd =
                words.lanewise(VectorOperators.XOR, ODD_SIGNS).lanewise(VectorOperators.LSHR, 8).and(EVEN_BYTES);
        return words.and(EVEN_BYTES).add(odd);
    }

    /// As [#tables], from the sums that [#spreadBytes] left.
    static void byteTables(MemorySegment w, long header, int group, int words, int[] sums, float[] tables, int table) {
        for (int i = 0; i < UNIT; i += LANES) {
            IntVector halves = IntVector.fromArray(INTS, sums, i);
            IntVector total =
                    halves.and(0xFFFF).add(halves.lanewise(VectorOperators.LSHR, 16)).sub(BYTES_OFFSET * words);
            Int8Groups.scale(ints(w, header + 4L * i), group).intoArray(tables, table + i);
            ((FloatVector) total.mul(OFFSET).convert(VectorOperators.I2F, 0)).intoArray(tables, table + i + WIDTH);
        }
    }

    /// Adds the groups of a product to the totals in order: the operations and numbers of [Int4Groups#addGroup],
    /// because every integer here is exact in a float.
    ///
    /// @param products `[groups][productRows][WIDTH]` integers, of which `rows` count
    /// @param tables `[groups][2][WIDTH]` of [#tables]
    /// @param sums of [GroupedRows], the first row's first group at `so`, rows `sumsStride` apart
    /// @param total `[rows][WIDTH]` from `to` on
    static void addGroups(MemorySegment products, int groups, int productRows, int rows, float[] tables, float[] sums,
            int so, int sumsStride, float[] total, int to) {
        for (int group = 0; group < groups; group++) {
            MemorySegment integers = products.asSlice(4L * group * productRows * WIDTH, 4L * rows * WIDTH);
            addGroup(integers, rows, tables, TABLES * group, sums, so + GroupedRows.SUMS * group + FACTOR, sumsStride,
                    total, to);
        }
    }

    /// @param so where the first row's factor of the group is
    private static void addGroup(MemorySegment products, int rows, float[] tables, int table, float[] sums, int so,
            int sumsStride, float[] total, int to) {
        FloatVector scale0 = FloatVector.fromArray(FLOATS, tables, table);
        FloatVector scale1 = FloatVector.fromArray(FLOATS, tables, table + LANES);
        FloatVector scale2 = FloatVector.fromArray(FLOATS, tables, table + 2 * LANES);
        FloatVector scale3 = FloatVector.fromArray(FLOATS, tables, table + 3 * LANES);
        FloatVector offset0 = FloatVector.fromArray(FLOATS, tables, table + WIDTH);
        FloatVector offset1 = FloatVector.fromArray(FLOATS, tables, table + WIDTH + LANES);
        FloatVector offset2 = FloatVector.fromArray(FLOATS, tables, table + WIDTH + 2 * LANES);
        FloatVector offset3 = FloatVector.fromArray(FLOATS, tables, table + WIDTH + 3 * LANES);
        for (int row = 0; row < rows; row++) {
            FloatVector factor = FloatVector.broadcast(FLOATS, sums[so + row * sumsStride]);
            int at = 4 * row * WIDTH;
            int target = to + row * WIDTH;
            FloatVector chain0 = ((FloatVector) ints(products, at).convert(VectorOperators.I2F, 0)).sub(offset0);
            FloatVector chain1 =
                    ((FloatVector) ints(products, at + BYTES).convert(VectorOperators.I2F, 0)).sub(offset1);
            FloatVector chain2 =
                    ((FloatVector) ints(products, at + 2 * BYTES).convert(VectorOperators.I2F, 0)).sub(offset2);
            FloatVector chain3 =
                    ((FloatVector) ints(products, at + 3 * BYTES).convert(VectorOperators.I2F, 0)).sub(offset3);
            FloatVector total0 = FloatVector.fromArray(FLOATS, total, target);
            FloatVector total1 = FloatVector.fromArray(FLOATS, total, target + LANES);
            FloatVector total2 = FloatVector.fromArray(FLOATS, total, target + 2 * LANES);
            FloatVector total3 = FloatVector.fromArray(FLOATS, total, target + 3 * LANES);
            scale0.mul(factor).fma(chain0, total0).intoArray(total, target);
            scale1.mul(factor).fma(chain1, total1).intoArray(total, target + LANES);
            scale2.mul(factor).fma(chain2, total2).intoArray(total, target + 2 * LANES);
            scale3.mul(factor).fma(chain3, total3).intoArray(total, target + 3 * LANES);
        }
    }
}
