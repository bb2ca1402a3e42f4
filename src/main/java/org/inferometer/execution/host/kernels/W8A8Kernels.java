package org.inferometer.execution.host.kernels;

import static org.inferometer.execution.host.machine.Vectors.BYTES;
import static org.inferometer.execution.host.machine.Vectors.FLOATS;
import static org.inferometer.execution.host.machine.Vectors.INTS;
import static org.inferometer.execution.host.machine.Vectors.LANES;
import static org.inferometer.execution.host.machine.Vectors.UNIT;
import static org.inferometer.execution.host.machine.Vectors.ints;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;

/// INT8 kernels for activations rounded to 8 bits: exact integer products in 16-bit lanes, with the same bits as
/// [Int8Kernels] on the same activations.
///
/// A 16-bit lane holds s = 256 · b + (a + 128) of the codes a and b of two inputs: so the words are packed. Then s · x_a
/// + (s >> 8) · (x_b − 256 · x_a) − 128 · x_a is a · x_a + b · x_b modulo 2^16, at most 32,512 in size. With 2^15 more it has no
/// sign. The two pairs of a word are added in 32-bit lanes: t is the sum of words, h that of their upper halves, and t − 2^16
/// · h + h that of all pairs. [W8A8Rows] has the factors.
public final class W8A8Kernels {
    private static final int LINE = PackedMatrix.LINE_BYTES;
    private static final int GROUP_WORDS = PackedMatrix.INT8_BLOCK_WORDS / 2;
    private static final int BLOCK_BYTES = (PackedMatrix.INT8_BLOCK_WORDS + 1) * LINE;
    private static final int BYTE_BITS = 8;
    private static final int HALF_BITS = 16;

    private W8A8Kernels() {}

    /// The sums of the groups of one block of one unit, times one row.
    ///
    /// @param from first byte of the words
    /// @param x as [W8A8Rows#numbers], the first word's at `xo`
    /// @param sums receives `[groups][UNIT]` from `to` on
    public static void sum(MemorySegment w, long from, int words, int[] x, int xo, int[] sums, int to) {
        MemorySegment lines = w.asSlice(from, (long) words * LINE);
        IntVector t0 = IntVector.zero(INTS);
        IntVector t1 = t0;
        IntVector h0 = t0;
        IntVector h1 = t0;
        for (int i = 0; i < words; i++) {
            int at = xo + W8A8Rows.PER_WORD * i;
            ShortVector low = IntVector.broadcast(INTS, x[at]).reinterpretAsShorts();
            ShortVector high = IntVector.broadcast(INTS, x[at + 1]).reinterpretAsShorts();
            ShortVector start = IntVector.broadcast(INTS, x[at + 2]).reinterpretAsShorts();
            ShortVector codes = ints(lines, i * LINE).reinterpretAsShorts();
            IntVector pairs = codes.mul(low).add(codes.lanewise(VectorOperators.ASHR, BYTE_BITS).mul(high)).add(start)
                    .reinterpretAsInts();
            t0 = t0.add(pairs);
            h0 = h0.add(pairs.lanewise(VectorOperators.LSHR, HALF_BITS));
            codes = ints(lines, i * LINE + BYTES).reinterpretAsShorts();
            pairs = codes.mul(low).add(codes.lanewise(VectorOperators.ASHR, BYTE_BITS).mul(high)).add(start)
                    .reinterpretAsInts();
            t1 = t1.add(pairs);
            h1 = h1.add(pairs.lanewise(VectorOperators.LSHR, HALF_BITS));
            int inGroup = i % GROUP_WORDS;
            if (inGroup == GROUP_WORDS - 1 || i == words - 1) {
                // What the pairs had added to have no sign.
                int bias = (inGroup + 1) << HALF_BITS;
                int group = to + i / GROUP_WORDS * UNIT;
                t0.sub(h0.lanewise(VectorOperators.LSHL, HALF_BITS)).add(h0).sub(bias).intoArray(sums, group);
                t1.sub(h1.lanewise(VectorOperators.LSHL, HALF_BITS)).add(h1).sub(bias).intoArray(sums, group + LANES);
                t0 = IntVector.zero(INTS);
                t1 = t0;
                h0 = t0;
                h1 = t0;
            }
        }
    }

    /// Adds groups of one vector of outputs, as [Int8Groups#add] does.
    ///
    /// @param header of the first block and these outputs
    /// @param sums of [#sum], these outputs' from `from` on
    /// @param factors as [GroupedRows#sums], the first group's at `so`
    public static void add(MemorySegment w, long header, int groups, int[] sums, int from, float[] factors, int so,
            float[] out, int at) {
        MemorySegment headers = w.asSlice(header, (long) ((groups - 1) / 2) * BLOCK_BYTES + BYTES);
        FloatVector total = FloatVector.fromArray(FLOATS, out, at);
        for (int group = 0; group < groups; group++) {
            FloatVector scale = Int8Groups.scale(ints(headers, (group >> 1) * BLOCK_BYTES), group);
            FloatVector chain =
                    (FloatVector) IntVector.fromArray(INTS, sums, from + group * UNIT).convert(VectorOperators.I2F, 0);
            total = scale.mul(factors[so + GroupedRows.SUMS * group + 2]).fma(chain, total);
        }
        total.intoArray(out, at);
    }
}
