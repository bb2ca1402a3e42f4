package org.inferometer.execution.cuda;

/// Tile sizes of the kernels; `tiles.h` has the same numbers.
final class KernelTiles {
    static final int EMBED_THREADS = 512;
    static final int NORM_THREADS = 512;
    static final int PLACE_THREADS = 512;
    static final int COPY_THREADS = 256;
    static final int SAMPLE_THREADS = 1024;
    static final int RATE_THREADS = 256;
    static final int MATVEC_OUTPUTS = 16;
    static final int MATVEC_THREADS = 256;
    static final int MATVEC_SHARED = 0;
    static final int ATTEND_THREADS = 128;
    static final int PREFILL_THREADS = 128;
    /// Most queries of one prefill tile.
    static final int PREFILL_QUERIES = 64;
    /// Fewest positions of a split of a long sequence.
    static final int LEAST_SPLIT_POSITIONS = 64;
    static final int MOST_SPLITS = 32;
    static final int MOST_HEAD_DIM = 256;
    /// Epilogues of a product.
    static final int FINISH_WRITE = 0;
    static final int FINISH_ADD = 1;
    static final int FINISH_SWIGLU = 2;
    static final int FINISH_GELU = 3;
    /// Most tokens that a matrix-vector product takes.
    static final int MATVEC_TOKENS = 4;

    private KernelTiles() {}

    /// Tensor-core products by tokens per block.
    enum Matmul {
        TOKENS_8(8, 16, 256, 0), TOKENS_16(16, 32, 256, 52224), TOKENS_32(32, 32, 256, 52224),
        TOKENS_64(64, 128, 128, 100352), TOKENS_128(128, 128, 128, 82944);

        private final int tokens;
        private final int outputs;
        private final int threads;
        private final int sharedBytes;

        Matmul(int tokens, int outputs, int threads, int sharedBytes) {
            this.tokens = tokens;
            this.outputs = outputs;
            this.threads = threads;
            this.sharedBytes = sharedBytes;
        }

        /// The smallest product that holds the tokens in one block, or the largest. If its blocks are too few for the
        /// device, a smaller one: it reads weights repeatedly but ends earlier.
        ///
        /// @param outputs of the product
        /// @param multiprocessors of the device
        static Matmul of(int tokens, int outputs, int multiprocessors) {
            Matmul tile = TOKENS_8;
            while (tile.tokens < tokens && tile != TOKENS_128) {
                tile = values()[tile.ordinal() + 1];
            }
            while (tile.tokens > TOKENS_32.tokens && tile.blocks(tokens, outputs) < multiprocessors) {
                tile = values()[tile.ordinal() - 1];
            }
            return tile;
        }

        /// Thread blocks of the product.
        long blocks(int tokens, int outputs) {
            return (long) Math.ceilDiv(outputs, this.outputs) * Math.ceilDiv(tokens, this.tokens);
        }

        int tokens() {
            return tokens;
        }

        int outputs() {
            return outputs;
        }

        int threads() {
            return threads;
        }

        int sharedBytes() {
            return sharedBytes;
        }
    }

    /// The smallest matrix-vector product for this many tokens: 1, 2 or 4.
    static int matvecTokens(int tokens) {
        return tokens <= 2 ? tokens : MATVEC_TOKENS;
    }
}
