// out[token, output] = x · Wᵀ for few tokens, limited by reading the weights once.
//
// A block has 16 · ROW_TILES outputs; its warps divide K by chunks. A row's chunk is 64 bytes, 16 for each of four
// lanes: lane 4g + t streams bytes from 16t of the chunk in rows g and g + 8. Every weight goes to one lane through its
// own ring in shared memory, which keeps several chunks in flight without registers. The 16 bytes are the lane's
// operands of INPUTS / 4 tensor-core steps; any order of K in a chunk works if the activations have the same. For any
// TOKENS, the same weights meet a token in the same order, so a token's outputs do not depend on the number of tokens.
#pragma once

#include "formats.h"
#include "tiles.h"

// Arguments of a product; see matvec.cu.
struct Product {
    const unsigned char* values; // [outputs][strideBytes]
    const void* scales;
    int strideBytes;
    const bf16* x; // [tokens][xStride], zero behind the width
    int xStride;
    const float* bias; // [outputs] or null
    void* out;         // [tokens][outStride]: FP32, or BF16 after an activation
    int outStride;
    int outputs;
    int paddedK;
    int finish; // one of FINISH_
};

#define PRODUCT_PARAMETERS                                                                                      \
    const void *values, const void *scales, int strideBytes, const bf16 *x, int xStride, const float *bias,      \
        void *out, int outStride, int outputs, int paddedK, int finish
#define PRODUCT_ARGUMENTS \
    {static_cast<const unsigned char*>(values), scales, strideBytes, x, xStride, bias, out, outStride, outputs, paddedK, finish}

// The start value of an output: its bias, plus its old value if the product is added.
DEVICE float startOf(const Product& product, int output, long long at) {
    const float bias = product.bias == nullptr ? 0.0f : product.bias[output];
    return product.finish == FINISH_ADD ? bias + static_cast<const float*>(product.out)[at] : bias;
}

// SiLU, x · sigmoid(x), or GELU in the form with tanh, x · (1 + tanh y) / 2 = x · sigmoid(2y) with
// y = √(2/π) · (x + 0.044715 x³).
DEVICE float activated(float x, bool silu) {
    const float steep = silu ? 1.0f : 1.5957691216f + 0.0713548163f * x * x;
    return divide(x, 1.0f + exp2f(-1.4426950409f * steep * x));
}

// Writes one output of a token, if valid. All lanes of a warp call together. With SwiGLU, rows 16i to 16i + 7 are gate,
// the next eight are up, and lanes eight apart hold rows eight apart.
DEVICE void writeOutput(const Product& product, int output, int token, bool valid, float value) {
    const long long row = static_cast<long long>(token) * product.outStride;
    if (product.finish == FINISH_SWIGLU) {
        const float up = shuffleXor(value, 8);
        if (valid && (output & 8) == 0) {
            static_cast<bf16*>(product.out)[row + output / 16 * 8 + (output & 7)] = toBf16(activated(value, true) * up);
        }
    } else if (product.finish == FINISH_GELU) {
        if (valid) {
            static_cast<bf16*>(product.out)[row + output] = toBf16(activated(value, false));
        }
    } else if (valid) {
        static_cast<float*>(product.out)[row + output] = value;
    }
}

template <typename Format>
DEVICE float rowScale(const Product& product, int output) {
    return Format::ROW_SCALES ? static_cast<const float*>(product.scales)[output] : 1.0f;
}

template <typename Format, int ROW_TILES, int STAGES>
struct WeightRing {
    static constexpr int WARPS = 8;
    static constexpr int ROWS = 16 * ROW_TILES;
    uint4 weights[STAGES][WARPS][2 * ROW_TILES][32];                          // a lane reads only what it copied
    unsigned scales[Format::GROUP_SCALES ? STAGES : 1][WARPS][ROWS];          // INT4: one word per row
};

