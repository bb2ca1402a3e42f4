package org.inferometer.execution.cuda.device;

import java.util.EnumSet;
import java.util.Set;

/// Tile sizes of the kernels; `tiles.h` has the same numbers.
public final class KernelTiles {
    public static final int EMBED_THREADS = 512;
    public static final int NORM_THREADS = 512;
    public static final int PLACE_THREADS = 512;
    public static final int COPY_THREADS = 256;
    public static final int REORDER_THREADS = 256;
    public static final int PACK_THREADS = 256;
    public static final int TILE_ROWS = 16;
    public static final int WIDEN_THREADS = 256;
    public static final int EPILOGUE_THREADS = 256;
    public static final int EPILOGUE_TOKENS = 32;
    public static final int EPILOGUE_OUTPUTS = 128;
    public static final int RATE_THREADS = 256;
    public static final int MATVEC_OUTPUTS = 16;
    public static final int MATVEC_THREADS = 256;
    public static final int MATVEC_SHARED = 0;
    public static final int ATTEND_THREADS = 128;
    /// Queries, rows times query heads, that a thread block of attention computes at a time.
    public static final int ATTEND_QUERIES = 64;
    /// Positions that a thread block of attention loads at a time.
    public static final int ATTEND_POSITIONS = 64;
    public static final int ATTEND_SHARED = 65536;
    /// Fewest positions of a range of a split sequence.
    public static final int LEAST_RANGE_POSITIONS = 128;
    public static final int MOST_HEAD_DIM = 256;
    public static final int SAMPLE_THREADS = 512;
    /// Steps of distance from the largest logit in the sampler's sums.
    public static final int SAMPLE_STEPS = 1024;
    /// Fewest logits of a thread block that shares its row.
    public static final int LEAST_SLICE_LOGITS = 2048;
    /// Epilogues of a product.
    public static final int FINISH_WRITE = 0;
    public static final int FINISH_ADD = 1;
    public static final int FINISH_SWIGLU = 2;
    public static final int FINISH_GELU = 3;
    private static final int MATMUL_SHARED_128_BF16 = 82080;
    private static final int MATMUL_SHARED_128_FP8 = 73824;
    private static final int MATMUL_SHARED_32_INT4_G64 = 55296;
    private static final int MATMUL_SHARED_32_INT4_G32 = 61440;
    /// Most blocks of a tensor-core product of which a multiprocessor makes use.
    private static final int BLOCKS_EACH = 2;
    private static final int MOST_K_SPLITS = 8;
    /// Unused sums after those of a token in a wide tile.
    private static final int SUMS_APART = 4;
    /// Tiles of 16 rows that a matrix has at least and a multiple of, so that wide tiles read no memory behind it.
    public static final int PADDED_TILES = 8;
    /// Eight warps divide the chunks of a narrow block.
    private static final int LEAST_CHUNKS_NARROW = 16;
    private static final int LEAST_CHUNKS_WIDE = 8;
    /// Most tokens that a matrix-vector product takes.
    public static final int MATVEC_TOKENS = 4;

    private KernelTiles() {}

    /// Tensor-core products by tokens per block.
    public enum Matmul {
        TOKENS_8(8, 16, 256, 0, 16), TOKENS_16(16, 32, 256, 52224, 32), TOKENS_32(32, 32, 256, 52224, 32),
        TOKENS_64(64, 128, 128, 82304, 128), TOKENS_128(128, 128, 128, 83968, 128);

        private final int tokens;
        private final int outputs;
        private final int threads;
        private final int sharedBytes;
        private final int normPart;

        Matmul(int tokens, int outputs, int threads, int sharedBytes, int normPart) {
            this.tokens = tokens;
            this.outputs = outputs;
            this.threads = threads;
            this.sharedBytes = sharedBytes;
            this.normPart = normPart;
        }

        /// The smallest product that holds the tokens in one block, or the largest.
        public static Matmul of(int tokens) {
            return of(tokens, TOKENS_128);
        }

        /// The same for a format without products beyond `largest`.
        public static Matmul of(int tokens, Matmul largest) {
            Matmul tile = TOKENS_8;
            while (tile.tokens < tokens && tile != largest) {
                tile = values()[tile.ordinal() + 1];
            }
            return tile;
        }

        public static Set<Matmul> upTo(Matmul largest) {
            return EnumSet.range(TOKENS_8, largest);
        }

