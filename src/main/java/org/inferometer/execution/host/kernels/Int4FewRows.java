package org.inferometer.execution.host.kernels;

import static org.inferometer.execution.host.kernels.Vectors.BYTES;
import static org.inferometer.execution.host.kernels.Vectors.FLOATS;
import static org.inferometer.execution.host.kernels.Vectors.INTS;
import static org.inferometer.execution.host.kernels.Vectors.LANES;
import static org.inferometer.execution.host.kernels.Vectors.UNIT;
import static org.inferometer.execution.host.kernels.Vectors.ints;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import org.inferometer.execution.host.packed.PackedMatrix;

/// [Int4Kernels] for a few rows: words are converted once per four rows, in parallel with the multiply-adds, and
/// never decoded to memory.
///
/// The chains are those of a block in the order of [Int4Kernels#order], so the bits are the same. A group's words
/// are copied first, because the compiler hoists bounds checks of arrays out of a loop but not those of segments.
/// Written twice for the compiler's inlining budget.
final class Int4FewRows {
    /// Rows up to which this is faster than a block.
    static final int MOST_ROWS = 8;
    /// Rows of a call of [#fourRows].
    static final int ROWS = 4;
    /// Numbers of the widest group's words.
    static final int WORDS = PackedMatrix.BLOCK_WORDS * UNIT;

    private static final int LINE = PackedMatrix.LINE_BYTES;
    private static final int LAST = Int4Kernels.LAST;
    private static final int TILE = ActivationRows.TILE;

    private Int4FewRows() {}

    /// Copies the words of a group, the first at `from`, into `[words][UNIT]`.
    static void copy(MemorySegment w, long from, int words, int[] to) {
        MemorySegment lines = w.asSlice(from, (long) words * LINE);
        for (int i = 0; i < words; i++) {
            ints(lines, i * LINE).intoArray(to, i * UNIT);
            ints(lines, i * LINE + BYTES).intoArray(to, i * UNIT + LANES);
        }
    }

    /// The chains of a group for four rows, `[ROWS][UNIT]` from `to` on.
    ///
    /// @param w words of [#copy]
    /// @param x as [ActivationRows#tiles], the first row's group from `xo` on
    static void fourRows(int[] w, int words, float[] x, int xo, float[] chains, int to) {
        sumPlaces(w, words, x, xo, chains, to);
        addLast(w, words, x, xo + LAST * words * TILE, chains, to);
    }

    /// The chains of all places but the last.
    private static void sumPlaces(int[] w, int words, float[] x, int xo, float[] chains, int to) {
        FloatVector c00 = FloatVector.zero(FLOATS);
        FloatVector c01 = c00;
        FloatVector c10 = c00;
        FloatVector c11 = c00;
        FloatVector c20 = c00;
        FloatVector c21 = c00;
        FloatVector c30 = c00;
        FloatVector c31 = c00;
        for (int place = 0; place < LAST; place++) {
            IntVector mask = IntVector.broadcast(INTS, 0xF << (4 * place));
            int from = xo + place * words * TILE;
            for (int i = 0; i < words; i++) {
                FloatVector w0 = (FloatVector) IntVector.fromArray(INTS, w, i * UNIT)
                        .lanewise(VectorOperators.AND, mask).convert(VectorOperators.I2F, 0);
                FloatVector w1 = (FloatVector) IntVector.fromArray(INTS, w, i * UNIT + LANES)
                        .lanewise(VectorOperators.AND, mask).convert(VectorOperators.I2F, 0);
                int q = from + i * TILE;
                FloatVector x0 = FloatVector.broadcast(FLOATS, x[q]);
                c00 = w0.fma(x0, c00);
                c01 = w1.fma(x0, c01);
                FloatVector x1 = FloatVector.broadcast(FLOATS, x[q + 1]);
                c10 = w0.fma(x1, c10);
                c11 = w1.fma(x1, c11);
                FloatVector x2 = FloatVector.broadcast(FLOATS, x[q + 2]);
                c20 = w0.fma(x2, c20);
                c21 = w1.fma(x2, c21);
                FloatVector x3 = FloatVector.broadcast(FLOATS, x[q + 3]);
                c30 = w0.fma(x3, c30);
                c31 = w1.fma(x3, c31);
            }
        }
        c00.intoArray(chains, to);
        c01.intoArray(chains, to + LANES);
        c10.intoArray(chains, to + UNIT);
        c11.intoArray(chains, to + UNIT + LANES);
        c20.intoArray(chains, to + 2 * UNIT);
        c21.intoArray(chains, to + 2 * UNIT + LANES);
        c30.intoArray(chains, to + 3 * UNIT);
        c31.intoArray(chains, to + 3 * UNIT + LANES);
    }

    /// Continues the chains over the last place, whose inputs begin at `xo`.
    private static void addLast(int[] w, int words, float[] x, int xo, float[] chains, int to) {
        FloatVector c00 = FloatVector.fromArray(FLOATS, chains, to);
        FloatVector c01 = FloatVector.fromArray(FLOATS, chains, to + LANES);
        FloatVector c10 = FloatVector.fromArray(FLOATS, chains, to + UNIT);
        FloatVector c11 = FloatVector.fromArray(FLOATS, chains, to + UNIT + LANES);
        FloatVector c20 = FloatVector.fromArray(FLOATS, chains, to + 2 * UNIT);
        FloatVector c21 = FloatVector.fromArray(FLOATS, chains, to + 2 * UNIT + LANES);
        FloatVector c30 = FloatVector.fromArray(FLOATS, chains, to + 3 * UNIT);
        FloatVector c31 = FloatVector.fromArray(FLOATS, chains, to + 3 * UNIT + LANES);
        for (int i = 0; i < words; i++) {
            FloatVector w0 = (FloatVector) IntVector.fromArray(INTS, w, i * UNIT)
                    .lanewise(VectorOperators.LSHR, 4 * LAST).convert(VectorOperators.I2F, 0);
            FloatVector w1 = (FloatVector) IntVector.fromArray(INTS, w, i * UNIT + LANES)
                    .lanewise(VectorOperators.LSHR, 4 * LAST).convert(VectorOperators.I2F, 0);
            int q = xo + i * TILE;
            FloatVector x0 = FloatVector.broadcast(FLOATS, x[q]);
            c00 = w0.fma(x0, c00);
            c01 = w1.fma(x0, c01);
            FloatVector x1 = FloatVector.broadcast(FLOATS, x[q + 1]);
            c10 = w0.fma(x1, c10);
            c11 = w1.fma(x1, c11);
            FloatVector x2 = FloatVector.broadcast(FLOATS, x[q + 2]);
            c20 = w0.fma(x2, c20);
            c21 = w1.fma(x2, c21);
            FloatVector x3 = FloatVector.broadcast(FLOATS, x[q + 3]);
            c30 = w0.fma(x3, c30);
            c31 = w1.fma(x3, c31);
        }
        c00.intoArray(chains, to);
        c01.intoArray(chains, to + LANES);
        c10.intoArray(chains, to + UNIT);
        c11.intoArray(chains, to + UNIT + LANES);
        c20.intoArray(chains, to + 2 * UNIT);
        c21.intoArray(chains, to + 2 * UNIT + LANES);
        c30.intoArray(chains, to + 3 * UNIT);
        c31.intoArray(chains, to + 3 * UNIT + LANES);
    }
}
