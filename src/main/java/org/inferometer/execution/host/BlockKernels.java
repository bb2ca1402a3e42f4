package org.inferometer.execution.host;

import static org.inferometer.execution.host.Vectors.BYTES;
import static org.inferometer.execution.host.Vectors.FLOATS;
import static org.inferometer.execution.host.Vectors.LANES;
import static org.inferometer.execution.host.Vectors.UNIT;
import static org.inferometer.execution.host.Vectors.ints;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;

/// Matrix kernels for many activation rows: a block of one unit is decoded once and then used by four rows at a time.
///
/// Partial sums wait in memory between blocks, which changes no bit of the chains that [RowKernels] describes.
final class BlockKernels {
    /// Inputs decoded at a time: with a unit's outputs, 16 KiB at 512 bits.
    static final int COLUMNS = 64;
    /// Activation rows of a tile; buffers hold whole tiles.
    static final int TILE_ROWS = 4;

    private static final int LINE = PackedMatrix.LINE_BYTES;

    private BlockKernels() {}

    /// Decodes `words` words from byte `from` into `[2·words][UNIT]`.
    static void expandBf16(MemorySegment w, long from, int words, float[] block) {
        for (int i = 0; i < words; i++) {
            IntVector w0 = ints(w, from + (long) i * LINE);
            IntVector w1 = ints(w, from + (long) i * LINE + BYTES);
            int at = 2 * i * UNIT;
            Decoding.bf16Low(w0).intoArray(block, at);
            Decoding.bf16Low(w1).intoArray(block, at + LANES);
            Decoding.bf16High(w0).intoArray(block, at + UNIT);
            Decoding.bf16High(w1).intoArray(block, at + UNIT + LANES);
        }
    }

    /// Decodes into `[4·words][UNIT]`.
    static void expandFp8(MemorySegment w, long from, int words, float[] block) {
        for (int i = 0; i < words; i++) {
            IntVector w0 = ints(w, from + (long) i * LINE);
            IntVector w1 = ints(w, from + (long) i * LINE + BYTES);
            for (int j = 0; j < 4; j++) {
                int at = (4 * i + j) * UNIT;
                Decoding.fp8(w0, 24 - 8 * j).intoArray(block, at);
                Decoding.fp8(w1, 24 - 8 * j).intoArray(block, at + LANES);
            }
        }
    }

    /// Decodes into `[8·words][UNIT]`; the words lie within one group and carry the powers of 16 of [Decoding#int4].
    static void expandInt4(MemorySegment w, long from, int words, float[] block) {
        for (int i = 0; i < words; i++) {
            IntVector w0 = ints(w, from + (long) i * LINE);
            IntVector w1 = ints(w, from + (long) i * LINE + BYTES);
            for (int j = 0; j < 8; j++) {
                IntVector mask = Decoding.int4Mask(j);
                int at = (8 * i + j) * UNIT;
                Decoding.int4(w0, mask).intoArray(block, at);
                Decoding.int4(w1, mask).intoArray(block, at + LANES);
                if (j == 3) {
                    w0 = w0.lanewise(VectorOperators.LSHR, 16);
                    w1 = w1.lanewise(VectorOperators.LSHR, 16);
                }
            }
        }
    }

    /// Continues the chains `sums[4][UNIT]` at `at` over `columns` inputs of four rows that start at `xo`, `stride` apart.
    static void tile(float[] block, int columns, float[] x, int xo, int stride, float[] sums, int at) {
        FloatVector c00 = FloatVector.fromArray(FLOATS, sums, at);
        FloatVector c01 = FloatVector.fromArray(FLOATS, sums, at + LANES);
        FloatVector c10 = FloatVector.fromArray(FLOATS, sums, at + UNIT);
        FloatVector c11 = FloatVector.fromArray(FLOATS, sums, at + UNIT + LANES);
        FloatVector c20 = FloatVector.fromArray(FLOATS, sums, at + 2 * UNIT);
        FloatVector c21 = FloatVector.fromArray(FLOATS, sums, at + 2 * UNIT + LANES);
        FloatVector c30 = FloatVector.fromArray(FLOATS, sums, at + 3 * UNIT);
        FloatVector c31 = FloatVector.fromArray(FLOATS, sums, at + 3 * UNIT + LANES);
        for (int k = 0; k < columns; k++) {
            FloatVector w0 = FloatVector.fromArray(FLOATS, block, k * UNIT);
            FloatVector w1 = FloatVector.fromArray(FLOATS, block, k * UNIT + LANES);
            FloatVector x0 = FloatVector.broadcast(FLOATS, x[xo + k]);
            c00 = w0.fma(x0, c00);
            c01 = w1.fma(x0, c01);
            FloatVector x1 = FloatVector.broadcast(FLOATS, x[xo + stride + k]);
            c10 = w0.fma(x1, c10);
            c11 = w1.fma(x1, c11);
            FloatVector x2 = FloatVector.broadcast(FLOATS, x[xo + 2 * stride + k]);
            c20 = w0.fma(x2, c20);
            c21 = w1.fma(x2, c21);
            FloatVector x3 = FloatVector.broadcast(FLOATS, x[xo + 3 * stride + k]);
            c30 = w0.fma(x3, c30);
            c31 = w1.fma(x3, c31);
        }
        c00.intoArray(sums, at);
        c01.intoArray(sums, at + LANES);
        c10.intoArray(sums, at + UNIT);
        c11.intoArray(sums, at + UNIT + LANES);
        c20.intoArray(sums, at + 2 * UNIT);
        c21.intoArray(sums, at + 2 * UNIT + LANES);
        c30.intoArray(sums, at + 3 * UNIT);
        c31.intoArray(sums, at + 3 * UNIT + LANES);
    }
}
