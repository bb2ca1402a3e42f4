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
import org.inferometer.execution.host.machine.Vectors;

/// Matrix kernels for many activation rows: a block of one unit is decoded once and then used by eight rows at a time,
/// or by four if registers hold no more chains.
///
/// Partial sums are kept in memory between blocks, which changes no bit of the chains of [RowKernels].
public final class BlockKernels {
    /// Inputs decoded at a time: with a unit's outputs, 8 KiB at 512 bits.
    public static final int COLUMNS = 64;
    /// Activation rows of a tile; buffers hold whole tiles.
    public static final int TILE_ROWS = 8;

    private static final int LINE = PackedMatrix.LINE_BYTES;

    private BlockKernels() {}

    /// Rows rounded up to whole tiles.
    public static int wholeTiles(int rows) {
        return Vectors.roundUp(rows, TILE_ROWS);
    }

    /// Decodes `words` words from byte `from` into `[2·words][UNIT]`.
    public static void expandBf16(MemorySegment w, long from, int words, float[] block) {
        for (int i = 0; i < words; i++) {
            IntVector w0 = ints(w, from + (long) i * LINE);
            IntVector w1 = ints(w, from + (long) i * LINE + BYTES);
            int at = 2 * i * UNIT;
            Dequantization.bf16Low(w0).intoArray(block, at);
            Dequantization.bf16Low(w1).intoArray(block, at + LANES);
            Dequantization.bf16High(w0).intoArray(block, at + UNIT);
            Dequantization.bf16High(w1).intoArray(block, at + UNIT + LANES);
        }
    }

    /// Decodes into `[4·words][UNIT]`.
    public static void expandFp8(MemorySegment w, long from, int words, float[] block) {
        IntVector mask = IntVector.broadcast(INTS, Dequantization.FP8_MASK);
        IntVector exponent = IntVector.broadcast(INTS, Dequantization.FP8_EXPONENT);
        for (int i = 0; i < words; i++) {
            IntVector w0 = ints(w, from + (long) i * LINE);
            IntVector w1 = ints(w, from + (long) i * LINE + BYTES);
            for (int j = 0; j < 4; j++) {
                int at = (4 * i + j) * UNIT;
                Dequantization.fp8(w0, mask, exponent).intoArray(block, at);
                Dequantization.fp8(w1, mask, exponent).intoArray(block, at + LANES);
                w0 = w0.lanewise(VectorOperators.LSHL, 8);
                w1 = w1.lanewise(VectorOperators.LSHL, 8);
            }
        }
    }

    /// As [#expandFp8], for the units that [Fp8Corrections] leaves to the exact kernels.
    public static void expandFp8Exact(MemorySegment w, long from, int words, float[] block) {
        IntVector magnitude = IntVector.broadcast(INTS, Dequantization.FP8_MAGNITUDE);
        IntVector exponent = IntVector.broadcast(INTS, Dequantization.FP8_EXPONENT);
        IntVector sign = IntVector.broadcast(INTS, Dequantization.SIGN);
        FloatVector two = FloatVector.broadcast(FLOATS, Dequantization.FP8_TWO);
        FloatVector offset = FloatVector.broadcast(FLOATS, Dequantization.FP8_OFFSET);
        for (int i = 0; i < words; i++) {
            IntVector w0 = ints(w, from + (long) i * LINE);
            IntVector w1 = ints(w, from + (long) i * LINE + BYTES);
            for (int j = 0; j < 4; j++) {
                int at = (4 * i + j) * UNIT;
                Dequantization.fp8Exact(w0, magnitude, exponent, sign, two, offset).intoArray(block, at);
                Dequantization.fp8Exact(w1, magnitude, exponent, sign, two, offset).intoArray(block, at + LANES);
                w0 = w0.lanewise(VectorOperators.LSHL, 8);
                w1 = w1.lanewise(VectorOperators.LSHL, 8);
            }
        }
    }

    /// Continues the chains `sums[8][UNIT]` at `at` over `columns` inputs of a tile of `ActivationRows` from `xo`; rows
    /// after `rows` may be skipped.
    public static void tile(float[] block, int columns, int rows, float[] x, int xo, float[] sums, int at) {
        if (Vectors.MANY_REGISTERS) {
            eightRows(block, columns, x, xo, sums, at);
        } else {
            fourRows(block, columns, x, xo, sums, at);
            if (rows > TILE_ROWS / 2) {
                fourRows(block, columns, x, xo + TILE_ROWS / 2, sums, at + TILE_ROWS / 2 * UNIT);
            }
        }
    }

