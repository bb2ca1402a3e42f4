package org.inferometer.execution.host.steps;

import static org.inferometer.execution.host.machine.Vectors.BYTES;
import static org.inferometer.execution.host.machine.Vectors.FLOATS;
import static org.inferometer.execution.host.machine.Vectors.LANES;
import static org.inferometer.execution.host.machine.Vectors.ints;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import org.inferometer.execution.host.machine.HostOptions;
import org.inferometer.execution.host.machine.Vectors;

/// The layout of keys and values of one head in a block of a [KvCache], and the products that read them.
///
/// Both are in words of 32 bits: an FP32 element, or two adjacent BF16 elements of one position, the even one in the low
/// half. With an odd headDim the last word of BF16 has a spare half. Keys are in tiles of [Vectors#LANES] positions,
/// `[tiles][words][LANES]`, values in columns of [#WIDTH] elements, `[columns][blockTokens][words of WIDTH]`; the last tile
/// and column are as narrow as the rest. Full ones are read sequentially with a constant stride.
///
/// Addresses are byte offsets into the pool's memory. Up to four blocks in different pages are read concurrently,
/// because the prefetcher works per page. Products read up to [#SLACK_BYTES] after their data, into unused lanes. Segments
/// are sliced to the range of a loop, so that its offsets are `int` from zero. Any thread may call.
///
/// A process usually loads one of the two formats, whose methods the compiler then inlines without a check of the class.
abstract sealed class KvProducts permits FloatKvProducts, Bf16KvProducts {
    /// Tiles or blocks that are read at once, and chains of an output.
    static final int STREAMS = 4;
    /// Queries of a score product.
    static final int QUERIES = 4;
    /// Outputs that are computed at once.
    static final int WIDTH = 4 * LANES;
    /// Bytes that must be readable behind the last block.
    static final long SLACK_BYTES = 4L * WIDTH;
    private static final ValueLayout.OfInt WORD = ValueLayout.JAVA_INT_UNALIGNED;

    final MemorySegment memory;
    final int headDim;
    final int blockTokens;
    private final int words; // of a position

    KvProducts(MemorySegment memory, int headDim, int blockTokens) {
        this.memory = memory;
        this.headDim = headDim;
        this.blockTokens = blockTokens;
        words = Math.ceilDiv(headDim, perWord());
    }

    /// The products for blocks of one model in the memory of a pool.
    static KvProducts of(HostOptions.KvDtype dtype, MemorySegment memory, int headDim, int blockTokens) {
        return switch (dtype) {
            case FP32 -> new FloatKvProducts(memory, headDim, blockTokens);
            case BF16 -> new Bf16KvProducts(memory, headDim, blockTokens);
        };
    }

    /// Bytes of the keys, or of the values, of one head in a block.
    static long bytes(HostOptions.KvDtype dtype, int headDim, int blockTokens) {
        return 4L * Math.ceilDiv(headDim, Float.BYTES / dtype.bytes()) * blockTokens;
    }

    /// Elements of a word.
    abstract int perWord();

    /// A word of up to so many elements.
    abstract int word(float[] elements, int at, int count);

    /// The first element of each word.
    abstract FloatVector element(IntVector words);

    /// The words with their second element as the first.
    abstract IntVector next(IntVector words);

    /// What follows [#element] of words that were read at `at`, in the order of the chains.
    abstract FloatVector second(IntVector words, MemorySegment rows, int at);

    /// Copies finished outputs from the order of the chains to that of the elements.
    abstract void place(float[] chains, int at, float[] result, int to);

    /// Stores the key of one position, `[headDim]` from `from` on, into the keys at `block`.
    void writeKey(long block, int slot, float[] key, int from) {
        write(block + tile(slot / LANES) + 4L * (slot % LANES), 4 * tileWidth(slot / LANES), key, from, headDim);
    }

    /// Stores the value of one position, `[headDim]` from `from` on, into the values at `block`.
    void writeValue(long block, int slot, float[] value, int from) {
        for (int column = 0; column * WIDTH < headDim; column++) {
            long row = block + column(column) + (long) slot * rowBytes(column);
            write(row, 4, value, from + column * WIDTH, Math.min(WIDTH, headDim - column * WIDTH));
        }
    }

    private void write(long first, int wordStride, float[] elements, int from, int count) {
        int written = Math.ceilDiv(count, perWord());
        MemorySegment to = memory.asSlice(first, (written - 1L) * wordStride + 4);
        for (int i = 0; i < written; i++) {
            int done = perWord() * i;
            to.set(WORD, i * wordStride, word(elements, from + done, Math.min(perWord(), count - done)));
        }
    }

