// Compute-bound products of many tokens on tensor cores: out[token, output] = x · Wᵀ, with the arguments of matvec.cu.
//
// A block has MATMUL_OUTPUTS rows and TOKENS tokens; its warps divide them into tiles of 16 · ROW_TILES rows and 64
// tokens. Chunks of K (64 bytes of every row, and the matching activations) pass through stages of shared memory by
// asynchronous copies. Weights keep their format until they are in registers: a lane's 16 bytes of a row are its
// operands of INPUTS / 4 steps. Activations are in shared memory in the order in which lanes read them.
#include "streamed_product.h"

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
    uint4 weights[Tile::ROWS][4];                   // 64 bytes per row
    uint4 activations[Tile::TOKENS / 8][Tile::PIECES][32]; // by lane: token lane / 4, quarter lane % 4; see pieceSlot
    unsigned scales[Format::GROUP_SCALES ? Tile::ROWS : 4];
};

// The slot of a piece, rotated by the piece. This avoids bank conflicts of copies, which write adjacent pieces of a
// token, and of lanes, which read one piece of adjacent quarters.
template <int PIECES>
DEVICE int pieceSlot(int lane, int piece) {
    return lane ^ (PIECES == 1 ? 0 : piece * (8 / PIECES));
}

template <typename Format, typename Tile>
DEVICE void fetchStage(Stage<Format, Tile>& stage, const Product& product, int firstRow, int firstToken, int tokens,
                       int chunk) {
    const int thread = static_cast<int>(threadIdx.x);
    // Pointers are advanced instead of stored per copy, because registers are scarce in this kernel.
    constexpr int ROW_STEP = Tile::THREADS / 4;
    const int row = thread >> 2;
    const unsigned char* values = product.values + static_cast<long long>(firstRow + row) * product.strideBytes +
                                  64 * chunk + 16 * (thread & 3);
    UNROLL
    for (int i = 0; i < Tile::ROWS / ROW_STEP; i++) {
        copyAsync16(&stage.weights[row + ROW_STEP * i][thread & 3], values, firstRow + row + ROW_STEP * i < product.outputs);
        values += static_cast<long long>(ROW_STEP) * product.strideBytes;
    }
    constexpr int PARTS = 4 * Tile::PIECES;
    constexpr int TOKEN_STEP = Tile::THREADS / PARTS;
    const int token = thread / PARTS;
    const int part = thread % PARTS; // in order of K: the pieces of a quarter are adjacent
    const int piece = part % Tile::PIECES;
    const bf16* x = product.x + static_cast<long long>(firstToken + token) * product.xStride + Format::CHUNK * chunk +
                    8 * part;
    UNROLL
    for (int i = 0; i < Tile::TOKENS / TOKEN_STEP; i++) {
        const int local = token + TOKEN_STEP * i;
        const int lane = (local & 7) * 4 + part / Tile::PIECES;
        copyAsync16(&stage.activations[local >> 3][piece][pieceSlot<Tile::PIECES>(lane, piece)], x,
                    firstToken + local < tokens);
        x += static_cast<long long>(TOKEN_STEP) * product.xStride;
    }
    if constexpr (Format::GROUP_SCALES) {
        const int groups = product.paddedK / INT4_GROUP;
        for (int local = thread; local < Tile::ROWS; local += Tile::THREADS) {
            const bool valid = firstRow + local < product.outputs;
            copyAsync4(&stage.scales[local],
                       static_cast<const unsigned*>(product.scales) +
                           static_cast<long long>(valid ? firstRow + local : 0) * groups + chunk,
                       valid);
        }
    }
}

// The lane's rows of a chunk, ready to become operands. INT4 groups have their own scales: sums are kept in units of
// the latest group's scale, which is as exact as any FP32 sum and costs one product per sum and chunk.
template <typename Format, int ROW_TILES>
struct LaneRows {
    uint4 weights[2 * ROW_TILES];
    unsigned bias[2 * ROW_TILES];
};

