// Products of many tokens by the tensor-core instructions of warpgroups (wgmma), a module of its own for sm_90a: with the
// arguments, the weights and the results of matmul.cu. No card has run it.
//
// A block has 128 rows and TOKENS tokens; each of its two warpgroups has 64 rows and all tokens, so every weight is widened
// once. The first operand, weights, is in registers: its fragment is that of mma.m16n8k16. The second, activations, is in
// shared memory, K-major and without swizzling.
//
// The lane of quarter t has inputs 8t to 8t + 7 of every 32. So the first eight inputs of a step are words j of all quarters
// in turn, and its last eight words j + 1: activations pass by copies of four bytes, each to the place of its word.
#include "tile_sums.h"
#include "warpgroup.h"

template <typename Format, int TILE_TOKENS>
struct WarpgroupTile {
    static constexpr int ROWS = 128;
    static constexpr int TOKENS = TILE_TOKENS;
    static constexpr int THREADS = 256;
    static constexpr int COLUMNS = Format::CHUNK / 8; // of eight inputs
};

template <typename Format, typename Tile>
struct WarpgroupStage {
    uint4 weights[Tile::ROWS / TILE_ROWS][2][32]; // in fragment order
    // Eight inputs of a token each. Two more, so that a warp's copies to four columns of two tokens meet in no bank.
    uint4 activations[Tile::COLUMNS][Tile::TOKENS + 2];
    // Of the chunk's only group and of the one before, or [ROWS / 16][GROUPS][16] of the chunk.
    unsigned scales[Format::GROUPS > 1 ? Format::GROUPS : 2][Format::GROUP_SCALES ? Tile::ROWS : 4];
};

// Starts copies of a chunk's weights and their scales.
template <typename Format, typename Tile>
DEVICE void fetchWeights(WarpgroupStage<Format, Tile>& stage, const Product& product, int chunk) {
    const int thread = static_cast<int>(threadIdx.x);
    const int chunks = product.paddedK / Format::CHUNK;
    const long long firstTile = static_cast<long long>(blockIdx.y) * (Tile::ROWS / TILE_ROWS);
    UNROLL
    for (int i = 0; i < Tile::ROWS / TILE_ROWS * 64; i += Tile::THREADS) {
        const int tile = (i + thread) / 64;
        copyAsync16(&stage.weights[0][0][0] + i + thread,
                    product.values + ((firstTile + tile) * chunks + chunk) * 64 + thread % 64, true);
    }
    if constexpr (Format::GROUP_SCALES) {
        // Of one group also the scales before; sums are zero before the first.
        constexpr int BEFORE = Format::GROUPS == 1 ? 2 : 1;
        constexpr int COPIES = 4 * Format::GROUPS; // of a row tile
        constexpr int ALL = COPIES * Tile::ROWS / TILE_ROWS;
        static_assert(BEFORE * ALL <= Tile::THREADS, "a copy for each thread");
        if (thread < BEFORE * ALL) {
            const int before = thread / ALL;
            const int copy = thread % ALL;
            const int of = chunk >= before ? chunk - before : 0;
            copyAsync16(&stage.scales[0][0] + 4 * thread,
                        static_cast<const uint4*>(product.scales) +
                            ((firstTile + copy / COPIES) * chunks + of) * COPIES + copy % COPIES,
                        true);
        }
    }
}

// Starts copies of a chunk's activations: 16 words of a token by half a warp. Tokens beyond the product's stay as they are;
// nobody reads their sums.
template <typename Format, typename Tile>
DEVICE void fetchActivations(WarpgroupStage<Format, Tile>& stage, const Product& product, int chunk) {
    constexpr int STEP = Tile::THREADS / 16;
    const int thread = static_cast<int>(threadIdx.x);
    const int word = thread % 16;
    const int first = thread / 16;
    const int firstToken = static_cast<int>(blockIdx.x) * Tile::TOKENS;
    const int count = product.tokens - firstToken - first; // of this thread's tokens, STEP times
    const bf16* x = product.x + static_cast<long long>(firstToken + first) * product.xStride + Format::CHUNK * chunk + 2 * word;
    unsigned* to = reinterpret_cast<unsigned*>(&stage.activations[word % 4][first]) + word / 4;
    UNROLL
    for (int i = 0; i < Tile::TOKENS; i += STEP) {
        if (i < count) {
            UNROLL
            for (int part = 0; part < Tile::COLUMNS / 4; part++) {
                copyAsync4(to + 4 * (4 * part * (Tile::TOKENS + 2) + i), x + 32 * part, true);
            }
        }
        x += static_cast<long long>(STEP) * product.xStride;
    }
}

// The row of the lane's first sums in the block, and eight less than that of the others.
template <typename Tile>
DEVICE int warpgroupRow() {
    const int thread = static_cast<int>(threadIdx.x);
    return TILE_ROWS * warpOf(thread) + (laneOf(thread) >> 2);
}

