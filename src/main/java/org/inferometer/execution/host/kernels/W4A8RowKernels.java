package org.inferometer.execution.host.kernels;

import static org.inferometer.execution.host.machine.Vectors.BYTES;
import static org.inferometer.execution.host.machine.Vectors.FLOATS;
import static org.inferometer.execution.host.machine.Vectors.INTS;
import static org.inferometer.execution.host.machine.Vectors.LANES;
import static org.inferometer.execution.host.machine.Vectors.UNIT;
import static org.inferometer.execution.host.machine.Vectors.ints;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/// INT4 kernel for a single row of INT8 activations: exact integer products in 16-bit lanes,
/// with the same bits as [Int4Kernels] on the same activations. [W4A8BlockKernels] handles several rows.
///
/// Nibble k of a word is W_k − 16 · W_(k+1), where W_k is the word shifted right by k nibbles. So Σ x_k · n_k is Σ (x_k
/// − 16 · x_(k−1)) · W_k, modulo 2^16 in every lane, without masks: a shift, a product and a sum for two inputs of a
/// word. The lower half has the first four inputs, the upper half the last four. Bits shifted from the upper into the
/// lower half add −16 · x_3 times the upper half; the upper half's first factor corrects this. The result is the sum of
/// both halves.
///
/// A chunk of 32 inputs is as much as 16 bits hold: |Σ x · (n − 8)| ≤ 32 · 127 · 8 < 2^15. [W4A8Rows] has what the eights come to.
/// A group is one chunk, two or four of a block: its width matters only to how chunks are added.
public final class W4A8RowKernels {
    /// Chunks of a block.
    public static final int CHUNKS = 4;
    public static final int CHUNK_WORDS = PackedMatrix.BLOCK_WORDS / CHUNKS;
    /// Shifts of a word, each with two inputs.
    static final int PLACES = 4;
    /// Lanes of a unit's words.
    public static final int WIDE = 2 * UNIT;
    static final VectorSpecies<Short> SHORTS = ShortVector.SPECIES_PREFERRED;

    /// Blocks whose chunks are summed before they are added: few enough for the near cache.
    private static final int BLOCKS = 16;
    /// Numbers of scratch that [#row] needs.
    public static final int SCRATCH = BLOCKS * CHUNKS * 2 * WIDE;

    private static final int LINE = PackedMatrix.LINE_BYTES;
    /// Of a block that is one group.
    private static final int GROUP_BYTES = (PackedMatrix.BLOCK_WORDS + 1) * LINE;
    /// Of the numbers that two units leave of a chunk and of a block.
    private static final int CHUNK_SUMS = 2 * WIDE;
    private static final int BLOCK_SUMS = CHUNKS * CHUNK_SUMS;
    /// Lower half of a 32-bit lane.
    static final int LOW = 0xFFFF;
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();

    private W4A8RowKernels() {}

    /// `out[0..2·pairs·UNIT)` = the products of pairs of units with a single row; the matrix's last unit replaces missing ones.
    ///
    /// Pairs take turns block by block: the processor fetches more streams ahead.
    ///
    /// @param sums as [GroupedRows#sums]
    /// @param chunks scratch of [#SCRATCH]
    public static void row(PackedMatrix matrix, int unit, int pairs, W4A8Rows x, float[] sums, float[] out,
            short[] chunks) {
        Arrays.fill(out, 0, 2 * pairs * UNIT, 0f);
        int blocks = matrix.blocks();
        int most = BLOCKS / pairs;
        for (int first = 0; first < blocks; first += most) {
            int count = Math.min(most, blocks - first);
            int turn = pairs == 1 ? count : 1;
            for (int block = 0; block < count; block += turn) {
                for (int pair = 0; pair < pairs; pair++) {
                    sumBlocks(matrix, offset(matrix, unit + 2 * pair), offset(matrix, unit + 2 * pair + 1),
                            first + block, turn, x, chunks, (pair * most + block) * BLOCK_SUMS);
                }
            }
            int sum = GroupedRows.SUMS * first * matrix.headers();
            for (int i = 0; i < 2 * pairs; i++) {
                long header = offset(matrix, unit + i) + matrix.blockOffset(first);
                int from = i / 2 * most * BLOCK_SUMS + i % 2 * WIDE;
                add(matrix, header, count, chunks, from, sums, sum, out, i * UNIT);
                add(matrix, header + BYTES, count, chunks, from + UNIT, sums, sum, out, i * UNIT + LANES);
            }
        }
    }

