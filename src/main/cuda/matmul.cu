// Compute-bound products of many tokens on tensor cores: out[token, output] = x · Wᵀ, with the arguments of matvec.cu.
//
// A block has MATMUL_OUTPUTS rows and TOKENS tokens; its warps divide them into tiles of 16 · ROW_TILES rows and 64
// tokens. Chunks of K (64 bytes of every row, and the matching activations) pass through stages of shared memory by
// asynchronous copies. Weights keep their format until they are in registers. Weights and activations are in shared memory
// in the order in which lanes read them. Blocks of one tile of outputs are adjacent in the grid, so they read its weights
// from the cache.
#include "tile_sums.h"

template <typename Format, int ROW_TILES, int ROW_WARPS, int TOKEN_WARPS>
struct TileShape {
    static constexpr int WARP_ROWS = 16 * ROW_TILES;
    static constexpr int ROWS = WARP_ROWS * ROW_WARPS;
    static constexpr int TOKENS = 64 * TOKEN_WARPS;
    static constexpr int THREADS = 32 * ROW_WARPS * TOKEN_WARPS;
    static constexpr int PIECES = Format::INPUTS / 8; // 16-byte pieces of activations per lane, chunk and token
};

template <typename Format, typename Tile>
struct Stage {
    uint4 weights[Tile::ROWS / TILE_ROWS][2][32];          // in fragment order
    uint4 activations[Tile::TOKENS / 8][Tile::PIECES][32]; // by lane: token lane / 4, quarter lane % 4; see pieceSlot
    // Of the chunk's only group and of the one before, or [ROWS / 16][GROUPS][16] of the chunk.
    unsigned scales[Format::GROUPS > 1 ? Format::GROUPS : 2][Format::GROUP_SCALES ? Tile::ROWS : 4];
};

// The slot of a piece: eight adjacent copies write four quarters of two pieces of a token, and meet in no bank.
DEVICE int pieceSlot(int lane, int piece) { return lane ^ (4 * (piece & 1)); }

// Where a thread copies from: its first piece of weights and of activations of the next chunk. Addresses advance, because
// registers and instructions are scarce in this kernel.
template <typename Format, typename Tile>
struct Source {
    static constexpr int TILE_STEP = Tile::THREADS / 64;
    static constexpr int PARTS = 4 * Tile::PIECES; // of a token's chunk, in order of K: the quarters of a piece are adjacent
    static constexpr int TOKEN_STEP = Tile::THREADS / PARTS;
    const uint4* weights;
    const bf16* x;
};

template <typename Format, typename Tile>
DEVICE Source<Format, Tile> sourceOf(const Product& product, int chunk) {
    typedef Source<Format, Tile> S;
    const int firstRow = static_cast<int>(blockIdx.y) * Tile::ROWS;
    const int firstToken = static_cast<int>(blockIdx.x) * Tile::TOKENS;
    const int thread = static_cast<int>(threadIdx.x);
    const long long chunks = product.paddedK / Format::CHUNK;
    return {product.values + ((firstRow / TILE_ROWS + thread / 64) * chunks + chunk) * 64 + thread % 64,
            product.x + static_cast<long long>(firstToken + thread / S::PARTS) * product.xStride + Format::CHUNK * chunk +
                8 * (thread % S::PARTS)};
}

// Starts copies of a chunk's weights and their scales.
template <typename Format, typename Tile>
DEVICE void fetchWeights(Stage<Format, Tile>& stage, Source<Format, Tile>& source, const Product& product, int chunk) {
    typedef Source<Format, Tile> S;
    const int thread = static_cast<int>(threadIdx.x);
    const int chunks = product.paddedK / Format::CHUNK;
    if constexpr (Format::GROUP_SCALES) {
        source = sourceOf<Format, Tile>(product, chunk);
    }
    const uint4* weights = source.weights;
    UNROLL
    for (int i = 0; i < Tile::ROWS / TILE_ROWS / S::TILE_STEP; i++) {
        const int tile = thread / 64 + S::TILE_STEP * i;
        copyAsync16(&stage.weights[tile][thread / 32 % 2][thread % 32], weights, true);
        weights += static_cast<long long>(S::TILE_STEP) * chunks * 64;
    }
    source.weights += 64;
    if constexpr (Format::GROUPS > 1) {
        constexpr int COPIES = 4 * Format::GROUPS; // of a row tile
        static_assert(COPIES * Tile::ROWS / TILE_ROWS <= Tile::THREADS, "a copy for each thread");
        if (thread < COPIES * Tile::ROWS / TILE_ROWS) {
            const long long tile = static_cast<int>(blockIdx.y) * (Tile::ROWS / TILE_ROWS) + thread / COPIES;
            copyAsync16(&stage.scales[0][0] + 4 * thread,
                        static_cast<const uint4*>(product.scales) + (tile * chunks + chunk) * COPIES + thread % COPIES,
                        true);
        }
    } else if constexpr (Format::GROUP_SCALES) {
        constexpr int COPIES = Tile::ROWS / 4; // a thread copies the scales of four rows
        static_assert(2 * COPIES <= Tile::THREADS, "the scales of two chunks");
        if (thread < 2 * COPIES) {
            const int before = thread / COPIES;
            const int part = thread % COPIES;
            const long long tile = static_cast<int>(blockIdx.y) * (Tile::ROWS / TILE_ROWS) + part / 4;
            const int of = chunk >= before ? chunk - before : 0; // sums are zero before the first chunk
            copyAsync16(&stage.scales[before][4 * part],
                        static_cast<const uint4*>(product.scales) + (tile * chunks + of) * 4 + part % 4, true);
        }
    }
}

