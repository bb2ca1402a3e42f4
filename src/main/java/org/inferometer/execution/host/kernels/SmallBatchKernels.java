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

/// Matrix kernels for two to four activation rows: a word is decoded in registers and used by every row, so a few rows
/// cost little more than one.
///
/// Rows come from a tile of `ActivationRows`; three are computed as four. Chains are those of [RowKernels].
public final class SmallBatchKernels {
    /// Most rows of these kernels.
    public static final int ROWS = 4;

    private static final int LINE = PackedMatrix.LINE_BYTES;
    private static final int TILE = BlockKernels.TILE_ROWS;

    private SmallBatchKernels() {}

    /// `out[2][UNIT]` = the products of one BF16 unit with the first two rows of the tile at `xo`.
    public static void bf16ByTwo(MemorySegment w, long unit, int words, float[] x, int xo, float[] out) {
        FloatVector c00 = FloatVector.zero(FLOATS);
        FloatVector c01 = c00;
        FloatVector c10 = c00;
        FloatVector c11 = c00;
        for (int i = 0; i < words; i++) {
            long line = unit + (long) i * LINE;
            IntVector w0 = ints(w, line);
            IntVector w1 = ints(w, line + BYTES);
            for (int j = 0; j < 2; j++) {
                FloatVector v0 = w0.lanewise(VectorOperators.LSHL, 16).reinterpretAsFloats();
                FloatVector v1 = w1.lanewise(VectorOperators.LSHL, 16).reinterpretAsFloats();
                int q = xo + (2 * i + j) * TILE;
                FloatVector x0 = FloatVector.broadcast(FLOATS, x[q]);
                FloatVector x1 = FloatVector.broadcast(FLOATS, x[q + 1]);
                c00 = v0.fma(x0, c00);
                c01 = v1.fma(x0, c01);
                c10 = v0.fma(x1, c10);
                c11 = v1.fma(x1, c11);
                w0 = w0.lanewise(VectorOperators.LSHR, 16);
                w1 = w1.lanewise(VectorOperators.LSHR, 16);
            }
        }
        c00.intoArray(out, 0);
        c01.intoArray(out, LANES);
        c10.intoArray(out, UNIT);
        c11.intoArray(out, UNIT + LANES);
    }

    /// As [#bf16ByTwo] for FP8, without the channels' scales and the corrections.
    public static void fp8ByTwo(MemorySegment w, long unit, int words, float[] x, int xo, float[] out) {
        IntVector mask = IntVector.broadcast(INTS, Dequantization.FP8_MASK);
        IntVector exponent = IntVector.broadcast(INTS, Dequantization.FP8_EXPONENT);
        FloatVector c00 = FloatVector.zero(FLOATS);
        FloatVector c01 = c00;
        FloatVector c10 = c00;
        FloatVector c11 = c00;
        for (int i = 0; i < words; i++) {
            long line = unit + (long) i * LINE;
            IntVector w0 = ints(w, line);
            IntVector w1 = ints(w, line + BYTES);
            for (int j = 0; j < 4; j++) {
                FloatVector v0 = Dequantization.fp8(w0, mask, exponent);
                FloatVector v1 = Dequantization.fp8(w1, mask, exponent);
                int q = xo + (4 * i + j) * TILE;
                FloatVector x0 = FloatVector.broadcast(FLOATS, x[q]);
                FloatVector x1 = FloatVector.broadcast(FLOATS, x[q + 1]);
                c00 = v0.fma(x0, c00);
                c01 = v1.fma(x0, c01);
                c10 = v0.fma(x1, c10);
                c11 = v1.fma(x1, c11);
                w0 = w0.lanewise(VectorOperators.LSHL, 8);
                w1 = w1.lanewise(VectorOperators.LSHL, 8);
            }
        }
        c00.intoArray(out, 0);
        c01.intoArray(out, LANES);
        c10.intoArray(out, UNIT);
        c11.intoArray(out, UNIT + LANES);
    }