    private static long offset(PackedMatrix matrix, int unit) {
        return matrix.unitOffset(Math.min(unit, matrix.units() - 1));
    }

    /// The chunks of some blocks, `[blocks][CHUNKS][2][WIDE]` from `begin` on; chunks that the last block has not are zero.
    private static void sumBlocks(PackedMatrix matrix, long a, long b, int first, int count, W4A8Rows x, short[] chunks,
            int begin) {
        MemorySegment w = matrix.lines();
        for (int block = 0; block < count; block++) {
            int present =
                    Math.min(PackedMatrix.BLOCK_WORDS, matrix.words() - (first + block) * PackedMatrix.BLOCK_WORDS);
            int whole = present / CHUNK_WORDS * CHUNK_WORDS;
            int to = begin + block * BLOCK_SUMS;
            int pair = x.singlePairs() + (first + block) * PackedMatrix.BLOCK_WORDS * PLACES;
            int start = (first + block) * CHUNKS;
            long line = matrix.blockOffset(first + block) + (long) matrix.headers() * LINE;
            if (present < PackedMatrix.BLOCK_WORDS) {
                Arrays.fill(chunks, to, to + BLOCK_SUMS, (short) 0);
            }
            sumChunks(w, a + line, b + line, whole, x.numbers, pair, start, chunks, to);
            if (whole < present) {
                to += whole / CHUNK_WORDS * CHUNK_SUMS;
                for (int i = 0; i < 2; i++) {
                    sumRest(w, a + line + i * BYTES, whole, present, x.numbers, pair, start + whole / CHUNK_WORDS,
                            chunks, to + i * UNIT);
                    sumRest(w, b + line + i * BYTES, whole, present, x.numbers, pair, start + whole / CHUNK_WORDS,
                            chunks, to + WIDE + i * UNIT);
                }
            }
        }
    }