    private int tileWidth(int tile) {
        return Math.min(LANES, blockTokens - tile * LANES);
    }

    /// Bytes of a row of a column.
    private int rowBytes(int column) {
        return 4 * Math.min(WIDTH / perWord(), words - column * (WIDTH / perWord()));
    }

    /// Bytes from the keys of a block to those of one of its tiles.
    long tile(int index) {
        return (long) index * BYTES * words;
    }

    /// Bytes from the values of a block to those of one of its columns.
    long column(int index) {
        return 4L * (WIDTH / perWord()) * index * blockTokens;
    }

    /// Products of four queries with one tile of a block's keys.
    ///
    /// @param queryAt where each query starts in `queries`; four from `first` on
    /// @param scores of query `i` from `at + i * stride` on
    void score(long keys, int tile, float[] queries, int[] queryAt, int first, float[] scores, int at, int stride) {
        int row = 4 * tileWidth(tile);
        MemorySegment rows = memory.asSlice(keys + tile(tile), (words - 1L) * row + BYTES);
        int q0 = queryAt[first];
        int q1 = queryAt[first + 1];
        int q2 = queryAt[first + 2];
        int q3 = queryAt[first + 3];
        FloatVector c0 = FloatVector.zero(FLOATS);
        FloatVector c1 = c0;
        FloatVector c2 = c0;
        FloatVector c3 = c0;
        for (int i = 0; i < words; i++) {
            IntVector word = ints(rows, i * row);
            int end = Math.min(perWord() * (i + 1), headDim);
            for (int d = perWord() * i; d < end; d++) {
                FloatVector k = element(word);
                c0 = k.fma(FloatVector.broadcast(FLOATS, queries[q0 + d]), c0);
                c1 = k.fma(FloatVector.broadcast(FLOATS, queries[q1 + d]), c1);
                c2 = k.fma(FloatVector.broadcast(FLOATS, queries[q2 + d]), c2);
                c3 = k.fma(FloatVector.broadcast(FLOATS, queries[q3 + d]), c3);
                word = next(word);
            }
        }
        c0.intoArray(scores, at);
        c1.intoArray(scores, at + stride);
        c2.intoArray(scores, at + 2 * stride);
        c3.intoArray(scores, at + 3 * stride);
    }

    /// As [#score], for four whole tiles, each at its own address, whose scores follow each other.
    void scoreFour(long a, long b, long c, long d, float[] queries, int[] queryAt, int first, float[] scores, int at,
            int stride) {
        if (headDim % perWord() > 0) {
            score(a, 0, queries, queryAt, first, scores, at, stride);
            score(b, 0, queries, queryAt, first, scores, at + LANES, stride);
            score(c, 0, queries, queryAt, first, scores, at + 2 * LANES, stride);
            score(d, 0, queries, queryAt, first, scores, at + 3 * LANES, stride);
        } else {
            scoreFourWhole(a, b, c, d, queries, queryAt, first, scores, at, stride);
        }
    }