    /// `out[4][UNIT]` = the products of one BF16 unit with the first four rows of the tile at `xo`.
    public static void bf16ByFour(MemorySegment w, long unit, int words, float[] x, int xo, float[] out) {
        FloatVector c00 = FloatVector.zero(FLOATS);
        FloatVector c01 = c00;
        FloatVector c10 = c00;
        FloatVector c11 = c00;
        FloatVector c20 = c00;
        FloatVector c21 = c00;
        FloatVector c30 = c00;
        FloatVector c31 = c00;
        for (int i = 0; i < words; i++) {
            long line = unit + (long) i * LINE;
            IntVector w0 = ints(w, line);
            IntVector w1 = ints(w, line + BYTES);
            for (int j = 0; j < 2; j++) {
                FloatVector v0 = w0.lanewise(VectorOperators.LSHL, 16).reinterpretAsFloats();
                FloatVector v1 = w1.lanewise(VectorOperators.LSHL, 16).reinterpretAsFloats();
                int q = xo + (2 * i + j) * TILE;
                FloatVector x0 = FloatVector.broadcast(FLOATS, x[q]);
                FloatVector x1 = FloatVector.broadcast(FLOATS, x[q + 1]);
                FloatVector x2 = FloatVector.broadcast(FLOATS, x[q + 2]);
                FloatVector x3 = FloatVector.broadcast(FLOATS, x[q + 3]);
                c00 = v0.fma(x0, c00);
                c01 = v1.fma(x0, c01);
                c10 = v0.fma(x1, c10);
                c11 = v1.fma(x1, c11);
                c20 = v0.fma(x2, c20);
                c21 = v1.fma(x2, c21);
                c30 = v0.fma(x3, c30);
                c31 = v1.fma(x3, c31);
                w0 = w0.lanewise(VectorOperators.LSHR, 16);
                w1 = w1.lanewise(VectorOperators.LSHR, 16);
            }
        }
        c00.intoArray(out, 0);
        c01.intoArray(out, LANES);
        c10.intoArray(out, UNIT);
        c11.intoArray(out, UNIT + LANES);
        c20.intoArray(out, 2 * UNIT);
        c21.intoArray(out, 2 * UNIT + LANES);
        c30.intoArray(out, 3 * UNIT);
        c31.intoArray(out, 3 * UNIT + LANES);
    }

    /// As [#bf16ByFour] for FP8, without the channels' scales and the corrections.
    public static void fp8ByFour(MemorySegment w, long unit, int words, float[] x, int xo, float[] out) {
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
        for (int i = 0; i < words; i++) {
            long line = unit + (long) i * LINE;
            IntVector w0 = ints(w, line);
            IntVector w1 = ints(w, line + BYTES);
            for (int j = 0; j < 4; j++) {
                FloatVector v0 = Dequantization.fp8(w0, mask, exponent);
                FloatVector v1 = Dequantization.fp8(w1, mask, exponent);
                int q = xo + (4 * i + j) * TILE;
                FloatVector x0 = FloatVector.broadcast(FLOATS, x[q]);
                FloatVector x1 = FloatVector.broadcast(FLOATS, x[q + 1]);
                FloatVector x2 = FloatVector.broadcast(FLOATS, x[q + 2]);
                FloatVector x3 = FloatVector.broadcast(FLOATS, x[q + 3]);
                c00 = v0.fma(x0, c00);
                c01 = v1.fma(x0, c01);
                c10 = v0.fma(x1, c10);
                c11 = v1.fma(x1, c11);
                c20 = v0.fma(x2, c20);
                c21 = v1.fma(x2, c21);
                c30 = v0.fma(x3, c30);
                c31 = v1.fma(x3, c31);
                w0 = w0.lanewise(VectorOperators.LSHL, 8);
                w1 = w1.lanewise(VectorOperators.LSHL, 8);
            }
        }
        c00.intoArray(out, 0);
        c01.intoArray(out, LANES);
        c10.intoArray(out, UNIT);
        c11.intoArray(out, UNIT + LANES);
        c20.intoArray(out, 2 * UNIT);
        c21.intoArray(out, 2 * UNIT + LANES);
        c30.intoArray(out, 3 * UNIT);
        c31.intoArray(out, 3 * UNIT + LANES);
    }
}