    /// Whole chunks of a block. The numbers behind a chunk's start are read, whatever they are.
    private static void sumChunks(MemorySegment w, long a, long b, int words, int[] x, int xo, int so, short[] chunks,
            int first) {
        MemorySegment sa = w.asSlice(a, (long) words * LINE);
        MemorySegment sb = w.asSlice(b, (long) words * LINE);
        ShortVector c0 = IntVector.broadcast(INTS, x[so]).reinterpretAsShorts();
        ShortVector c1 = c0;
        ShortVector c2 = c0;
        ShortVector c3 = c0;
        for (int i = 0; i < words; i++) {
            ShortVector x0 = IntVector.broadcast(INTS, x[xo + PLACES * i]).reinterpretAsShorts();
            ShortVector x1 = IntVector.broadcast(INTS, x[xo + PLACES * i + 1]).reinterpretAsShorts();
            ShortVector x2 = IntVector.broadcast(INTS, x[xo + PLACES * i + 2]).reinterpretAsShorts();
            ShortVector x3 = IntVector.broadcast(INTS, x[xo + PLACES * i + 3]).reinterpretAsShorts();
            IntVector v = IntVector.fromMemorySegment(INTS, sa, i * LINE, ORDER);
            c0 = c0.add(v.reinterpretAsShorts().mul(x0));
            c0 = c0.add(v.lanewise(VectorOperators.LSHR, 4).reinterpretAsShorts().mul(x1));
            c0 = c0.add(v.lanewise(VectorOperators.LSHR, 8).reinterpretAsShorts().mul(x2));
            c0 = c0.add(v.lanewise(VectorOperators.LSHR, 12).reinterpretAsShorts().mul(x3));
            v = IntVector.fromMemorySegment(INTS, sa, i * LINE + BYTES, ORDER);
            c1 = c1.add(v.reinterpretAsShorts().mul(x0));
            c1 = c1.add(v.lanewise(VectorOperators.LSHR, 4).reinterpretAsShorts().mul(x1));
            c1 = c1.add(v.lanewise(VectorOperators.LSHR, 8).reinterpretAsShorts().mul(x2));
            c1 = c1.add(v.lanewise(VectorOperators.LSHR, 12).reinterpretAsShorts().mul(x3));
            v = IntVector.fromMemorySegment(INTS, sb, i * LINE, ORDER);
            c2 = c2.add(v.reinterpretAsShorts().mul(x0));
            c2 = c2.add(v.lanewise(VectorOperators.LSHR, 4).reinterpretAsShorts().mul(x1));
            c2 = c2.add(v.lanewise(VectorOperators.LSHR, 8).reinterpretAsShorts().mul(x2));
            c2 = c2.add(v.lanewise(VectorOperators.LSHR, 12).reinterpretAsShorts().mul(x3));
            v = IntVector.fromMemorySegment(INTS, sb, i * LINE + BYTES, ORDER);
            c3 = c3.add(v.reinterpretAsShorts().mul(x0));
            c3 = c3.add(v.lanewise(VectorOperators.LSHR, 4).reinterpretAsShorts().mul(x1));
            c3 = c3.add(v.lanewise(VectorOperators.LSHR, 8).reinterpretAsShorts().mul(x2));
            c3 = c3.add(v.lanewise(VectorOperators.LSHR, 12).reinterpretAsShorts().mul(x3));
            if ((i & CHUNK_WORDS - 1) == CHUNK_WORDS - 1) {
                int to = first + i / CHUNK_WORDS * CHUNK_SUMS;
                c0.intoArray(chunks, to);
                c1.intoArray(chunks, to + UNIT);
                c2.intoArray(chunks, to + 2 * UNIT);
                c3.intoArray(chunks, to + 3 * UNIT);
                c0 = IntVector.broadcast(INTS, x[so + i / CHUNK_WORDS + 1]).reinterpretAsShorts();
                c1 = c0;
                c2 = c0;
                c3 = c0;
            }
        }
    }

    /// A last chunk that is not whole, of one vector of outputs.
    private static void sumRest(MemorySegment w, long from, int first, int end, int[] x, int xo, int so, short[] chunks,
            int to) {
        ShortVector chain = IntVector.broadcast(INTS, x[so]).reinterpretAsShorts();
        for (int i = first; i < end; i++) {
            IntVector shifted = ints(w, from + (long) i * LINE);
            for (int place = 0; place < PLACES; place++) {
                ShortVector factors = IntVector.broadcast(INTS, x[xo + PLACES * i + place]).reinterpretAsShorts();
                chain = chain.add(shifted.reinterpretAsShorts().mul(factors));
                shifted = shifted.lanewise(VectorOperators.LSHR, 4);
            }
        }
        chain.intoArray(chunks, to);
    }

    /// Adds blocks of one vector of outputs, as [Int4Groups#addGroups] does.
    ///
    /// @param header of the first block and these outputs
    /// @param from where their sums begin
    private static void add(PackedMatrix matrix, long header, int blocks, short[] chunks, int from, float[] sums,
            int so, float[] out, int at) {
        if (matrix.headers() == 1) {
            addGroups(matrix.lines(), header, blocks, chunks, from, sums, so, out, at);
        } else {
            addParts(matrix, header, blocks, chunks, from, sums, so, out, at);
        }
    }

