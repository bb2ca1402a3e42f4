package org.inferometer.execution.host.kernels;

import static org.inferometer.execution.host.kernels.Vectors.BYTES;
import static org.inferometer.execution.host.kernels.Vectors.FLOATS;
import static org.inferometer.execution.host.kernels.Vectors.INTS;
import static org.inferometer.execution.host.kernels.Vectors.UNIT;
import static org.inferometer.execution.host.kernels.W4A8RowKernels.CHUNKS;
import static org.inferometer.execution.host.kernels.W4A8RowKernels.CHUNK_WORDS;
import static org.inferometer.execution.host.kernels.W4A8RowKernels.PLACES;
import static org.inferometer.execution.host.kernels.W4A8RowKernels.SHORTS;
import static org.inferometer.execution.host.kernels.W4A8RowKernels.WIDE;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;
import org.inferometer.execution.host.packed.PackedMatrix;

/// [W4A8RowKernels] for several rows: a block of one unit is shifted once and then used by four rows at a time, and the same integers
/// come out.
final class W4A8BlockKernels {
    /// Rows of a call of [#fourRows].
    static final int ROWS = 4;
    /// Rows whose chunks are summed before they are added.
    static final int MOST_ROWS = 16;
    /// Numbers that [#expand] writes.
    static final int SIZE = PackedMatrix.BLOCK_WORDS * PLACES * WIDE;

    private static final int LINE = PackedMatrix.LINE_BYTES;
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();
    private static final int CHUNK = CHUNK_WORDS * PLACES;
    /// Of the sums of a chunk.
    static final int CHUNK_SUMS = MOST_ROWS * WIDE;
    /// Numbers of scratch that rows need.
    static final int SCRATCH = CHUNKS * CHUNK_SUMS;

    private W4A8BlockKernels() {}

    /// Shifts a block of one unit into `[words][PLACES][WIDE]`. Padding of the last chunk is multiplied by zero.
    ///
    /// @param from first byte behind the headers
    static void expand(MemorySegment w, long from, int words, short[] block) {
        MemorySegment lines = w.asSlice(from, (long) words * LINE);
        for (int i = 0; i < words; i++) {
            IntVector w0 = IntVector.fromMemorySegment(INTS, lines, i * LINE, ORDER);
            IntVector w1 = IntVector.fromMemorySegment(INTS, lines, i * LINE + BYTES, ORDER);
            int at = i * (PLACES * WIDE);
            for (int place = 0; place < PLACES; place++) {
                w0.reinterpretAsShorts().intoArray(block, at + place * WIDE);
                w1.reinterpretAsShorts().intoArray(block, at + place * WIDE + UNIT);
                w0 = w0.lanewise(VectorOperators.LSHR, 4);
                w1 = w1.lanewise(VectorOperators.LSHR, 4);
            }
        }
    }

    /// The chunks of a block of one unit and four rows, `[CHUNKS][MOST_ROWS][WIDE]`.
    ///
    /// @param block of [#expand]
    /// @param count chunks of the block
    /// @param x as [W4A8Rows#numbers], the first row's from `xo` on
    /// @param first where the first row's sums go
    static void fourRows(short[] block, int count, int[] x, int xo, short[] chunks, int first) {
        int to = first;
        int xAt = xo;
        for (int from = 0; from < count * (CHUNK * WIDE); from += CHUNK * WIDE) {
            ShortVector c00 = IntVector.broadcast(INTS, x[xAt]).reinterpretAsShorts();
            ShortVector c01 = c00;
            ShortVector c10 = IntVector.broadcast(INTS, x[xAt + 1]).reinterpretAsShorts();
            ShortVector c11 = c10;
            ShortVector c20 = IntVector.broadcast(INTS, x[xAt + 2]).reinterpretAsShorts();
            ShortVector c21 = c20;
            ShortVector c30 = IntVector.broadcast(INTS, x[xAt + 3]).reinterpretAsShorts();
            ShortVector c31 = c30;
            for (int k = 0; k < CHUNK; k++) {
                ShortVector w0 = ShortVector.fromArray(SHORTS, block, from + k * WIDE);
                ShortVector w1 = ShortVector.fromArray(SHORTS, block, from + k * WIDE + UNIT);
                int q = xAt + (1 + k) * ActivationRows.TILE;
                ShortVector x0 = IntVector.broadcast(INTS, x[q]).reinterpretAsShorts();
                c00 = c00.add(w0.mul(x0));
                c01 = c01.add(w1.mul(x0));
                ShortVector x1 = IntVector.broadcast(INTS, x[q + 1]).reinterpretAsShorts();
                c10 = c10.add(w0.mul(x1));
                c11 = c11.add(w1.mul(x1));
                ShortVector x2 = IntVector.broadcast(INTS, x[q + 2]).reinterpretAsShorts();
                c20 = c20.add(w0.mul(x2));
                c21 = c21.add(w1.mul(x2));
                ShortVector x3 = IntVector.broadcast(INTS, x[q + 3]).reinterpretAsShorts();
                c30 = c30.add(w0.mul(x3));
                c31 = c31.add(w1.mul(x3));
            }
            c00.intoArray(chunks, to);
            c01.intoArray(chunks, to + UNIT);
            c10.intoArray(chunks, to + 2 * UNIT);
            c11.intoArray(chunks, to + 3 * UNIT);
            c20.intoArray(chunks, to + 4 * UNIT);
            c21.intoArray(chunks, to + 5 * UNIT);
            c30.intoArray(chunks, to + 6 * UNIT);
            c31.intoArray(chunks, to + 7 * UNIT);
            to += CHUNK_SUMS;
            xAt += (1 + CHUNK) * ActivationRows.TILE;
        }
    }

