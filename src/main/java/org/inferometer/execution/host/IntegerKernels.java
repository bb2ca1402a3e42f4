package org.inferometer.execution.host;

import static org.inferometer.execution.host.Vectors.BYTES;
import static org.inferometer.execution.host.Vectors.FLOATS;
import static org.inferometer.execution.host.Vectors.INTS;
import static org.inferometer.execution.host.Vectors.LANES;
import static org.inferometer.execution.host.Vectors.UNIT;
import static org.inferometer.execution.host.Vectors.ints;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;

/// What surrounds an integer product of INT4 weights: nibbles become bytes before it, and sums become floats after it.
///
/// The nibbles of a word lie as inputs 0, 2, 4, 6 in the low and 1, 3, 5, 7 in the high halves of its bytes, so a word gives two
/// quads of inputs and nothing has to be moved: activations are put into the same order instead ([RowInput]).
final class IntegerKernels {
    /// Outputs that lie side by side: two units.
    static final int WIDTH = 2 * UNIT;
    /// What is added to activations to make them unsigned, as the processor's products want one factor.
    static final int OFFSET = 128;

    private static final int LINE = PackedMatrix.LINE_BYTES;
    private static final int QUAD_BYTES = 4 * WIDTH;
    private static final int NIBBLES = 0x0F0F0F0F;
    private static final int LOW = PackedMatrix.INT4_TURN;
    private static final int HIGH = PackedMatrix.INT4_TURN + 4;
    private static final int EVEN_BYTES = 0x00FF00FF;

    private IntegerKernels() {}

    /// Spreads a group of one unit: weights as bytes, and its tables.
    ///
    /// @param to `[inputs / 4][WIDTH][4]` from byte `at` on, of which every other unit is written
    /// @param tables `[3][WIDTH]` from `table` on: scale, zero point, [#OFFSET] times the sum of the codes
    static void spread(MemorySegment w, long header, int words, MemorySegment to, long at, float[] tables, int table) {
        // A byte holds the sum of one nibble of each of a group's sixteen words.
        IntVector nibbles = IntVector.broadcast(INTS, NIBBLES);
        IntVector lowSum0 = IntVector.zero(INTS);
        IntVector lowSum1 = lowSum0;
        IntVector highSum0 = lowSum0;
        IntVector highSum1 = lowSum0;
        for (int i = 0; i < words; i++) {
            long line = header + LINE + (long) i * LINE;
            IntVector w0 = ints(w, line);
            IntVector w1 = ints(w, line + BYTES);
            IntVector low0 = w0.lanewise(VectorOperators.ROR, LOW).and(nibbles);
            IntVector low1 = w1.lanewise(VectorOperators.ROR, LOW).and(nibbles);
            IntVector high0 = w0.lanewise(VectorOperators.ROR, HIGH).and(nibbles);
            IntVector high1 = w1.lanewise(VectorOperators.ROR, HIGH).and(nibbles);
            lowSum0 = lowSum0.add(low0);
            lowSum1 = lowSum1.add(low1);
            highSum0 = highSum0.add(high0);
            highSum1 = highSum1.add(high1);
            long quad = at + (long) i * (2 * QUAD_BYTES);
            low0.intoMemorySegment(to, quad, ByteOrder.nativeOrder());
            low1.intoMemorySegment(to, quad + BYTES, ByteOrder.nativeOrder());
            high0.intoMemorySegment(to, quad + QUAD_BYTES, ByteOrder.nativeOrder());
            high1.intoMemorySegment(to, quad + QUAD_BYTES + BYTES, ByteOrder.nativeOrder());
        }
        IntVector sum0 = pairs(lowSum0).add(pairs(highSum0));
        IntVector sum1 = pairs(lowSum1).add(pairs(highSum1));
        tables(ints(w, header), sum0, tables, table);
        tables(ints(w, header + BYTES), sum1, tables, table + LANES);
    }

    /// Sums of the first and third and of the second and fourth byte of each lane, as two 16-bit numbers.
    private static IntVector pairs(IntVector bytes) {
        return bytes.and(EVEN_BYTES).add(bytes.lanewise(VectorOperators.LSHR, 8).and(EVEN_BYTES));
    }

    private static void tables(IntVector header, IntVector sums, float[] tables, int at) {
        IntVector total = sums.and(0xFFFF).add(sums.lanewise(VectorOperators.LSHR, 16));
        RowKernels.scale(header).intoArray(tables, at);
        RowKernels.zeroPoint(header).intoArray(tables, at + WIDTH);
        ((FloatVector) total.mul(OFFSET).convert(VectorOperators.I2F, 0)).intoArray(tables, at + 2 * WIDTH);
    }

    /// Adds the groups of a product to the totals, in their order: the same operations on the same numbers as
    /// [RowKernels#addGroup], because every integer here is exact in a float.
    ///
    /// @param products `[groups][productRows][WIDTH]` integers, of which `rows` count
    /// @param tables `[groups][3][WIDTH]` of [#spread]
    /// @param sums of a [RowInput], the first row's first group at `so`, rows `sumsStride` apart
    /// @param total `[rows][WIDTH]` from `to` on
    static void addGroups(
            MemorySegment products, int groups, int productRows, int rows, float[] tables, float[] sums, int so, int sumsStride, float[] total, int to) {
        for (int group = 0; group < groups; group++) {
            int table = 3 * WIDTH * group;
            long at = 4L * group * productRows * WIDTH;
            for (int row = 0; row < rows; row++) {
                int of = so + row * sumsStride + RowInput.SUMS * group;
                FloatVector sum = FloatVector.broadcast(FLOATS, -sums[of]);
                FloatVector factor = FloatVector.broadcast(FLOATS, sums[of + 2]);
                long product = at + 4L * row * WIDTH;
                int target = to + row * WIDTH;
                addGroup(products, product, tables, table, sum, factor, total, target);
                addGroup(products, product + BYTES, tables, table + LANES, sum, factor, total, target + LANES);
                addGroup(products, product + 2 * BYTES, tables, table + 2 * LANES, sum, factor, total, target + 2 * LANES);
                addGroup(products, product + 3 * BYTES, tables, table + 3 * LANES, sum, factor, total, target + 3 * LANES);
            }
        }
    }

    private static void addGroup(
            MemorySegment products, long product, float[] tables, int table, FloatVector sum, FloatVector factor, float[] total, int at) {
        FloatVector scale = FloatVector.fromArray(FLOATS, tables, table);
        FloatVector zero = FloatVector.fromArray(FLOATS, tables, table + WIDTH);
        FloatVector offset = FloatVector.fromArray(FLOATS, tables, table + 2 * WIDTH);
        FloatVector chain = ((FloatVector) ints(products, product).convert(VectorOperators.I2F, 0)).sub(offset);
        scale.mul(factor).fma(zero.fma(sum, chain), FloatVector.fromArray(FLOATS, total, at)).intoArray(total, at);
    }
}