    /// Blocks of one group. Written out, because calls of [#whole] and [#added] took 4 % of a product.
    private static void addGroups(MemorySegment w, long header, int groups, short[] chunks, int from, float[] sums,
            int so, float[] out, int at) {
        MemorySegment headers = w.asSlice(header, (long) (groups - 1) * GROUP_BYTES + BYTES);
        FloatVector total = FloatVector.fromArray(FLOATS, out, at);
        for (int group = 0; group < groups; group++) {
            IntVector bits = IntVector.fromMemorySegment(INTS, headers, group * GROUP_BYTES, ORDER);
            int chunk = from + group * BLOCK_SUMS;
            IntVector v0 = ShortVector.fromArray(SHORTS, chunks, chunk).reinterpretAsInts();
            IntVector v1 = ShortVector.fromArray(SHORTS, chunks, chunk + CHUNK_SUMS).reinterpretAsInts();
            IntVector v2 = ShortVector.fromArray(SHORTS, chunks, chunk + 2 * CHUNK_SUMS).reinterpretAsInts();
            IntVector v3 = ShortVector.fromArray(SHORTS, chunks, chunk + 3 * CHUNK_SUMS).reinterpretAsInts();
            v0 = v0.add(v0.lanewise(VectorOperators.LSHR, 16)).and(LOW);
            v1 = v1.add(v1.lanewise(VectorOperators.LSHR, 16)).and(LOW);
            v2 = v2.add(v2.lanewise(VectorOperators.LSHR, 16)).and(LOW);
            v3 = v3.add(v3.lanewise(VectorOperators.LSHR, 16)).and(LOW);
            FloatVector chain = (FloatVector) v0.add(v1).add(v2.add(v3)).convert(VectorOperators.I2F, 0);
            int sum = so + group * GroupedRows.SUMS;
            FloatVector zero = (FloatVector) bits.and(PackedMatrix.ZERO_POINT_BITS).convert(VectorOperators.I2F, 0);
            FloatVector scale = bits.and(~PackedMatrix.ZERO_POINT_BITS).reinterpretAsFloats();
            FloatVector centred = zero.fma(FloatVector.broadcast(FLOATS, -sums[sum]), chain.sub(sums[sum + 1]));
            total = scale.mul(sums[sum + 2]).fma(centred, total);
        }
        total.intoArray(out, at);
    }

    /// Blocks of two groups of two chunks, or of four groups of one.
    private static void addParts(PackedMatrix matrix, long header, int blocks, short[] chunks, int from, float[] sums,
            int so, float[] out, int at) {
        int parts = matrix.headers();
        MemorySegment headers =
                matrix.lines().asSlice(header, matrix.blockOffset(blocks - 1) + (parts - 1) * LINE + BYTES);
        FloatVector total = FloatVector.fromArray(FLOATS, out, at);
        int sum = so;
        int chunk = from;
        for (int block = 0; block < blocks; block++) {
            long line = matrix.blockOffset(block);
            for (int part = 0; part < parts; part++) {
                IntVector bits = IntVector.fromMemorySegment(INTS, headers, line + part * LINE, ORDER);
                IntVector chain = whole(chunks, chunk);
                if (parts == 2) {
                    chunk += CHUNK_SUMS;
                    chain = chain.add(whole(chunks, chunk));
                }
                total = added(bits, chain, sums, sum, total);
                chunk += CHUNK_SUMS;
                sum += GroupedRows.SUMS;
            }
        }
        total.intoArray(out, at);
    }

    /// The sums of both halves of a chunk.
    static IntVector whole(short[] chunks, int at) {
        IntVector halves = ShortVector.fromArray(SHORTS, chunks, at).reinterpretAsInts();
        return halves.add(halves.lanewise(VectorOperators.LSHR, 16)).and(LOW);
    }

    /// The totals with a group's chain added.
    private static FloatVector added(IntVector header, IntVector integers, float[] sums, int sum, FloatVector total) {
        FloatVector chain = (FloatVector) integers.convert(VectorOperators.I2F, 0);
        FloatVector zero = (FloatVector) header.and(PackedMatrix.ZERO_POINT_BITS).convert(VectorOperators.I2F, 0);
        FloatVector scale = header.and(~PackedMatrix.ZERO_POINT_BITS).reinterpretAsFloats();
        FloatVector centred = zero.fma(FloatVector.broadcast(FLOATS, -sums[sum]), chain.sub(sums[sum + 1]));
        return scale.mul(sums[sum + 2]).fma(centred, total);
    }
}
