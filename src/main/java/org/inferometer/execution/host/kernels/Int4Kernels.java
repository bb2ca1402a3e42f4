package org.inferometer.execution.host.kernels;

import static org.inferometer.execution.host.machine.Vectors.BYTES;
import static org.inferometer.execution.host.machine.Vectors.FLOATS;
import static org.inferometer.execution.host.machine.Vectors.INTS;
import static org.inferometer.execution.host.machine.Vectors.LANES;
import static org.inferometer.execution.host.machine.Vectors.UNIT;
import static org.inferometer.execution.host.machine.Vectors.ints;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;

/// INT4 kernels for activations that are not rounded: nibbles are converted to floats, one nibble position of all words of
/// a group after the other.
///
/// The reference of the integer kernels ([W4A8RowKernels]). Conversions run in parallel with the multiply-adds. A loop over words with all eight positions of each spills registers, so a
/// group's inputs are ordered by position, then word: [#order]. All products use this order and give the same bits.
public final class Int4Kernels {
    /// Nibbles of a word.
    public static final int PLACES = 8;
    /// The highest nibble would be read as a sign, so it is shifted down; the others are masked in place.
    static final int LAST = PLACES - 1;
    /// Places that [#expand] decodes.
    public static final int EXPANDED = PLACES / 2;

    private static final int LINE = PackedMatrix.LINE_BYTES;

    private Int4Kernels() {}

    /// Puts inputs in the order of these kernels, each divided by 16 to the power of its place but for the [#LAST].
    ///
    /// @param words of the row
    /// @param groupWords of a whole group
    /// @param from inputs from `at` on, eight per word
    /// @param to receives input `i` at `first + step * i`
    public static void order(int words, int groupWords, float[] from, int at, float[] to, int first, int step) {
        for (int group = 0; group < words; group += groupWords) {
            int together = Math.min(groupWords, words - group);
            float scale = 1;
            for (int place = 0; place < PLACES; place++) {
                int source = at + group * PLACES + place;
                int target = first + step * (group * PLACES + place * together);
                float factor = place == LAST ? 1 : scale;
                for (int word = 0; word < together; word++) {
                    to[target + step * word] = from[source + PLACES * word] * factor;
                }
                scale /= 16;
            }
        }
    }

    /// `out[0..4·UNIT)` = the products of four units with one row, with as much behind as scratch.
    ///
    /// @param x of [#order]
    /// @param sums as [GroupedRows#sums]
    public static void row(PackedMatrix matrix, long a, long b, long c, long d, float[] x, float[] sums, float[] out) {
        Arrays.fill(out, 0, 4 * UNIT, 0f);
        MemorySegment w = matrix.lines();
        int groups = matrix.groups();
        for (int group = 0; group < groups; group++) {
            long from = matrix.groupOffset(group);
            int count = matrix.groupWords(group);
            int at = PLACES * group * matrix.groupWords();
            sumPlaces(w, a + from, b + from, c + from, d + from, count, x, at, out, 4 * UNIT);
            addLast(w, a + from, b + from, c + from, d + from, count, x, at + LAST * count, out, 4 * UNIT);
            long header = matrix.headerOffset(group);
            int sum = GroupedRows.SUMS * group;
            Int4Groups.addUnit(w, a + header, out, 4 * UNIT, sums, sum, 0);
            Int4Groups.addUnit(w, b + header, out, 4 * UNIT, sums, sum, UNIT);
            Int4Groups.addUnit(w, c + header, out, 4 * UNIT, sums, sum, 2 * UNIT);
            Int4Groups.addUnit(w, d + header, out, 4 * UNIT, sums, sum, 3 * UNIT);
        }
    }