// Of a stage's activations, the descriptor of a step.
template <typename Format, typename Tile>
DEVICE unsigned long long stepMatrix(const WarpgroupStage<Format, Tile>& stage, int step) {
    return sharedMatrix(&stage.activations[2 * step][0], sizeof(stage.activations[0]), 128);
}

// INT4 groups of 128 have their own scales: sums are kept in units of the latest group's scale.
template <typename Format, typename Tile>
DEVICE void rescale(const WarpgroupStage<Format, Tile>& stage, unsigned (&bias)[2], Sums<Tile::TOKENS>& sums) {
    UNROLL
    for (int upper = 0; upper < 2; upper++) {
        bias[upper] = 0;
        if constexpr (Format::GROUP_SCALES) {
            const int row = warpgroupRow<Tile>() + 8 * upper;
            const unsigned word = stage.scales[0][row];
            const float ratio = divide(Format::scale(stage.scales[1][row]), Format::scale(word));
            bias[upper] = Format::bias(word);
            UNROLL
            for (int j = 0; j < Tile::TOKENS / 8; j++) {
                sums[j][2 * upper] *= ratio;
                sums[j][2 * upper + 1] *= ratio;
            }
        }
    }
}

// The products of a chunk: one step is widened while the one before is multiplied. All have ended afterwards: ptxas makes
// each wait for the one before if they go on behind the loop's end.
template <typename Format, typename Tile>
DEVICE void multiplyStage(const WarpgroupStage<Format, Tile>& stage, const unsigned (&bias)[2], unsigned (&a)[2][4],
                          Sums<Tile::TOKENS>& sums) {
    constexpr int STEPS = Format::CHUNK / 16;
    const int lane = laneOf(static_cast<int>(threadIdx.x));
    const int warp = warpOf(static_cast<int>(threadIdx.x));
    const unsigned long long matrix = stepMatrix(stage, 0);
    uint4 weights;
    keepOrder(sums);
    UNROLL
    for (int step = 0; step < STEPS; step++) {
        if (step % Format::STEPS == 0) {
            weights = stage.weights[warp][step / Format::STEPS][lane];
        }
        awaitProducts<1>(); // the products with this operand
        Format::operand(weights, step % Format::STEPS, bias, a[step & 1]);
        fenceRegisters(sums, a[step & 1]);
        multiply(sums, a[step & 1], matrix + step * (sizeof(stage.activations[0]) / 8), true);
        commitProducts();
    }
    awaitProducts<0>();
    keepOrder(sums);
}

// With several groups of INT4 in a chunk, the products of a group are added to the sums times its scale.
template <typename Format, typename Tile>
DEVICE void multiplyGroups(const WarpgroupStage<Format, Tile>& stage, unsigned (&a)[2][4], Sums<Tile::TOKENS>& parts,
                           Sums<Tile::TOKENS>& sums) {
    constexpr int STEPS = Format::CHUNK / 16 / Format::GROUPS; // of a group
    const int thread = static_cast<int>(threadIdx.x);
    const unsigned* words = &stage.scales[0][0] + TILE_ROWS * Format::GROUPS * warpOf(thread) + (laneOf(thread) >> 2);
    UNROLL
    for (int group = 0; group < Format::GROUPS; group++) {
        const unsigned word[2] = {words[TILE_ROWS * group], words[TILE_ROWS * group + 8]};
        const unsigned bias[2] = {Format::bias(word[0]), Format::bias(word[1])};
        UNROLL
        for (int s = 0; s < STEPS; s++) {
            const int step = STEPS * group + s;
            const uint4 weights = stage.weights[warpOf(thread)][step / Format::STEPS][laneOf(thread)];
            awaitProducts<1>();
            Format::operand(weights, step % Format::STEPS, bias, a[step & 1]);
            fenceRegisters(parts, a[step & 1]);
            multiply(parts, a[step & 1], stepMatrix(stage, step), s > 0);
            commitProducts();
        }
        awaitProducts<0>();
        keepOrder(parts);
        const float scale[2] = {Format::scale(word[0]), Format::scale(word[1])};
        UNROLL
        for (int j = 0; j < Tile::TOKENS / 8; j++) {
            UNROLL
            for (int e = 0; e < 4; e++) {
                sums[j][e] += scale[e >> 1] * parts[j][e];
            }
        }
        keepOrder(parts);
    }
}

// Stores the lane's sums, each times the unit of its row.
template <typename Tile>
DEVICE void storeSums(TileSums<Tile>& tile, const float (&unit)[2], const Sums<Tile::TOKENS>& sums) {
    const int lane = laneOf(static_cast<int>(threadIdx.x));
    UNROLL
    for (int j = 0; j < Tile::TOKENS / 8; j++) {
        UNROLL
        for (int e = 0; e < 4; e++) {
            tile.sums[8 * j + 2 * (lane & 3) + (e & 1)][warpgroupRow<Tile>() + 8 * (e >> 1)] = unit[e >> 1] * sums[j][e];
        }
    }
}