    /// Like [#scoreFour], if every word is full.
    private void scoreFourWhole(long a, long b, long c, long d, float[] queries, int[] queryAt, int first,
            float[] scores, int at, int stride) {
        long bytes = (long) words * BYTES;
        MemorySegment aKeys = memory.asSlice(a, bytes);
        MemorySegment bKeys = memory.asSlice(b, bytes);
        MemorySegment cKeys = memory.asSlice(c, bytes);
        MemorySegment dKeys = memory.asSlice(d, bytes);
        int q0 = queryAt[first];
        int q1 = queryAt[first + 1];
        int q2 = queryAt[first + 2];
        int q3 = queryAt[first + 3];
        FloatVector a0 = FloatVector.zero(FLOATS);
        FloatVector a1 = a0;
        FloatVector a2 = a0;
        FloatVector a3 = a0;
        FloatVector b0 = a0;
        FloatVector b1 = a0;
        FloatVector b2 = a0;
        FloatVector b3 = a0;
        FloatVector c0 = a0;
        FloatVector c1 = a0;
        FloatVector c2 = a0;
        FloatVector c3 = a0;
        FloatVector d0 = a0;
        FloatVector d1 = a0;
        FloatVector d2 = a0;
        FloatVector d3 = a0;
        for (int i = 0; i < words; i++) {
            IntVector aw = ints(aKeys, i * BYTES);
            IntVector bw = ints(bKeys, i * BYTES);
            IntVector cw = ints(cKeys, i * BYTES);
            IntVector dw = ints(dKeys, i * BYTES);
            for (int j = 0; j < perWord(); j++) {
                FloatVector ak = element(aw);
                FloatVector bk = element(bw);
                FloatVector ck = element(cw);
                FloatVector dk = element(dw);
                FloatVector q = FloatVector.broadcast(FLOATS, queries[q0 + perWord() * i + j]);
                a0 = ak.fma(q, a0);
                b0 = bk.fma(q, b0);
                c0 = ck.fma(q, c0);
                d0 = dk.fma(q, d0);
                q = FloatVector.broadcast(FLOATS, queries[q1 + perWord() * i + j]);
                a1 = ak.fma(q, a1);
                b1 = bk.fma(q, b1);
                c1 = ck.fma(q, c1);
                d1 = dk.fma(q, d1);
                q = FloatVector.broadcast(FLOATS, queries[q2 + perWord() * i + j]);
                a2 = ak.fma(q, a2);
                b2 = bk.fma(q, b2);
                c2 = ck.fma(q, c2);
                d2 = dk.fma(q, d2);
                q = FloatVector.broadcast(FLOATS, queries[q3 + perWord() * i + j]);
                a3 = ak.fma(q, a3);
                b3 = bk.fma(q, b3);
                c3 = ck.fma(q, c3);
                d3 = dk.fma(q, d3);
                aw = next(aw);
                bw = next(bw);
                cw = next(cw);
                dw = next(dw);
            }
        }
        a0.intoArray(scores, at);
        b0.intoArray(scores, at + LANES);
        c0.intoArray(scores, at + 2 * LANES);
        d0.intoArray(scores, at + 3 * LANES);
        a1.intoArray(scores, at + stride);
        b1.intoArray(scores, at + stride + LANES);
        c1.intoArray(scores, at + stride + 2 * LANES);
        d1.intoArray(scores, at + stride + 3 * LANES);
        a2.intoArray(scores, at + 2 * stride);
        b2.intoArray(scores, at + 2 * stride + LANES);
        c2.intoArray(scores, at + 2 * stride + 2 * LANES);
        d2.intoArray(scores, at + 2 * stride + 3 * LANES);
        a3.intoArray(scores, at + 3 * stride);
        b3.intoArray(scores, at + 3 * stride + LANES);
        c3.intoArray(scores, at + 3 * stride + 2 * LANES);
        d3.intoArray(scores, at + 3 * stride + 3 * LANES);
    }