    /// The chains of all places of a group but the last.
    private static void sumPlaces(MemorySegment w, long a, long b, long c, long d, int words, float[] x, int xo,
            float[] chains, int to) {
        MemorySegment sa = w.asSlice(a, (long) words * LINE);
        MemorySegment sb = w.asSlice(b, (long) words * LINE);
        MemorySegment sc = w.asSlice(c, (long) words * LINE);
        MemorySegment sd = w.asSlice(d, (long) words * LINE);
        FloatVector c0 = FloatVector.zero(FLOATS);
        FloatVector c1 = c0;
        FloatVector c2 = c0;
        FloatVector c3 = c0;
        FloatVector c4 = c0;
        FloatVector c5 = c0;
        FloatVector c6 = c0;
        FloatVector c7 = c0;
        for (int place = 0; place < LAST; place++) {
            IntVector mask = IntVector.broadcast(INTS, 0xF << (4 * place));
            int at = xo + place * words;
            for (int i = 0; i < words; i++) {
                FloatVector in = FloatVector.broadcast(FLOATS, x[at + i]);
                c0 = ((FloatVector) ints(sa, i * LINE).lanewise(VectorOperators.AND, mask).convert(VectorOperators.I2F,
                        0)).fma(in, c0);
                c1 = ((FloatVector) ints(sa, i * LINE + BYTES).lanewise(VectorOperators.AND, mask)
                        .convert(VectorOperators.I2F, 0)).fma(in, c1);
                c2 = ((FloatVector) ints(sb, i * LINE).lanewise(VectorOperators.AND, mask).convert(VectorOperators.I2F,
                        0)).fma(in, c2);
                c3 = ((FloatVector) ints(sb, i * LINE + BYTES).lanewise(VectorOperators.AND, mask)
                        .convert(VectorOperators.I2F, 0)).fma(in, c3);
                c4 = ((FloatVector) ints(sc, i * LINE).lanewise(VectorOperators.AND, mask).convert(VectorOperators.I2F,
                        0)).fma(in, c4);
                c5 = ((FloatVector) ints(sc, i * LINE + BYTES).lanewise(VectorOperators.AND, mask)
                        .convert(VectorOperators.I2F, 0)).fma(in, c5);
                c6 = ((FloatVector) ints(sd, i * LINE).lanewise(VectorOperators.AND, mask).convert(VectorOperators.I2F,
                        0)).fma(in, c6);
                c7 = ((FloatVector) ints(sd, i * LINE + BYTES).lanewise(VectorOperators.AND, mask)
                        .convert(VectorOperators.I2F, 0)).fma(in, c7);
            }
        }
        c0.intoArray(chains, to);
        c1.intoArray(chains, to + LANES);
        c2.intoArray(chains, to + 2 * LANES);
        c3.intoArray(chains, to + 3 * LANES);
        c4.intoArray(chains, to + 4 * LANES);
        c5.intoArray(chains, to + 5 * LANES);
        c6.intoArray(chains, to + 6 * LANES);
        c7.intoArray(chains, to + 7 * LANES);
    }

    /// Continues the chains over the last place.
    private static void addLast(MemorySegment w, long a, long b, long c, long d, int words, float[] x, int xo,
            float[] chains, int to) {
        MemorySegment sa = w.asSlice(a, (long) words * LINE);
        MemorySegment sb = w.asSlice(b, (long) words * LINE);
        MemorySegment sc = w.asSlice(c, (long) words * LINE);
        MemorySegment sd = w.asSlice(d, (long) words * LINE);
        FloatVector c0 = FloatVector.fromArray(FLOATS, chains, to);
        FloatVector c1 = FloatVector.fromArray(FLOATS, chains, to + LANES);
        FloatVector c2 = FloatVector.fromArray(FLOATS, chains, to + 2 * LANES);
        FloatVector c3 = FloatVector.fromArray(FLOATS, chains, to + 3 * LANES);
        FloatVector c4 = FloatVector.fromArray(FLOATS, chains, to + 4 * LANES);
        FloatVector c5 = FloatVector.fromArray(FLOATS, chains, to + 5 * LANES);
        FloatVector c6 = FloatVector.fromArray(FLOATS, chains, to + 6 * LANES);
        FloatVector c7 = FloatVector.fromArray(FLOATS, chains, to + 7 * LANES);
        for (int i = 0; i < words; i++) {
            FloatVector in = FloatVector.broadcast(FLOATS, x[xo + i]);
            c0 = ((FloatVector) ints(sa, i * LINE).lanewise(VectorOperators.LSHR, 4 * LAST).convert(VectorOperators.I2F,
                    0)).fma(in, c0);
            c1 = ((FloatVector) ints(sa, i * LINE + BYTES).lanewise(VectorOperators.LSHR, 4 * LAST)
                    .convert(VectorOperators.I2F, 0)).fma(in, c1);
            c2 = ((FloatVector) ints(sb, i * LINE).lanewise(VectorOperators.LSHR, 4 * LAST).convert(VectorOperators.I2F,
                    0)).fma(in, c2);
            c3 = ((FloatVector) ints(sb, i * LINE + BYTES).lanewise(VectorOperators.LSHR, 4 * LAST)
                    .convert(VectorOperators.I2F, 0)).fma(in, c3);
            c4 = ((FloatVector) ints(sc, i * LINE).lanewise(VectorOperators.LSHR, 4 * LAST).convert(VectorOperators.I2F,
                    0)).fma(in, c4);
            c5 = ((FloatVector) ints(sc, i * LINE + BYTES).lanewise(VectorOperators.LSHR, 4 * LAST)
                    .convert(VectorOperators.I2F, 0)).fma(in, c5);
            c6 = ((FloatVector) ints(sd, i * LINE).lanewise(VectorOperators.LSHR, 4 * LAST).convert(VectorOperators.I2F,
                    0)).fma(in, c6);
            c7 = ((FloatVector) ints(sd, i * LINE + BYTES).lanewise(VectorOperators.LSHR, 4 * LAST)
                    .convert(VectorOperators.I2F, 0)).fma(in, c7);
        }
        c0.intoArray(chains, to);
        c1.intoArray(chains, to + LANES);
        c2.intoArray(chains, to + 2 * LANES);
        c3.intoArray(chains, to + 3 * LANES);
        c4.intoArray(chains, to + 4 * LANES);
        c5.intoArray(chains, to + 5 * LANES);
        c6.intoArray(chains, to + 6 * LANES);
        c7.intoArray(chains, to + 7 * LANES);
    }