template <typename Format, int TOKENS, int STAGES, int SHARED_BYTES>
DEVICE void multiplyWarpgroups(const Product& product) {
    typedef WarpgroupTile<Format, TOKENS> Tile;
    typedef WarpgroupStage<Format, Tile> StageMemory;
    static_assert(STAGES * sizeof(StageMemory) <= SHARED_BYTES, "the stages fit the launch's shared memory");
    static_assert(sizeof(TileSums<Tile>) <= SHARED_BYTES, "so do the sums");
    DYNAMIC_SHARED(StageMemory, stages);
    const int firstRow = static_cast<int>(blockIdx.y) * Tile::ROWS;
    const int firstToken = static_cast<int>(blockIdx.x) * Tile::TOKENS;
    const int first = product.split.first(product.paddedK / Format::CHUNK);
    const int end = product.split.end(product.paddedK / Format::CHUNK);
    startSuccessor();
    if (first < end) {
        fetchWeights(stages[0], product, first);
    }
    awaitPredecessor();
    UNROLL
    for (int i = 0; i < STAGES - 1; i++) {
        if (first + i < end) {
            if (i > 0) {
                fetchWeights(stages[i], product, first + i);
            }
            fetchActivations(stages[i], product, first + i);
        }
        copyAsyncCommit();
    }
    SHARED NormFactors<Tile::TOKENS, Tile::THREADS> factors;
    factors.gather(product.normIn, firstToken, product.tokens);
    Sums<TOKENS> sums = {};
    [[maybe_unused]] Sums<TOKENS> parts = {}; // of a narrow group
    unsigned a[2][4] = {};
    int current = 0;
    for (int chunk = first; chunk < end; chunk++) {
        copyAsyncWait<STAGES - 2>();
        fenceShared();
        // After this, this stage is filled and all products with the previous one have ended.
        barrier();
        if (chunk + STAGES - 1 < end) {
            StageMemory& previous = stages[current == 0 ? STAGES - 1 : current - 1];
            fetchWeights(previous, product, chunk + STAGES - 1);
            fetchActivations(previous, product, chunk + STAGES - 1);
        }
        copyAsyncCommit();
        if constexpr (Format::GROUPS > 1) {
            multiplyGroups<Format, Tile>(stages[current], a, parts, sums);
        } else {
            unsigned bias[2];
            rescale<Format, Tile>(stages[current], bias, sums);
            multiplyStage<Format, Tile>(stages[current], bias, a, sums);
        }
        current = current == STAGES - 1 ? 0 : current + 1;
    }
    float unit[2] = {1.0f, 1.0f};
    if constexpr (Format::GROUPS == 1) {
        UNROLL
        for (int upper = 0; upper < 2; upper++) {
            const int row = warpgroupRow<Tile>() + 8 * upper;
            unit[upper] = Format::scale(stages[current == 0 ? STAGES - 1 : current - 1].scales[0][row]);
        }
    }
    barrier(); // all reads of the stages have ended
    TileSums<Tile>& tile = *reinterpret_cast<TileSums<Tile>*>(stages);
    storeSums<Tile>(tile, unit, sums);
    barrier();
    if (addSplits<sizeof(TileSums<Tile>) / sizeof(float), Tile::THREADS>(product.split, &tile.sums[0][0])) {
        finishTile<Format, Tile>(product, tile, factors, firstRow, firstToken);
    }
}

static_assert(WGMMA_OUTPUTS_128 == 128 && WGMMA_THREADS_128 == 256, "two warpgroups of 64 rows");
static_assert(WGMMA_OUTPUTS_256 == 128 && WGMMA_THREADS_256 == 256, "two warpgroups of 64 rows");

#define WGMMA(format, Format, TOKENS, STAGES, SHARED_BYTES)                                \
    KERNEL(wgmma_##format##_##TOKENS, WGMMA_THREADS_##TOKENS, const Product product) {     \
        multiplyWarpgroups<Format, TOKENS, STAGES, SHARED_BYTES>(product);                 \
    }

WGMMA(bf16, Bf16Weights, 128, 6, WGMMA_SHARED_128_BF16)
WGMMA(bf16, Bf16Weights, 256, 6, WGMMA_SHARED_256_BF16)
WGMMA(fp8, Fp8Weights, 128, 4, WGMMA_SHARED_128_FP8)
WGMMA(fp8, Fp8Weights, 256, 5, WGMMA_SHARED_256_FP8)
WGMMA(int4, Int4Weights<128>, 128, 3, WGMMA_SHARED_128_INT4)
WGMMA(int4, Int4Weights<128>, 256, 3, WGMMA_SHARED_256_INT4)

// Narrow groups have sums of a group beside those of all: no registers for 256 tokens.
WGMMA(int4_g64, Int4Weights<64>, 128, 3, WGMMA_SHARED_128_INT4_G64)
WGMMA(int4_g32, Int4Weights<32>, 128, 3, WGMMA_SHARED_128_INT4_G32)
