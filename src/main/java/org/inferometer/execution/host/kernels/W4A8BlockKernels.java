package org.inferometer.execution.host.kernels;

import static org.inferometer.execution.host.kernels.W4A8RowKernels.CHUNKS;
import static org.inferometer.execution.host.kernels.W4A8RowKernels.CHUNK_WORDS;
import static org.inferometer.execution.host.kernels.W4A8RowKernels.LOW;
import static org.inferometer.execution.host.kernels.W4A8RowKernels.PLACES;
import static org.inferometer.execution.host.kernels.W4A8RowKernels.SHORTS;
import static org.inferometer.execution.host.kernels.W4A8RowKernels.WIDE;
import static org.inferometer.execution.host.machine.Vectors.BYTES;
import static org.inferometer.execution.host.machine.Vectors.FLOATS;
import static org.inferometer.execution.host.machine.Vectors.INTS;
import static org.inferometer.execution.host.machine.Vectors.UNIT;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;

/// [W4A8RowKernels] for several rows: a block of one unit is shifted once and then used by four rows at a time, and the same integers
/// come out.
public final class W4A8BlockKernels {
    /// Rows of a call of [#fourRows].
    public static final int ROWS = 4;
    /// Rows whose chunks are summed before they are added.
    public static final int MOST_ROWS = 16;
    /// Numbers that [#expand] writes.
    public static final int SIZE = PackedMatrix.BLOCK_WORDS * PLACES * WIDE;

    private static final int LINE = PackedMatrix.LINE_BYTES;
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();
    private static final int CHUNK = CHUNK_WORDS * PLACES;
    /// Of the sums of a chunk.
    public static final int CHUNK_SUMS = MOST_ROWS * WIDE;
    /// Numbers of scratch that rows need.
    public static final int SCRATCH = CHUNKS * CHUNK_SUMS;

    private W4A8BlockKernels() {}

    /// Shifts a block of one unit into `[words][PLACES][WIDE]`. Padding of the last chunk is multiplied by zero.
    ///
    /// @param from first byte behind the headers
    public static void expand(MemorySegment w, long from, int words, short[] block) {
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
    public static void fourRows(short[] block, int count, int[] x, int xo, short[] chunks, int first) {
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
                int q = xAt + (1 + k) * BlockKernels.TILE_ROWS;
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
            xAt += (1 + CHUNK) * BlockKernels.TILE_ROWS;
        }
    }

    /// Adds a finished block of one group to rows, for one vector of outputs, as [Int4Groups#addGroups] does.
    ///
    /// @param header of these outputs
    /// @param chunks of [#fourRows], zero where the block has no chunk; of these outputs from `from` on
    /// @param rows up to [#MOST_ROWS]
    /// @param so where the first row's sums begin, rows `sumsStride` apart
    /// @param out `[rows][UNIT]`, of these outputs from `to` on
    public static void addRows(MemorySegment w, long header, short[] chunks, int from, int rows, float[] sums, int so,
            int sumsStride, float[] out, int to) {
        IntVector bits = IntVector.fromMemorySegment(INTS, w, header, ORDER);
        FloatVector scale = Int4Groups.scale(bits);
        FloatVector zero = Int4Groups.zeroPoint(bits);
        for (int row = 0; row < rows; row++) {
            int chunk = from + row * WIDE;
            IntVector v0 = ShortVector.fromArray(SHORTS, chunks, chunk).reinterpretAsInts();
            IntVector v1 = ShortVector.fromArray(SHORTS, chunks, chunk + CHUNK_SUMS).reinterpretAsInts();
            IntVector v2 = ShortVector.fromArray(SHORTS, chunks, chunk + 2 * CHUNK_SUMS).reinterpretAsInts();
            IntVector v3 = ShortVector.fromArray(SHORTS, chunks, chunk + 3 * CHUNK_SUMS).reinterpretAsInts();
            v0 = v0.add(v0.lanewise(VectorOperators.LSHR, 16)).and(LOW);
            v1 = v1.add(v1.lanewise(VectorOperators.LSHR, 16)).and(LOW);
            v2 = v2.add(v2.lanewise(VectorOperators.LSHR, 16)).and(LOW);
            v3 = v3.add(v3.lanewise(VectorOperators.LSHR, 16)).and(LOW);
            FloatVector chain = (FloatVector) v0.add(v1).add(v2.add(v3)).convert(VectorOperators.I2F, 0);
            int sum = so + row * sumsStride;
            int total = to + row * UNIT;
            FloatVector centred = zero.fma(FloatVector.broadcast(FLOATS, -sums[sum]), chain.sub(sums[sum + 1]));
            scale.mul(sums[sum + 2]).fma(centred, FloatVector.fromArray(FLOATS, out, total)).intoArray(out, total);
        }
    }

    /// The same for one group of a block that has two or four.
    ///
    /// @param header of the group
    /// @param count chunks of the group, the first from `from` on: 2 or 1
    public static void addPart(MemorySegment w, long header, short[] chunks, int from, int count, int rows,
            float[] sums, int so, int sumsStride, float[] out, int to) {
        IntVector bits = IntVector.fromMemorySegment(INTS, w, header, ORDER);
        FloatVector scale = Int4Groups.scale(bits);
        FloatVector zero = Int4Groups.zeroPoint(bits);
        // Nothing of a second chunk where there is one: a branch would leave vectors in memory.
        IntVector ofLast = IntVector.broadcast(INTS, count == 2 ? LOW : 0);
        for (int row = 0; row < rows; row++) {
            int chunk = from + row * WIDE;
            IntVector first = ShortVector.fromArray(SHORTS, chunks, chunk).reinterpretAsInts();
            IntVector last =
                    ShortVector.fromArray(SHORTS, chunks, chunk + (count - 1) * CHUNK_SUMS).reinterpretAsInts();
            first = first.add(first.lanewise(VectorOperators.LSHR, 16)).and(LOW);
            last = last.add(last.lanewise(VectorOperators.LSHR, 16)).and(ofLast);
            IntVector integers = first.add(last);
            FloatVector chain = (FloatVector) integers.convert(VectorOperators.I2F, 0);
            int sum = so + row * sumsStride;
            int total = to + row * UNIT;
            FloatVector centred = zero.fma(FloatVector.broadcast(FLOATS, -sums[sum]), chain.sub(sums[sum + 1]));
            scale.mul(sums[sum + 2]).fma(centred, FloatVector.fromArray(FLOATS, out, total)).intoArray(out, total);
        }
    }
}