    /// Decodes four nibble positions of the words of a group into `[EXPANDED][words][UNIT]`, for inputs in [#order].
    ///
    /// @param from first byte of the group's words
    /// @param first place, 0 or [#EXPANDED]
    public static void expand(MemorySegment w, long from, int words, int first, float[] block) {
        MemorySegment lines = w.asSlice(from, (long) words * LINE);
        boolean last = first + EXPANDED == PLACES;
        int down = last ? 4 * LAST : 0;
        IntVector mask0 = IntVector.broadcast(INTS, 0xF << (4 * first));
        IntVector mask1 = IntVector.broadcast(INTS, 0xF0 << (4 * first));
        IntVector mask2 = IntVector.broadcast(INTS, 0xF00 << (4 * first));
        IntVector mask3 = IntVector.broadcast(INTS, last ? 0xF : 0xF000);
        int next = words * UNIT;
        for (int i = 0; i < words; i++) {
            IntVector w0 = ints(lines, i * LINE);
            IntVector w1 = ints(lines, i * LINE + BYTES);
            int at = i * UNIT;
            ((FloatVector) w0.lanewise(VectorOperators.AND, mask0).convert(VectorOperators.I2F, 0)).intoArray(block,
                    at);
            ((FloatVector) w1.lanewise(VectorOperators.AND, mask0).convert(VectorOperators.I2F, 0)).intoArray(block,
                    at + LANES);
            at += next;
            ((FloatVector) w0.lanewise(VectorOperators.AND, mask1).convert(VectorOperators.I2F, 0)).intoArray(block,
                    at);
            ((FloatVector) w1.lanewise(VectorOperators.AND, mask1).convert(VectorOperators.I2F, 0)).intoArray(block,
                    at + LANES);
            at += next;
            ((FloatVector) w0.lanewise(VectorOperators.AND, mask2).convert(VectorOperators.I2F, 0)).intoArray(block,
                    at);
            ((FloatVector) w1.lanewise(VectorOperators.AND, mask2).convert(VectorOperators.I2F, 0)).intoArray(block,
                    at + LANES);
            at += next;
            w0 = w0.lanewise(VectorOperators.LSHR, down);
            w1 = w1.lanewise(VectorOperators.LSHR, down);
            ((FloatVector) w0.lanewise(VectorOperators.AND, mask3).convert(VectorOperators.I2F, 0)).intoArray(block,
                    at);
            ((FloatVector) w1.lanewise(VectorOperators.AND, mask3).convert(VectorOperators.I2F, 0)).intoArray(block,
                    at + LANES);
        }
    }
}