// Starts copies of a chunk's activations.
template <typename Format, typename Tile>
DEVICE void fetchActivations(Stage<Format, Tile>& stage, Source<Format, Tile>& source, const Product& product,
                             int chunk) {
    typedef Source<Format, Tile> S;
    const int thread = static_cast<int>(threadIdx.x);
    if constexpr (Format::GROUP_SCALES) {
        source = sourceOf<Format, Tile>(product, chunk);
    }
    const int token = thread / S::PARTS;
    const int part = thread % S::PARTS;
    const int piece = part / 4;
    const bf16* x = source.x;
    UNROLL
    for (int i = 0; i < Tile::TOKENS / S::TOKEN_STEP; i++) {
        const int local = token + S::TOKEN_STEP * i;
        const int lane = (local & 7) * 4 + part % 4;
        copyAsync16(&stage.activations[local >> 3][piece][pieceSlot(lane, piece)], x, true);
        x += static_cast<long long>(S::TOKEN_STEP) * product.xStride;
    }
    source.x += Format::CHUNK;
}

template <typename Format, typename Tile>
DEVICE void fetchStage(Stage<Format, Tile>& stage, Source<Format, Tile>& source, const Product& product, int chunk) {
    fetchWeights(stage, source, product, chunk);
    fetchActivations(stage, source, product, chunk);
}

// INT4 groups of 128 have their own scales: sums are kept in units of the latest group's scale. This costs a product and a
// rounding per sum and group.
template <typename Format, typename Tile, int ROW_TILES>
DEVICE void rescale(const Stage<Format, Tile>& stage, int warpRow, unsigned (&bias)[ROW_TILES][2],
                    float (&sums)[ROW_TILES][8][4]) {
    const int lane = laneOf(static_cast<int>(threadIdx.x));
    UNROLL
    for (int i = 0; i < ROW_TILES; i++) {
        UNROLL
        for (int upper = 0; upper < 2; upper++) {
            bias[i][upper] = 0;
            if constexpr (Format::GROUP_SCALES) {
                const int row = warpRow + TILE_ROWS * i + 8 * upper + (lane >> 2);
                const unsigned word = stage.scales[0][row];
                const float ratio = divide(Format::scale(stage.scales[1][row]), Format::scale(word));
                bias[i][upper] = Format::bias(word);
                UNROLL
                for (int j = 0; j < 8; j++) {
                    sums[i][j][2 * upper] *= ratio;
                    sums[i][j][2 * upper + 1] *= ratio;
                }
            }
        }
    }
}

template <typename Format, typename Tile, int ROW_TILES>
DEVICE void multiplyStage(const Stage<Format, Tile>& stage, int warpRow, int warpToken,
                          const unsigned (&bias)[ROW_TILES][2], float (&sums)[ROW_TILES][8][4]) {
    const int lane = laneOf(static_cast<int>(threadIdx.x));
    uint4 weights[ROW_TILES];
    UNROLL_BY_2
    for (int piece = 0; piece < Tile::PIECES; piece++) { // two steps
        unsigned a[2][ROW_TILES][4];
        UNROLL
        for (int s = 0; s < 2; s++) {
            const int step = 2 * piece + s;
            UNROLL
            for (int i = 0; i < ROW_TILES; i++) {
                if (step % Format::STEPS == 0) {
                    weights[i] = stage.weights[warpRow / TILE_ROWS + i][step / Format::STEPS][lane];
                }
                Format::operand(weights[i], step % Format::STEPS, bias[i], a[s][i]);
            }
        }
        UNROLL
        for (int j = 0; j < 8; j++) {
            const uint4 x = stage.activations[(warpToken >> 3) + j][piece][pieceSlot(lane, piece)];
            const unsigned first[2] = {x.x, x.y};
            const unsigned second[2] = {x.z, x.w};
            UNROLL
            for (int i = 0; i < ROW_TILES; i++) {
                mmaBf16(sums[i][j], a[0][i], first);
            }
            UNROLL
            for (int i = 0; i < ROW_TILES; i++) {
                mmaBf16(sums[i][j], a[1][i], second);
            }
        }
    }
}

