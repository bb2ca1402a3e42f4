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
import jdk.incubator.vector.VectorOperators;

/// Matrix kernels for the eight rows of a tile: as in [SmallBatchKernels], a word is decoded in registers and used by
/// every row.
///
/// Weights are loaded evenly during the computation, so loads overlap with multiplications; decoding a block first
/// ([BlockKernels]) loads them in bursts. From three tiles on the block is cheaper, because it is decoded once for all;
/// BF16, which needs almost no decoding, gains nothing here. Chains are those of [RowKernels].
public final class EightRowKernels {
    /// Most rows of these kernels: two tiles, the second of which finds the weights in the cache.
    public static final int ROWS = 2 * BlockKernels.TILE_ROWS;

    private static final int LINE = PackedMatrix.LINE_BYTES;
    private static final int TILE = BlockKernels.TILE_ROWS;

    private EightRowKernels() {}

    /// `out[8][UNIT]` from `to` on = the products of one FP8 unit with the tile at `xo`, without the channels' scales and the corrections.
    public static void fp8(MemorySegment w, long unit, int words, float[] x, int xo, float[] out, int to) {
        IntVector mask = IntVector.broadcast(INTS, Dequantization.FP8_MASK);
        IntVector exponent = IntVector.broadcast(INTS, Dequantization.FP8_EXPONENT);
        FloatVector c00 = FloatVector.zero(FLOATS);
        FloatVector c01 = c00;
        FloatVector c10 = c00;
        FloatVector c11 = c00;
        FloatVector c20 = c00;
        FloatVector c21 = c00;
        FloatVector c30 = c00;
        FloatVector c31 = c00;
        FloatVector c40 = c00;
        FloatVector c41 = c00;
        FloatVector c50 = c00;
        FloatVector c51 = c00;
        FloatVector c60 = c00;
        FloatVector c61 = c00;
        FloatVector c70 = c00;
        FloatVector c71 = c00;
        for (int i = 0; i < words; i++) {
            long line = unit + (long) i * LINE;
            IntVector w0 = ints(w, line);
            IntVector w1 = ints(w, line + BYTES);
            for (int j = 0; j < 4; j++) {
                int q = xo + (4 * i + j) * TILE;
                FloatVector v0 = Dequantization.fp8(w0, mask, exponent);
                FloatVector v1 = Dequantization.fp8(w1, mask, exponent);
                FloatVector in = FloatVector.broadcast(FLOATS, x[q]);
                c00 = v0.fma(in, c00);
                c01 = v1.fma(in, c01);
                in = FloatVector.broadcast(FLOATS, x[q + 1]);
                c10 = v0.fma(in, c10);
                c11 = v1.fma(in, c11);
                in = FloatVector.broadcast(FLOATS, x[q + 2]);
                c20 = v0.fma(in, c20);
                c21 = v1.fma(in, c21);
                in = FloatVector.broadcast(FLOATS, x[q + 3]);
                c30 = v0.fma(in, c30);
                c31 = v1.fma(in, c31);
                in = FloatVector.broadcast(FLOATS, x[q + 4]);
                c40 = v0.fma(in, c40);
                c41 = v1.fma(in, c41);
                in = FloatVector.broadcast(FLOATS, x[q + 5]);
                c50 = v0.fma(in, c50);
                c51 = v1.fma(in, c51);
                in = FloatVector.broadcast(FLOATS, x[q + 6]);
                c60 = v0.fma(in, c60);
                c61 = v1.fma(in, c61);
                in = FloatVector.broadcast(FLOATS, x[q + 7]);
                c70 = v0.fma(in, c70);
                c71 = v1.fma(in, c71);
                w0 = w0.lanewise(VectorOperators.LSHL, 8);
                w1 = w1.lanewise(VectorOperators.LSHL, 8);
            }
        }
        c00.intoArray(out, to);
        c01.intoArray(out, to + LANES);
        c10.intoArray(out, to + UNIT);
        c11.intoArray(out, to + UNIT + LANES);
        c20.intoArray(out, to + 2 * UNIT);
        c21.intoArray(out, to + 2 * UNIT + LANES);
        c30.intoArray(out, to + 3 * UNIT);
        c31.intoArray(out, to + 3 * UNIT + LANES);
        c40.intoArray(out, to + 4 * UNIT);
        c41.intoArray(out, to + 4 * UNIT + LANES);
        c50.intoArray(out, to + 5 * UNIT);
        c51.intoArray(out, to + 5 * UNIT + LANES);
        c60.intoArray(out, to + 6 * UNIT);
        c61.intoArray(out, to + 6 * UNIT + LANES);
        c70.intoArray(out, to + 7 * UNIT);
        c71.intoArray(out, to + 7 * UNIT + LANES);
    }
}