    private static void fourRows(float[] block, int columns, float[] x, int xo, float[] sums, int at) {
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
            int q = xo + k * TILE_ROWS;
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
        c00.intoArray(sums, at);
        c01.intoArray(sums, at + LANES);
        c10.intoArray(sums, at + UNIT);
        c11.intoArray(sums, at + UNIT + LANES);
        c20.intoArray(sums, at + 2 * UNIT);
        c21.intoArray(sums, at + 2 * UNIT + LANES);
        c30.intoArray(sums, at + 3 * UNIT);
        c31.intoArray(sums, at + 3 * UNIT + LANES);
    }

    private static void eightRows(float[] block, int columns, float[] x, int xo, float[] sums, int at) {
        FloatVector c00 = FloatVector.fromArray(FLOATS, sums, at);
        FloatVector c01 = FloatVector.fromArray(FLOATS, sums, at + LANES);
        FloatVector c10 = FloatVector.fromArray(FLOATS, sums, at + UNIT);
        FloatVector c11 = FloatVector.fromArray(FLOATS, sums, at + UNIT + LANES);
        FloatVector c20 = FloatVector.fromArray(FLOATS, sums, at + 2 * UNIT);
        FloatVector c21 = FloatVector.fromArray(FLOATS, sums, at + 2 * UNIT + LANES);
        FloatVector c30 = FloatVector.fromArray(FLOATS, sums, at + 3 * UNIT);
        FloatVector c31 = FloatVector.fromArray(FLOATS, sums, at + 3 * UNIT + LANES);
        FloatVector c40 = FloatVector.fromArray(FLOATS, sums, at + 4 * UNIT);
        FloatVector c41 = FloatVector.fromArray(FLOATS, sums, at + 4 * UNIT + LANES);
        FloatVector c50 = FloatVector.fromArray(FLOATS, sums, at + 5 * UNIT);
        FloatVector c51 = FloatVector.fromArray(FLOATS, sums, at + 5 * UNIT + LANES);
        FloatVector c60 = FloatVector.fromArray(FLOATS, sums, at + 6 * UNIT);
        FloatVector c61 = FloatVector.fromArray(FLOATS, sums, at + 6 * UNIT + LANES);
        FloatVector c70 = FloatVector.fromArray(FLOATS, sums, at + 7 * UNIT);
        FloatVector c71 = FloatVector.fromArray(FLOATS, sums, at + 7 * UNIT + LANES);
        for (int k = 0; k < columns; k++) {
            FloatVector w0 = FloatVector.fromArray(FLOATS, block, k * UNIT);
            FloatVector w1 = FloatVector.fromArray(FLOATS, block, k * UNIT + LANES);
            int q = xo + k * TILE_ROWS;
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
            FloatVector x4 = FloatVector.broadcast(FLOATS, x[q + 4]);
            c40 = w0.fma(x4, c40);
            c41 = w1.fma(x4, c41);
            FloatVector x5 = FloatVector.broadcast(FLOATS, x[q + 5]);
            c50 = w0.fma(x5, c50);
            c51 = w1.fma(x5, c51);
            FloatVector x6 = FloatVector.broadcast(FLOATS, x[q + 6]);
            c60 = w0.fma(x6, c60);
            c61 = w1.fma(x6, c61);
            FloatVector x7 = FloatVector.broadcast(FLOATS, x[q + 7]);
            c70 = w0.fma(x7, c70);
            c71 = w1.fma(x7, c71);
        }
        c00.intoArray(sums, at);
        c01.intoArray(sums, at + LANES);
        c10.intoArray(sums, at + UNIT);
        c11.intoArray(sums, at + UNIT + LANES);
        c20.intoArray(sums, at + 2 * UNIT);
        c21.intoArray(sums, at + 2 * UNIT + LANES);
        c30.intoArray(sums, at + 3 * UNIT);
        c31.intoArray(sums, at + 3 * UNIT + LANES);
        c40.intoArray(sums, at + 4 * UNIT);
        c41.intoArray(sums, at + 4 * UNIT + LANES);
        c50.intoArray(sums, at + 5 * UNIT);
        c51.intoArray(sums, at + 5 * UNIT + LANES);
        c60.intoArray(sums, at + 6 * UNIT);
        c61.intoArray(sums, at + 6 * UNIT + LANES);
        c70.intoArray(sums, at + 7 * UNIT);
        c71.intoArray(sums, at + 7 * UNIT + LANES);
    }
}
