package org.inferometer.execution.host.products;

import static org.inferometer.execution.host.machine.Vectors.BYTES;
import static org.inferometer.execution.host.machine.Vectors.INTS;
import static org.inferometer.execution.host.machine.Vectors.LANES;
import static org.inferometer.execution.host.machine.Vectors.UNIT;
import static org.inferometer.execution.host.machine.Vectors.ints;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import org.inferometer.execution.host.kernels.Int8Groups;
import org.inferometer.execution.host.kernels.PackedMatrix;

/// Copies INT8 words to the blocks of an integer product, as [IntegerKernels] does with nibbles: packed words are quads of inputs
/// already.
final class ByteKernels {
    private static final int LINE = PackedMatrix.LINE_BYTES;
    private static final int QUAD_BYTES = 4 * IntegerKernels.WIDTH;
    private static final int EVEN_BYTES = 0x00FF00FF;
    private static final int ODD_SIGNS = 0x80008000;
    /// Codes in a word, and what makes them unsigned in the sums.
    private static final int WORD_OFFSET = 4 * 128;

    private ByteKernels() {}

    /// @param from first byte of the group's words
    /// @param to `[inputs / 4][WIDTH][4]` from byte `at` on, of which every other unit is written
    /// @param sums `[UNIT]`: two 16-bit sums of each output's codes, each code plus 128
    static void spread(MemorySegment w, long from, int words, MemorySegment to, long at, int[] sums) {
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

    /// As [IntegerKernels#tables], from the sums that [#spread] left.
    static void tables(MemorySegment w, long header, int group, int words, int[] sums, float[] tables, int table) {
        for (int i = 0; i < UNIT; i += LANES) {
            IntVector halves = IntVector.fromArray(INTS, sums, i);
            IntVector total =
                    halves.and(0xFFFF).add(halves.lanewise(VectorOperators.LSHR, 16)).sub(WORD_OFFSET * words);
            Int8Groups.scale(ints(w, header + 4L * i), group).intoArray(tables, table + i);
            ((FloatVector) total.mul(IntegerKernels.OFFSET).convert(VectorOperators.I2F, 0)).intoArray(tables,
                    table + i + IntegerKernels.WIDTH);
        }
    }
}