// As multiplyStage, with several groups of INT4 in a chunk: the products of a group are added to the sums times its scale.
template <typename Format, typename Tile, int ROW_TILES>
DEVICE void multiplyGroups(const Stage<Format, Tile>& stage, int warpRow, int warpToken,
                           float (&sums)[ROW_TILES][8][4]) {
    constexpr int GROUPS = Format::GROUPS / 2;   // of a piece of weights
    constexpr int STEPS = Format::STEPS / GROUPS; // of a group
    const int lane = laneOf(static_cast<int>(threadIdx.x));
    ROLLED
    for (int half = 0; half < 2; half++) {
        UNROLL
        for (int group = 0; group < GROUPS; group++) {
            unsigned a[STEPS][ROW_TILES][4];
            float scale[ROW_TILES][2];
            UNROLL
            for (int i = 0; i < ROW_TILES; i++) {
                const int tile = warpRow / TILE_ROWS + i;
                const unsigned* words = &stage.scales[0][0] + TILE_ROWS * (Format::GROUPS * tile + GROUPS * half + group);
                unsigned bias[2];
                UNROLL
                for (int upper = 0; upper < 2; upper++) {
                    const unsigned word = words[8 * upper + (lane >> 2)];
                    bias[upper] = Format::bias(word);
                    scale[i][upper] = Format::scale(word);
                }
                UNROLL
                for (int s = 0; s < STEPS; s++) {
                    Format::operand(stage.weights[tile][half][lane], STEPS * group + s, bias, a[s][i]);
                }
            }
            UNROLL
            for (int j = 0; j < 8; j++) {
                float parts[ROW_TILES][4] = {};
                UNROLL
                for (int s = 0; s < STEPS; s += 2) {
                    const int piece = Format::STEPS / 2 * half + (STEPS * group + s) / 2;
                    const uint4 x = stage.activations[(warpToken >> 3) + j][piece][pieceSlot(lane, piece)];
                    const unsigned first[2] = {x.x, x.y};
                    const unsigned second[2] = {x.z, x.w};
                    UNROLL
                    for (int i = 0; i < ROW_TILES; i++) {
                        mmaBf16(parts[i], a[s][i], first);
                    }
                    UNROLL
                    for (int i = 0; i < ROW_TILES; i++) {
                        mmaBf16(parts[i], a[s + 1][i], second);
                    }
                }
                UNROLL
                for (int i = 0; i < ROW_TILES; i++) {
                    UNROLL
                    for (int e = 0; e < 4; e++) {
                        sums[i][j][e] += scale[i][e >> 1] * parts[i][e];
                    }
                }
            }
        }
    }
}

// Stores the lane's sums, each times the unit of its row.
template <typename Tile, int ROW_TILES>
DEVICE void storeSums(TileSums<Tile>& tile, int warpRow, int warpToken, const float (&unit)[2 * ROW_TILES],
                      const float (&sums)[ROW_TILES][8][4]) {
    const int lane = laneOf(static_cast<int>(threadIdx.x));
    UNROLL
    for (int j = 0; j < 8; j++) {
        UNROLL
        for (int e = 0; e < 2; e++) {
            float* column = tile.sums[warpToken + 8 * j + 2 * (lane & 3) + e] + warpRow + (lane >> 2);
            UNROLL
            for (int r = 0; r < 2 * ROW_TILES; r++) {
                column[8 * r] = unit[r] * sums[r >> 1][j][2 * (r & 1) + e];
            }
        }
    }
}

