package org.inferometer.execution.host.kernels;

import static org.inferometer.execution.host.machine.Vectors.BYTES;
import static org.inferometer.execution.host.machine.Vectors.FLOATS;
import static org.inferometer.execution.host.machine.Vectors.LANES;
import static org.inferometer.execution.host.machine.Vectors.UNIT;
import static org.inferometer.execution.host.machine.Vectors.ints;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;

/// INT8 kernels for activations that are not rounded: the reference of [W8A8Kernels].
///
/// A group's chain is in the order of its inputs, for one row and for many.
public final class Int8Kernels {
    private static final int LINE = PackedMatrix.LINE_BYTES;
    private static final int PER_WORD = 4;
    private static final int TOP = 24;

    private Int8Kernels() {}

    /// `out[0..2·UNIT)` = the products of two units with one row, with as much behind as scratch.
    ///
    /// @param sums as [GroupedRows#sums]
    public static void row(PackedMatrix matrix, long a, long b, float[] x, float[] sums, float[] out) {
        Arrays.fill(out, 0, 2 * UNIT, 0f);
        MemorySegment w = matrix.lines();
        for (int group = 0; group < matrix.groups(); group++) {
            long words = matrix.groupOffset(group);
            int count = matrix.groupWords(group);
            int inputs = group * matrix.groupWords() * PER_WORD;
            sum(w, a + words, b + words, count, x, inputs, out, 2 * UNIT);
            long header = matrix.headerOffset(group);
            int at = GroupedRows.SUMS * group;
            Int8Groups.add(w, a + header, group, out, 2 * UNIT, 1, sums, at, 0, out, 0);
            Int8Groups.add(w, b + header, group, out, 3 * UNIT, 1, sums, at, 0, out, UNIT);
        }
    }

    private static void sum(MemorySegment w, long a, long b, int words, float[] x, int xo, float[] chains, int to) {
        FloatVector c0 = FloatVector.zero(FLOATS);
        FloatVector c1 = c0;
        FloatVector c2 = c0;
        FloatVector c3 = c0;
        for (int i = 0; i < words; i++) {
            long line = (long) i * LINE;
            IntVector w0 = codes(w, a + line);
            IntVector w1 = codes(w, a + line + BYTES);
            IntVector w2 = codes(w, b + line);
            IntVector w3 = codes(w, b + line + BYTES);
            for (int j = 0; j < PER_WORD; j++) {
                FloatVector input = FloatVector.broadcast(FLOATS, x[xo + PER_WORD * i + j]);
                int up = TOP - 8 * j;
                c0 = value(w0, up).fma(input, c0);
                c1 = value(w1, up).fma(input, c1);
                c2 = value(w2, up).fma(input, c2);
                c3 = value(w3, up).fma(input, c3);
            }
        }
        c0.intoArray(chains, to);
        c1.intoArray(chains, to + LANES);
        c2.intoArray(chains, to + 2 * LANES);
        c3.intoArray(chains, to + 3 * LANES);
    }

    /// Decodes `words` words from byte `from` into `[4·words][UNIT]`, without scales.
    public static void expand(MemorySegment w, long from, int words, float[] block) {
        for (int i = 0; i < words; i++) {
            IntVector w0 = codes(w, from + (long) i * LINE);
            IntVector w1 = codes(w, from + (long) i * LINE + BYTES);
            for (int j = 0; j < PER_WORD; j++) {
                int at = (PER_WORD * i + j) * UNIT;
                value(w0, TOP - 8 * j).intoArray(block, at);
                value(w1, TOP - 8 * j).intoArray(block, at + LANES);
            }
        }
    }

    /// Words of four signed bytes.
    private static IntVector codes(MemorySegment w, long at) {
        return ints(w, at).lanewise(VectorOperators.XOR, PackedMatrix.INT8_EVEN_BITS);
    }

    private static FloatVector value(IntVector words, int up) {
        return (FloatVector) words.lanewise(VectorOperators.LSHL, up).lanewise(VectorOperators.ASHR, TOP)
                .convert(VectorOperators.I2F, 0);
    }
}