        /// The number of blocks that divide the inputs of a tile of outputs: more than one if the device holds at least
        /// twice as many blocks at once as there are tiles.
        ///
        /// @param outputs of the product
        /// @param chunks of its inputs
        /// @param slots blocks that the device holds at once
        public int splits(int tokens, int outputs, int chunks, int slots) {
            return splits(blocks(tokens, outputs), chunks, slots, leastChunks());
        }

        /// The same for a product with this many wide tiles.
        public static int wideSplits(long tiles, int chunks, int slots) {
            return splits(tiles, chunks, slots, LEAST_CHUNKS_WIDE);
        }

        private static int splits(long tiles, int chunks, int slots, int leastChunks) {
            return Math.max(1, (int) Math.min(Math.min(slots / tiles, MOST_K_SPLITS), chunks / leastChunks));
        }

        /// Blocks that a device holds at once, as far as a product uses them.
        public static int slots(int blocksEach, int multiprocessors) {
            return Math.min(blocksEach, BLOCKS_EACH) * multiprocessors;
        }

        /// Chunks that a block needs to keep its copies in flight.
        private int leastChunks() {
            return tokens <= TOKENS_32.tokens ? LEAST_CHUNKS_NARROW : LEAST_CHUNKS_WIDE;
        }

        /// Most blocks of a product that divides its inputs.
        public static int mostSplitBlocks(int multiprocessors) {
            return BLOCKS_EACH * multiprocessors;
        }

        /// Most sums that such a product keeps in memory.
        public static long mostSplitSums(int multiprocessors) {
            return (long) mostSplitBlocks(multiprocessors) * TOKENS_128.tokens * (TOKENS_128.outputs + SUMS_APART);
        }

        /// Thread blocks of the product.
        long blocks(int tokens, int outputs) {
            return (long) Math.ceilDiv(outputs, this.outputs) * Math.ceilDiv(tokens, this.tokens);
        }

        public int tokens() {
            return tokens;
        }

        public int outputs() {
            return outputs;
        }

        public int threads() {
            return threads;
        }

        /// Bytes of dynamic shared memory for weights of a format.
        public int sharedBytes(DeviceFormat format) {
            return switch (this) {
                case TOKENS_8, TOKENS_64 -> sharedBytes;
                case TOKENS_16, TOKENS_32 -> switch (format) {
                    case BF16, FP8, INT4 -> sharedBytes;
                    case INT4_G64 -> MATMUL_SHARED_32_INT4_G64;
                    case INT4_G32 -> MATMUL_SHARED_32_INT4_G32;
                };
                case TOKENS_128 -> switch (format) {
                    case BF16 -> MATMUL_SHARED_128_BF16;
                    case FP8 -> MATMUL_SHARED_128_FP8;
                    case INT4 -> sharedBytes;
                    case INT4_G64, INT4_G32 -> throw new IllegalArgumentException(format + " has no such tile");
                };
            };
        }

        /// Outputs whose squares are summed together for a norm.
        public int normPart() {
            return normPart;
        }
    }

    /// Parts of a row of the residual stream whose squares are summed apart, by the product that writes this many
    /// tokens.
    public static int normParts(int tokens, int outputs) {
        return Math.ceilDiv(outputs, tokens <= MATVEC_TOKENS ? MATVEC_OUTPUTS : Matmul.of(tokens).normPart());
    }

    /// Tokens between two parts: a matrix-vector product writes all its tokens.
    public static int normStride(int tokens) {
        return tokens <= MATVEC_TOKENS ? matvecTokens(tokens) : tokens;
    }

    /// Most sums of squares of steps with up to this many rows.
    public static long mostNormSums(int rows, int outputs) {
        long most = (long) MATVEC_TOKENS * Math.ceilDiv(outputs, MATVEC_OUTPUTS);
        for (Matmul tile : Matmul.values()) {
            int tokens = tile == Matmul.TOKENS_128 ? Math.max(rows, tile.tokens) : tile.tokens;
            most = Math.max(most, (long) tokens * Math.ceilDiv(outputs, tile.normPart));
        }
        return most;
    }

    /// The smallest matrix-vector product for this many tokens: 1, 2 or 4.
    public static int matvecTokens(int tokens) {
        return tokens <= 2 ? tokens : MATVEC_TOKENS;
    }
}