    /// Adds a finished block of one group to rows, for one vector of outputs, as [Int4Groups#addGroups] does.
    ///
    /// @param header of these outputs
    /// @param chunks of [#fourRows], zero where the block has no chunk; of these outputs from `from` on
    /// @param rows up to [#MOST_ROWS]
    /// @param so where the first row's sums begin, rows `sumsStride` apart
    /// @param out `[rows][UNIT]`, of these outputs from `to` on
    static void addRows(MemorySegment w, long header, short[] chunks, int from, int rows, float[] sums, int so,
            int sumsStride, float[] out, int to) {
        IntVector bits = IntVector.fromMemorySegment(INTS, w, header, ORDER);
        FloatVector scale = Int4Groups.scale(bits);
        FloatVector zero = Int4Groups.zeroPoint(bits);
        for (int row = 0; row < rows; row++) {
            int chunk = from + row * WIDE;
            IntVector v0 = W4A8RowKernels.whole(chunks, chunk);
            IntVector v1 = W4A8RowKernels.whole(chunks, chunk + CHUNK_SUMS);
            IntVector v2 = W4A8RowKernels.whole(chunks, chunk + 2 * CHUNK_SUMS);
            IntVector v3 = W4A8RowKernels.whole(chunks, chunk + 3 * CHUNK_SUMS);
            addRow(scale, zero, v0.add(v1).add(v2.add(v3)), sums, so + row * sumsStride, out, to + row * UNIT);
        }
    }

    /// The same for one group of a block that has two or four.
    ///
    /// @param header of the group
    /// @param count chunks of the group, the first from `from` on: 2 or 1
    static void addPart(MemorySegment w, long header, short[] chunks, int from, int count, int rows, float[] sums,
            int so, int sumsStride, float[] out, int to) {
        IntVector bits = IntVector.fromMemorySegment(INTS, w, header, ORDER);
        FloatVector scale = Int4Groups.scale(bits);
        FloatVector zero = Int4Groups.zeroPoint(bits);
        for (int row = 0; row < rows; row++) {
            IntVector chain = W4A8RowKernels.whole(chunks, from + row * WIDE);
            if (count == 2) {
                chain = chain.add(W4A8RowKernels.whole(chunks, from + row * WIDE + CHUNK_SUMS));
            }
            addRow(scale, zero, chain, sums, so + row * sumsStride, out, to + row * UNIT);
        }
    }

    private static void addRow(FloatVector scale, FloatVector zero, IntVector integers, float[] sums, int sum,
            float[] out, int total) {
        FloatVector chain = (FloatVector) integers.convert(VectorOperators.I2F, 0);
        FloatVector centred = zero.fma(FloatVector.broadcast(FLOATS, -sums[sum]), chain.sub(sums[sum + 1]));
        scale.mul(sums[sum + 2]).fma(centred, FloatVector.fromArray(FLOATS, out, total)).intoArray(out, total);
    }
}