// Starts copies of this lane's part of a chunk of the block's rows.
template <typename Format, int ROW_TILES, int STAGES>
DEVICE void fetchChunk(WeightRing<Format, ROW_TILES, STAGES>& ring, const Product& product, int firstRow, int chunk,
                       int stage) {
    const int lane = laneOf(static_cast<int>(threadIdx.x));
    const int warp = warpOf(static_cast<int>(threadIdx.x));
    const int group = lane >> 2;
    const int quarter = lane & 3;
    const unsigned char* from =
        product.values + static_cast<long long>(firstRow + group) * product.strideBytes + 64 * chunk + 16 * quarter;
    UNROLL
    for (int r = 0; r < 2 * ROW_TILES; r++) {
        copyAsync16(&ring.weights[stage][warp][r][lane], from, firstRow + 8 * r + group < product.outputs);
        from += 8ll * product.strideBytes;
    }
    if constexpr (Format::GROUP_SCALES) {
        if (quarter < 2 * ROW_TILES) {
            const int row = firstRow + 8 * quarter + group;
            const bool valid = row < product.outputs;
            const long long at = static_cast<long long>(valid ? row : 0) * (product.paddedK / INT4_GROUP) + chunk;
            copyAsync4(&ring.scales[stage][warp][8 * quarter + group],
                       static_cast<const unsigned*>(product.scales) + at, valid);
        }
    }
}

// Adds one chunk's products to the sums [ROW_TILES][TOKEN_TILES][4] of the lane.
template <typename Format, int ROW_TILES, int TOKEN_TILES, int STAGES>
DEVICE void multiplyChunk(WeightRing<Format, ROW_TILES, STAGES>& ring, int stage,
                          const uint4 (&x)[TOKEN_TILES][Format::INPUTS / 8],
                          float (&sums)[ROW_TILES][TOKEN_TILES][4]) {
    const int lane = laneOf(static_cast<int>(threadIdx.x));
    const int warp = warpOf(static_cast<int>(threadIdx.x));
    uint4 w[2 * ROW_TILES];
    unsigned bias[2 * ROW_TILES];
    float scale[2 * ROW_TILES];
    UNROLL
    for (int r = 0; r < 2 * ROW_TILES; r++) {
        w[r] = ring.weights[stage][warp][r][lane];
        bias[r] = 0;
        scale[r] = 1.0f;
        if constexpr (Format::GROUP_SCALES) {
            const unsigned word = ring.scales[stage][warp][8 * r + (lane >> 2)];
            bias[r] = Format::bias(word);
            scale[r] = Format::scale(word);
        }
    }
    UNROLL
    for (int i = 0; i < ROW_TILES; i++) {
        // Two alternating sums, so that a step need not wait for the previous one.
        float parts[2][TOKEN_TILES][4] = {};
        UNROLL
        for (int step = 0; step < Format::INPUTS / 4; step++) {
            const unsigned a[4] = {
                Format::operand(w[2 * i], 2 * step, bias[2 * i]), Format::operand(w[2 * i + 1], 2 * step, bias[2 * i + 1]),
                Format::operand(w[2 * i], 2 * step + 1, bias[2 * i]),
                Format::operand(w[2 * i + 1], 2 * step + 1, bias[2 * i + 1])};
            UNROLL
            for (int j = 0; j < TOKEN_TILES; j++) {
                const uint4& piece = x[j][step >> 1];
                const unsigned b[2] = {(step & 1) == 0 ? piece.x : piece.z, (step & 1) == 0 ? piece.y : piece.w};
                mmaBf16(parts[step & 1][j], a, b);
            }
        }
        UNROLL
        for (int j = 0; j < TOKEN_TILES; j++) {
            UNROLL
            for (int e = 0; e < 4; e++) {
                sums[i][j][e] += scale[2 * i + (e >> 1)] * (parts[0][j][e] + parts[1][j][e]);
            }
        }
    }
}

// Loads this lane's activations of a chunk in the order of the format's weights: token 8j + lane / 4 for each j.
template <typename Format, int TOKEN_TILES>
DEVICE void readActivations(const Product& product, int firstToken, int tokens, int chunk,
                            uint4 (&x)[TOKEN_TILES][Format::INPUTS / 8]) {
    const int lane = laneOf(static_cast<int>(threadIdx.x));
    const int first = firstToken + (lane >> 2);
    const bf16* from = product.x + static_cast<long long>(first) * product.xStride + Format::CHUNK * chunk +
                       Format::INPUTS * (lane & 3);
    UNROLL
    for (int j = 0; j < TOKEN_TILES; j++) {
        UNROLL
        for (int piece = 0; piece < Format::INPUTS / 8; piece++) {
            x[j][piece] = first + 8 * j < tokens ? Format::arrange(load16(from + 8 * piece)) : make_uint4(0, 0, 0, 0);
        }
        from += 8ll * product.xStride;
    }
}