    /// Adds values of one column of a block, weighted, to chains of [#WIDTH] outputs of four queries.
    ///
    /// @param first the first position of the block that counts
    /// @param end behind the last one
    /// @param slots weights of query `i` of four start at `at + slots[slot + i] * stride`, one per position of the
    ///     block; a query may occur more than once
    /// @param chains of query `i` from `to + slots[slot + i] * chainStride` on
    void add(long values, int column, int first, int end, int[] slots, int slot, float[] weights, int at, int stride,
            float[] chains, int to, int chainStride) {
        int row = rowBytes(column);
        int half = 2 * BYTES / perWord();
        int tokens = end - first;
        MemorySegment rows =
                memory.asSlice(values + column(column) + (long) first * row, (tokens - 1L) * row + 2 * half);
        int aw = at + first + slots[slot] * stride;
        int bw = at + first + slots[slot + 1] * stride;
        int cw = at + first + slots[slot + 2] * stride;
        int dw = at + first + slots[slot + 3] * stride;
        int ac = to + slots[slot] * chainStride;
        int bc = to + slots[slot + 1] * chainStride;
        int cc = to + slots[slot + 2] * chainStride;
        int dc = to + slots[slot + 3] * chainStride;
        FloatVector a0 = FloatVector.fromArray(FLOATS, chains, ac);
        FloatVector a1 = FloatVector.fromArray(FLOATS, chains, ac + LANES);
        FloatVector a2 = FloatVector.fromArray(FLOATS, chains, ac + 2 * LANES);
        FloatVector a3 = FloatVector.fromArray(FLOATS, chains, ac + 3 * LANES);
        FloatVector b0 = FloatVector.fromArray(FLOATS, chains, bc);
        FloatVector b1 = FloatVector.fromArray(FLOATS, chains, bc + LANES);
        FloatVector b2 = FloatVector.fromArray(FLOATS, chains, bc + 2 * LANES);
        FloatVector b3 = FloatVector.fromArray(FLOATS, chains, bc + 3 * LANES);
        FloatVector c0 = FloatVector.fromArray(FLOATS, chains, cc);
        FloatVector c1 = FloatVector.fromArray(FLOATS, chains, cc + LANES);
        FloatVector c2 = FloatVector.fromArray(FLOATS, chains, cc + 2 * LANES);
        FloatVector c3 = FloatVector.fromArray(FLOATS, chains, cc + 3 * LANES);
        FloatVector d0 = FloatVector.fromArray(FLOATS, chains, dc);
        FloatVector d1 = FloatVector.fromArray(FLOATS, chains, dc + LANES);
        FloatVector d2 = FloatVector.fromArray(FLOATS, chains, dc + 2 * LANES);
        FloatVector d3 = FloatVector.fromArray(FLOATS, chains, dc + 3 * LANES);
        for (int t = 0; t < tokens; t++) {
            IntVector low = ints(rows, t * row);
            IntVector high = ints(rows, t * row + half);
            FloatVector v0 = element(low);
            FloatVector v1 = second(low, rows, t * row);
            FloatVector v2 = element(high);
            FloatVector v3 = second(high, rows, t * row + half);
            FloatVector w = FloatVector.broadcast(FLOATS, weights[aw + t]);
            a0 = v0.fma(w, a0);
            a1 = v1.fma(w, a1);
            a2 = v2.fma(w, a2);
            a3 = v3.fma(w, a3);
            w = FloatVector.broadcast(FLOATS, weights[bw + t]);
            b0 = v0.fma(w, b0);
            b1 = v1.fma(w, b1);
            b2 = v2.fma(w, b2);
            b3 = v3.fma(w, b3);
            w = FloatVector.broadcast(FLOATS, weights[cw + t]);
            c0 = v0.fma(w, c0);
            c1 = v1.fma(w, c1);
            c2 = v2.fma(w, c2);
            c3 = v3.fma(w, c3);
            w = FloatVector.broadcast(FLOATS, weights[dw + t]);
            d0 = v0.fma(w, d0);
            d1 = v1.fma(w, d1);
            d2 = v2.fma(w, d2);
            d3 = v3.fma(w, d3);
        }
        a0.intoArray(chains, ac);
        a1.intoArray(chains, ac + LANES);
        a2.intoArray(chains, ac + 2 * LANES);
        a3.intoArray(chains, ac + 3 * LANES);
        b0.intoArray(chains, bc);
        b1.intoArray(chains, bc + LANES);
        b2.intoArray(chains, bc + 2 * LANES);
        b3.intoArray(chains, bc + 3 * LANES);
        c0.intoArray(chains, cc);
        c1.intoArray(chains, cc + LANES);
        c2.intoArray(chains, cc + 2 * LANES);
        c3.intoArray(chains, cc + 3 * LANES);
        d0.intoArray(chains, dc);
        d1.intoArray(chains, dc + LANES);
        d2.intoArray(chains, dc + 2 * LANES);
        d3.intoArray(chains, dc + 3 * LANES);
    }

    /// Adds one whole column of four blocks that follow each other, each at its own address, to four chains of one query.
    ///
    /// @param weights of the blocks' positions from `at` on
    /// @param chains `[STREAMS][stride]` from `to` on
    abstract void addFour(long a, long b, long c, long d, float[] weights, int at, float[] chains, int to, int stride);

    /// The sums of the outputs' chains times a factor, in the order of the elements.
    ///
    /// @param chains `[STREAMS][stride]` from `at` on; scratch afterwards
    /// @param result `[headDim]` from `to` on
    void finish(float[] chains, int at, int stride, float factor, float[] result, int to) {
        for (int i = 0; i < Vectors.roundUp(headDim, perWord() * LANES); i += LANES) {
            int c = at + i;
            FloatVector first =
                    FloatVector.fromArray(FLOATS, chains, c).add(FloatVector.fromArray(FLOATS, chains, c + stride));
            FloatVector second = FloatVector.fromArray(FLOATS, chains, c + 2 * stride)
                    .add(FloatVector.fromArray(FLOATS, chains, c + 3 * stride));
            first.add(second).mul(factor).intoArray(chains, c);
        }
        place(chains, at, result, to);
    }
}
