package org.inferometer.execution.host.steps;

import java.lang.foreign.MemorySegment;
import org.inferometer.execution.host.machine.HostOptions;
import org.inferometer.execution.host.machine.Vectors;

/// One number format of a [KvCache]: the layout of keys and values of one head in a block, and the products that read them.
///
/// Keys are in tiles of [Vectors#LANES] positions, `[tiles][headDim][LANES]`, values in columns of [#WIDTH] elements,
/// `[columns][blockTokens][WIDTH]`; the last tile and column are as narrow as the rest. Full ones are read sequentially
/// with a constant stride.
///
/// Addresses are byte offsets into the pool's memory. Up to four blocks in different pages are read concurrently,
/// because the prefetcher works per page. Products read up to [#SLACK_BYTES] after their data, into unused lanes. Any
/// thread may call.
sealed interface KvProducts permits FloatKvProducts, Bf16KvProducts {
    /// Tiles or blocks that are read at once, and chains of an output.
    int STREAMS = 4;
    /// Queries of a score product.
    int QUERIES = 4;
    /// Outputs that are computed at once.
    int WIDTH = 4 * Vectors.LANES;
    /// Bytes that must be readable behind the last block.
    long SLACK_BYTES = 4L * WIDTH;

    /// The products for blocks of one model.
    static KvProducts of(HostOptions.KvDtype dtype, MemorySegment memory, int headDim, int blockTokens) {
        return switch (dtype) {
            case FP32 -> new FloatKvProducts(memory, headDim, blockTokens);
            case BF16 -> new Bf16KvProducts(memory, headDim, blockTokens);
        };
    }

    /// Bytes of the keys, or of the values, of one head in a block.
    static long bytes(HostOptions.KvDtype dtype, int headDim, int blockTokens) {
        return switch (dtype) {
            case FP32 -> 4L * headDim * blockTokens;
            case BF16 -> 4L * Math.ceilDiv(headDim, 2) * blockTokens;
        };
    }

    /// The pool.
    MemorySegment memory();

    /// Stores the key of one position, `[headDim]` from `from` on, into the keys at `block`.
    void writeKey(long block, int slot, float[] key, int from);

    /// Stores the value of one position, `[headDim]` from `from` on, into the values at `block`.
    void writeValue(long block, int slot, float[] value, int from);

    /// Bytes from the keys of a block to those of one of its tiles.
    long tile(int index);

    /// Products of four queries with one tile of a block's keys.
    ///
    /// @param queryAt where each query starts in `queries`; four from `first` on
    /// @param scores of query `i` from `at + i * stride` on
    void score(long keys, int tile, float[] queries, int[] queryAt, int first, float[] scores, int at, int stride);

    /// As [#score], for four whole tiles, each at its own address, whose scores follow each other.
    void scoreFour(long a, long b, long c, long d, float[] queries, int[] queryAt, int first, float[] scores, int at,
            int stride);

    /// Bytes from the values of a block to those of one of its columns.
    long column(int index);

    /// Adds values of one column of a block, weighted, to chains of [#WIDTH] outputs of four queries.
    ///
    /// @param first the first position of the block that counts
    /// @param end behind the last one
    /// @param slots weights of query `i` of four start at `at + slots[slot + i] * stride`, one per position of the
    ///     block; a query may occur more than once
    /// @param chains of query `i` from `to + slots[slot + i] * chainStride` on
    void add(long values, int column, int first, int end, int[] slots, int slot, float[] weights, int at, int stride,
            float[] chains, int to, int chainStride);

    /// Adds one whole column of four blocks that follow each other, each at its own address, to four chains of one query.
    ///
    /// @param weights of the blocks' positions from `at` on
    /// @param chains `[STREAMS][stride]` from `to` on
    void addFour(long a, long b, long c, long d, float[] weights, int at, float[] chains, int to, int stride);

    /// The sums of the outputs' chains times a factor, in the order of the elements.
    ///
    /// @param chains `[STREAMS][stride]` from `at` on; scratch afterwards
    /// @param result `[headDim]` from `to` on
    void finish(float[] chains, int at, int stride, float factor, float[] result, int to);
}