// Outputs from blockIdx.x · 16 · ROW_TILES of at most TOKENS tokens from firstToken, none from `tokens` on. `memory`
// holds the ring, then the warps' sums.
template <typename Format, int TOKENS, int ROW_TILES, int STAGES>
DEVICE void streamedProduct(const Product& product, int firstToken, int tokens, void* memory) {
    typedef WeightRing<Format, ROW_TILES, STAGES> Ring;
    constexpr int TOKEN_TILES = (TOKENS + 7) / 8;
    constexpr int ROWS = Ring::ROWS;
    constexpr int WARPS = Ring::WARPS;
    constexpr int RESULTS = (ROWS * TOKENS + 32 * WARPS - 1) / (32 * WARPS);
    static_assert(sizeof(float) * WARPS * ROWS * TOKENS <= sizeof(Ring), "the sums fit where the ring was");
    Ring& ring = *static_cast<Ring*>(memory);
    const int thread = static_cast<int>(threadIdx.x);
    const int lane = laneOf(thread);
    const int warp = warpOf(thread);
    const int firstRow = static_cast<int>(blockIdx.x) * ROWS;
    const int chunks = product.paddedK / Format::CHUNK;

    UNROLL
    for (int stage = 0; stage < STAGES - 1; stage++) {
        if (warp + WARPS * stage < chunks) {
            fetchChunk<Format, ROW_TILES, STAGES>(ring, product, firstRow, warp + WARPS * stage, stage);
        }
        copyAsyncCommit();
    }
    // Loaded early, used last: the latency overlaps with that of the weights.
    float start[RESULTS];
    float scale[RESULTS];
    UNROLL
    for (int i = 0; i < RESULTS; i++) {
        const int output = firstRow + (thread + 32 * WARPS * i) % ROWS;
        const int token = firstToken + (thread + 32 * WARPS * i) / ROWS;
        const bool valid = output < product.outputs && token < tokens && token < firstToken + TOKENS;
        start[i] = valid ? startOf(product, output, static_cast<long long>(token) * product.outStride + output) : 0.0f;
        scale[i] = valid ? rowScale<Format>(product, output) : 0.0f;
    }

    float sums[ROW_TILES][TOKEN_TILES][4] = {};
    int stage = 0;
    for (int chunk = warp; chunk < chunks; chunk += WARPS) {
        uint4 x[TOKEN_TILES][Format::INPUTS / 8];
        readActivations<Format, TOKEN_TILES>(product, firstToken, tokens, chunk, x);
        copyAsyncWait<STAGES - 2>();
        warpBarrier();
        const int ahead = chunk + WARPS * (STAGES - 1);
        if (ahead < chunks) {
            fetchChunk<Format, ROW_TILES, STAGES>(ring, product, firstRow, ahead, stage == 0 ? STAGES - 1 : stage - 1);
        }
        copyAsyncCommit();
        multiplyChunk<Format, ROW_TILES, TOKEN_TILES, STAGES>(ring, stage, x, sums);
        stage = stage == STAGES - 1 ? 0 : stage + 1;
    }

    barrier();
    float* shared = static_cast<float*>(memory); // [WARPS][TOKENS][ROWS]
    UNROLL
    for (int i = 0; i < ROW_TILES; i++) {
        UNROLL
        for (int j = 0; j < TOKEN_TILES; j++) {
            UNROLL
            for (int e = 0; e < 4; e++) {
                const int token = 8 * j + 2 * (lane & 3) + (e & 1);
                if (token < TOKENS) {
                    shared[(warp * TOKENS + token) * ROWS + 16 * i + 8 * (e >> 1) + (lane >> 2)] = sums[i][j][e];
                }
            }
        }
    }
    barrier();
    UNROLL
    for (int i = 0; i < RESULTS; i++) {
        const int at = thread + 32 * WARPS * i;
        const int output = firstRow + at % ROWS;
        const int token = firstToken + at / ROWS;
        const bool valid = at < ROWS * TOKENS && output < product.outputs && token < tokens;
        float sum = 0.0f;
        UNROLL
        for (int w = 0; w < WARPS; w++) {
            sum += valid ? shared[w * TOKENS * ROWS + at] : 0.0f;
        }
        writeOutput(product, output, token, valid, start[i] + scale[i] * sum);
    }
}