template <typename Format, int ROW_TILES, int ROW_WARPS, int TOKEN_WARPS, int STAGES, int SHARED_BYTES>
DEVICE void matmul(const Product& product) {
    typedef TileShape<Format, ROW_TILES, ROW_WARPS, TOKEN_WARPS> Tile;
    typedef Stage<Format, Tile> StageMemory;
    static_assert(STAGES * sizeof(StageMemory) <= SHARED_BYTES, "the stages fit the launch's shared memory");
    static_assert(sizeof(TileSums<Tile>) <= SHARED_BYTES, "so do the sums");
    DYNAMIC_SHARED(StageMemory, stages);
    const int warp = warpOf(static_cast<int>(threadIdx.x));
    const int warpRow = warp % ROW_WARPS * Tile::WARP_ROWS;
    const int warpToken = warp / ROW_WARPS * 64;
    const int firstRow = static_cast<int>(blockIdx.y) * Tile::ROWS;
    const int firstToken = static_cast<int>(blockIdx.x) * Tile::TOKENS;
    const int first = product.split.first(product.paddedK / Format::CHUNK);
    const int end = product.split.end(product.paddedK / Format::CHUNK);
    // Weights alone need not wait. A tile of 128 tokens is limited by arithmetic: its first activations do not stand behind
    // more than one stage of weights.
    constexpr int EARLY = Tile::TOKENS <= 64 ? STAGES - 1 : 1;
    Source<Format, Tile> source = sourceOf<Format, Tile>(product, first);
    startSuccessor();
    UNROLL
    for (int i = 0; i < EARLY; i++) {
        if (first + i < end) {
            fetchWeights(stages[i], source, product, first + i);
        }
    }
    awaitPredecessor();
    UNROLL
    for (int i = 0; i < STAGES - 1; i++) {
        if (first + i < end) {
            if (i < EARLY) {
                fetchActivations(stages[i], source, product, first + i);
            } else {
                fetchStage(stages[i], source, product, first + i);
            }
        }
        copyAsyncCommit();
    }
    SHARED NormFactors<Tile::TOKENS, Tile::THREADS> factors;
    factors.gather(product.normIn, firstToken, product.tokens);
    float sums[ROW_TILES][8][4] = {};
    int current = 0;
    for (int chunk = first; chunk < end; chunk++) {
        copyAsyncWait<STAGES - 2>();
        // After this all reads of the previous stage have ended, and all copies of this one are visible.
        barrier();
        if (chunk + STAGES - 1 < end) {
            fetchStage(stages[current == 0 ? STAGES - 1 : current - 1], source, product, chunk + STAGES - 1);
        }
        copyAsyncCommit();
        if constexpr (Format::GROUPS > 1) {
            multiplyGroups<Format, Tile, ROW_TILES>(stages[current], warpRow, warpToken, sums);
        } else {
            unsigned bias[ROW_TILES][2];
            rescale<Format, Tile, ROW_TILES>(stages[current], warpRow, bias, sums);
            multiplyStage<Format, Tile, ROW_TILES>(stages[current], warpRow, warpToken, bias, sums);
        }
        current = current == STAGES - 1 ? 0 : current + 1;
    }
    float unit[2 * ROW_TILES];
    UNROLL
    for (int r = 0; r < 2 * ROW_TILES; r++) {
        unit[r] = 1.0f;
        if constexpr (Format::GROUPS == 1) {
            const int row = warpRow + 8 * r + (laneOf(static_cast<int>(threadIdx.x)) >> 2);
            unit[r] = Format::scale(stages[current == 0 ? STAGES - 1 : current - 1].scales[0][row]);
        }
    }
    barrier(); // all reads of the stages have ended
    TileSums<Tile>& tile = *reinterpret_cast<TileSums<Tile>*>(stages);
    storeSums<Tile, ROW_TILES>(tile, warpRow, warpToken, unit, sums);
    barrier();
    if (addSplits<sizeof(TileSums<Tile>) / sizeof(float), Tile::THREADS>(product.split, &tile.sums[0][0])) {
        finishTile<Format, Tile>(product, tile, factors, firstRow, firstToken);
    }
}

static_assert(MATMUL_OUTPUTS_64 == 128 && MATMUL_THREADS_64 == 128, "four warps of 32 rows and 64 tokens");
static_assert(NORM_PART_64 == 128 && NORM_PART_128 == 128, "a part of a norm for each block");
static_assert(MATMUL_OUTPUTS_128 == 128 && MATMUL_THREADS_128 == 128, "two by two warps of 64 rows and 64 tokens");

#define MATMUL_64(format, Format, STAGES)                                          \
    KERNEL(matmul_##format##_64, MATMUL_THREADS_64, const Product product) {       \
        matmul<Format, 2, 4, 1, STAGES, MATMUL_SHARED_64>(product);                \
    }

#define MATMUL(format, Format, STAGES_64, STAGES_128, SHARED_128)                 \
    MATMUL_64(format, Format, STAGES_64)                                           \
    KERNEL(matmul_##format##_128, MATMUL_THREADS_128, const Product product) {     \
        matmul<Format, 4, 2, 2, STAGES_128, SHARED_128>(product);                  \
    }

// Shared memory lets a multiprocessor of 164 KB hold two blocks, but for INT4 of 128 tokens.
MATMUL(bf16, Bf16Weights, 6, 5, MATMUL_SHARED_128_BF16)
MATMUL(fp8, Fp8Weights, 5, 3, MATMUL_SHARED_128_FP8)
MATMUL(int4, Int4Weights<128>, 3, 2, MATMUL_SHARED_128_INT4)

// Narrow groups have no tile of 128 tokens: its sums leave no registers for a group's products, and it saves little.
MATMUL_64(int4_g64, Int4Weights<64>, 3)
MATMUL_64(int4_g32, Int4Weights<32>, 3)