template <typename Format, typename Tile, int ROW_TILES>
DEVICE void readRows(const Stage<Format, Tile>& stage, int warpRow, LaneRows<Format, ROW_TILES>& rows,
                     float (&unit)[2 * ROW_TILES], float (&sums)[ROW_TILES][8][4]) {
    const int lane = laneOf(static_cast<int>(threadIdx.x));
    UNROLL
    for (int r = 0; r < 2 * ROW_TILES; r++) {
        const int local = warpRow + 8 * r + (lane >> 2);
        rows.weights[r] = stage.weights[local][lane & 3];
        rows.bias[r] = 0;
        if constexpr (Format::GROUP_SCALES) {
            const unsigned word = stage.scales[local];
            const float scale = Format::scale(word);
            const bool nothing = scale == 0.0f;
            rows.weights[r] = nothing ? make_uint4(0, 0, 0, 0) : rows.weights[r];
            rows.bias[r] = nothing ? Format::bias(0) : Format::bias(word);
            const float ratio = nothing ? 1.0f : unit[r] / scale;
            unit[r] = nothing ? unit[r] : scale;
            UNROLL
            for (int j = 0; j < 8; j++) {
                sums[r >> 1][j][2 * (r & 1)] *= ratio;
                sums[r >> 1][j][2 * (r & 1) + 1] *= ratio;
            }
        }
    }
}

template <typename Format, typename Tile, int ROW_TILES>
DEVICE void multiplyStage(const Stage<Format, Tile>& stage, int warpToken, const LaneRows<Format, ROW_TILES>& rows,
                          float (&sums)[ROW_TILES][8][4]) {
    const int lane = laneOf(static_cast<int>(threadIdx.x));
    UNROLL
    for (int piece = 0; piece < Tile::PIECES; piece++) { // two steps
        unsigned a[2][ROW_TILES][4];
        UNROLL
        for (int r = 0; r < 2 * ROW_TILES; r++) {
            UNROLL
            for (int pair = 0; pair < 4; pair++) {
                a[pair >> 1][r >> 1][2 * (pair & 1) + (r & 1)] =
                    Format::operand(rows.weights[r], 4 * piece + pair, rows.bias[r]);
            }
        }
        UNROLL
        for (int j = 0; j < 8; j++) {
            const uint4 x = Format::arrange(
                stage.activations[(warpToken >> 3) + j][piece][pieceSlot<Tile::PIECES>(lane, piece)]);
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

template <typename Format, int ROW_TILES>
DEVICE void writeTile(const Product& product, int firstRow, int firstToken, int tokens, const float (&unit)[2 * ROW_TILES],
                      const float (&sums)[ROW_TILES][8][4]) {
    const int lane = laneOf(static_cast<int>(threadIdx.x));
    const int output = firstRow + (lane >> 2);
    const int token = firstToken + 2 * (lane & 3);
    float scale[2 * ROW_TILES];
    float bias[2 * ROW_TILES];
    UNROLL
    for (int r = 0; r < 2 * ROW_TILES; r++) {
        const bool valid = output + 8 * r < product.outputs;
        scale[r] = Format::GROUP_SCALES ? unit[r] : valid ? rowScale<Format>(product, output + 8 * r) : 0.0f;
        bias[r] = valid && product.bias != nullptr ? product.bias[output + 8 * r] : 0.0f;
    }
    const long long at = static_cast<long long>(token) * product.outStride;
    if (product.finish == FINISH_SWIGLU || product.finish == FINISH_GELU) {
        // With SwiGLU, rows eight apart are gate and up.
        const bool pairs = product.finish == FINISH_SWIGLU;
        bf16* to = static_cast<bf16*>(product.out) + at + (pairs ? firstRow / 2 + (lane >> 2) : output);
        UNROLL
        for (int j = 0; j < 16; j++) {
            const int column = token + 4 * (j & ~1) + (j & 1);
            UNROLL
            for (int i = 0; i < ROW_TILES; i++) {
                const float first = bias[2 * i] + scale[2 * i] * sums[i][j >> 1][j & 1];
                const float second = bias[2 * i + 1] + scale[2 * i + 1] * sums[i][j >> 1][2 + (j & 1)];
                const float low = activated(first, pairs);
                if (column < tokens && output + 16 * i < product.outputs) {
                    to[(pairs ? 8 : 16) * i] = toBf16(pairs ? low * second : low);
                }
                if (column < tokens && !pairs && output + 16 * i + 8 < product.outputs) {
                    to[16 * i + 8] = toBf16(activated(second, false));
                }
            }
            to += (j & 1) == 0 ? product.outStride : 7ll * product.outStride;
        }
        return;
    }
    float* to = static_cast<float*>(product.out) + at + output;
    UNROLL
    for (int j = 0; j < 16; j++) {
        const int column = token + 4 * (j & ~1) + (j & 1);
        float old[2 * ROW_TILES]; // all read before the first is written
        UNROLL
        for (int r = 0; r < 2 * ROW_TILES; r++) {
            old[r] = product.finish == FINISH_ADD && column < tokens && output + 8 * r < product.outputs ? to[8 * r] : 0.0f;
        }
        UNROLL
        for (int r = 0; r < 2 * ROW_TILES; r++) {
            if (column < tokens && output + 8 * r < product.outputs) {
                to[8 * r] = old[r] + bias[r] + scale[r] * sums[r >> 1][j >> 1][2 * (r & 1) + (j & 1)];
            }
        }
        to += (j & 1) == 0 ? product.outStride : 7ll * product.outStride;
    }
}

template <typename Format, int ROW_TILES, int ROW_WARPS, int TOKEN_WARPS, int STAGES, int SHARED_BYTES>
DEVICE void matmul(const Product& product, int tokens) {
    typedef TileShape<Format, ROW_TILES, ROW_WARPS, TOKEN_WARPS> Tile;
    typedef Stage<Format, Tile> StageMemory;
    static_assert(STAGES * sizeof(StageMemory) <= SHARED_BYTES, "the stages fit the launch's shared memory");
    DYNAMIC_SHARED(StageMemory, stages);
    const int warp = warpOf(static_cast<int>(threadIdx.x));
    const int warpRow = warp % ROW_WARPS * Tile::WARP_ROWS;
    const int warpToken = warp / ROW_WARPS * 64;
    const int firstRow = static_cast<int>(blockIdx.x) * Tile::ROWS;
    const int firstToken = static_cast<int>(blockIdx.y) * Tile::TOKENS;
    const int chunks = product.paddedK / Format::CHUNK;
    UNROLL
    for (int i = 0; i < STAGES - 1; i++) {
        if (i < chunks) {
            fetchStage(stages[i], product, firstRow, firstToken, tokens, i);
        }
        copyAsyncCommit();
    }
    float sums[ROW_TILES][8][4] = {};
    float unit[2 * ROW_TILES];
    UNROLL
    for (int r = 0; r < 2 * ROW_TILES; r++) {
        unit[r] = 1.0f;
    }
    int current = 0;
    for (int chunk = 0; chunk < chunks; chunk++) {
        copyAsyncWait<STAGES - 2>();
        // After this all reads of the previous stage have ended, and all copies of this one are visible.
        barrier();
        if (chunk + STAGES - 1 < chunks) {
            fetchStage(stages[current == 0 ? STAGES - 1 : current - 1], product, firstRow, firstToken, tokens,
                       chunk + STAGES - 1);
        }
        copyAsyncCommit();
        LaneRows<Format, ROW_TILES> rows;
        readRows<Format, Tile, ROW_TILES>(stages[current], warpRow, rows, unit, sums);
        multiplyStage<Format, Tile, ROW_TILES>(stages[current], warpToken, rows, sums);
        current = current == STAGES - 1 ? 0 : current + 1;
    }
    writeTile<Format, ROW_TILES>(product, firstRow + warpRow, firstToken + warpToken, tokens, unit, sums);
}

static_assert(MATMUL_OUTPUTS_64 == 128 && MATMUL_THREADS_64 == 128, "four warps of 32 rows and 64 tokens");
static_assert(MATMUL_OUTPUTS_128 == 128 && MATMUL_THREADS_128 == 128, "two by two warps of 64 rows and 64 tokens");

#define MATMUL(format, Format, STAGES_64, STAGES_128)                                                   \
    KERNEL(matmul_##format##_64, MATMUL_THREADS_64, PRODUCT_PARAMETERS, int tokens) {                   \
        matmul<Format, 2, 4, 1, STAGES_64, MATMUL_SHARED_64>(PRODUCT_ARGUMENTS, tokens);                \
    }                                                                                                   \
    KERNEL(matmul_##format##_128, MATMUL_THREADS_128, PRODUCT_PARAMETERS, int tokens) {                 \
        matmul<Format, 4, 2, 2, STAGES_128, MATMUL_SHARED_128>(PRODUCT_ARGUMENTS, tokens);              \
    }

MATMUL(bf16, Bf16Weights, 8, 5)
MATMUL(fp8, Fp8Weights, 6, 2)
MATMUL(int4, Int4Weights, 4, 2)
