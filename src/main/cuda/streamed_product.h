// out[token, output] = x · Wᵀ for few tokens, limited by reading the weights once.
//
// A block has 16 · ROW_TILES outputs; its warps divide K by chunks of 64 bytes a row. Every weight goes to one lane through
// its own ring in shared memory, which keeps several chunks in flight without registers. The order of K in a chunk is that
// of the lanes (formats.h), the same for weights and activations. A token's sums do not depend on TOKENS. With splits, blocks
// divide K further (split_k.h), and its sums depend on their number.
#pragma once

#include "product.h"

template <typename Format, int ROW_TILES, int STAGES>
struct WeightRing {
    static constexpr int WARPS = 8;
    static constexpr int ROWS = TILE_ROWS * ROW_TILES;
    uint4 weights[STAGES][WARPS][ROW_TILES][2][32];                  // a lane reads only what it copied
    // INT4: one word per row and group, [ROW_TILES][GROUPS][16]
    unsigned scales[Format::GROUP_SCALES ? STAGES : 1][WARPS][ROWS * (Format::GROUP_SCALES ? Format::GROUPS : 1)];
};

// Starts copies of this lane's part of a chunk of the block's rows.
template <typename Format, int ROW_TILES, int STAGES>
DEVICE void fetchChunk(WeightRing<Format, ROW_TILES, STAGES>& ring, const Product& product, int firstTile, int chunk,
                       int stage) {
    const int lane = laneOf(static_cast<int>(threadIdx.x));
    const int warp = warpOf(static_cast<int>(threadIdx.x));
    const long long chunks = product.paddedK / Format::CHUNK;
    UNROLL
    for (int i = 0; i < ROW_TILES; i++) {
        const uint4* from = product.values + ((firstTile + i) * chunks + chunk) * 64 + lane;
        copyAsync16(&ring.weights[stage][warp][i][0][lane], from, true);
        copyAsync16(&ring.weights[stage][warp][i][1][lane], from + 32, true);
    }
    if constexpr (Format::GROUP_SCALES) {
        constexpr int COPIES = 4 * Format::GROUPS; // of a row tile
        static_assert(COPIES * ROW_TILES <= 32, "a copy for each lane");
        if (lane < COPIES * ROW_TILES) {
            const long long tile = firstTile + lane / COPIES;
            copyAsync16(&ring.scales[stage][warp][4 * lane],
                        static_cast<const uint4*>(product.scales) + (tile * chunks + chunk) * COPIES + lane % COPIES,
                        true);
        }
    }
}

// Adds one chunk's products to the sums [ROW_TILES][TOKEN_TILES][4] of the lane.
template <typename Format, int ROW_TILES, int TOKEN_TILES, int STAGES>
DEVICE void multiplyChunk(WeightRing<Format, ROW_TILES, STAGES>& ring, int stage,
                          const uint4 (&x)[TOKEN_TILES][Format::INPUTS / 8],
                          float (&sums)[ROW_TILES][TOKEN_TILES][4]) {
    constexpr int ALL_STEPS = Format::INPUTS / 4;
    constexpr int GROUPS = Format::GROUP_SCALES ? Format::GROUPS : 1;
    constexpr int PARTS = GROUPS == 1 ? 2 : GROUPS;
    const int lane = laneOf(static_cast<int>(threadIdx.x));
    const int warp = warpOf(static_cast<int>(threadIdx.x));
    UNROLL
    for (int i = 0; i < ROW_TILES; i++) {
        const uint4 w[2] = {ring.weights[stage][warp][i][0][lane], ring.weights[stage][warp][i][1][lane]};
        unsigned bias[GROUPS][2] = {};
        float scale[GROUPS][2];
        UNROLL
        for (int group = 0; group < GROUPS; group++) {
            UNROLL
            for (int upper = 0; upper < 2; upper++) {
                scale[group][upper] = 1.0f;
                if constexpr (Format::GROUP_SCALES) {
                    const int row = 8 * upper + (lane >> 2);
                    const unsigned word = ring.scales[stage][warp][TILE_ROWS * (GROUPS * i + group) + row];
                    bias[group][upper] = Format::bias(word);
                    scale[group][upper] = Format::scale(word);
                }
            }
        }
        // Two alternating sums, so that a step need not wait for the previous one; or one for each of several groups.
        float parts[PARTS][TOKEN_TILES][4] = {};
        UNROLL
        for (int step = 0; step < ALL_STEPS; step++) {
            const int group = step * GROUPS / ALL_STEPS;
            const int part = GROUPS == 1 ? step & 1 : group;
            unsigned a[4];
            Format::operand(w[step / Format::STEPS], step % Format::STEPS, bias[group], a);
            UNROLL
            for (int j = 0; j < TOKEN_TILES; j++) {
                const uint4& piece = x[j][step >> 1];
                const unsigned b[2] = {(step & 1) == 0 ? piece.x : piece.z, (step & 1) == 0 ? piece.y : piece.w};
                mmaBf16(parts[part][j], a, b);
            }
        }
        UNROLL
        for (int j = 0; j < TOKEN_TILES; j++) {
            UNROLL
            for (int e = 0; e < 4; e++) {
                if constexpr (GROUPS == 1) {
                    sums[i][j][e] += scale[0][e >> 1] * (parts[0][j][e] + parts[1][j][e]);
                } else {
                    UNROLL
                    for (int group = 0; group < GROUPS; group++) {
                        sums[i][j][e] += scale[group][e >> 1] * parts[group][j][e];
                    }
                }
            }
        }
    }
}

// Loads this lane's activations of a chunk: token 8j + lane / 4 for each j.
template <typename Format, int TOKEN_TILES>
DEVICE void readActivations(const Product& product, int firstToken, int tokens, int chunk,
                            uint4 (&x)[TOKEN_TILES][Format::INPUTS / 8]) {
    const int lane = laneOf(static_cast<int>(threadIdx.x));
    const int first = firstToken + (lane >> 2);
    const bf16* from =
        product.x + static_cast<long long>(first) * product.xStride + Format::CHUNK * chunk + 8 * (lane & 3);
    UNROLL
    for (int j = 0; j < TOKEN_TILES; j++) {
        UNROLL
        for (int piece = 0; piece < Format::INPUTS / 8; piece++) {
            x[j][piece] = first + 8 * j < tokens ? load16(from + 32 * piece) : make_uint4(0, 0, 0, 0);
        }
        from += 8ll * product.xStride;
    }
}

// Outputs from 16 · ROW_TILES · rowBlock of at most TOKENS tokens from firstToken, none from `tokens` on. `memory` holds
// the ring, then the warps' sums. With splits, the last block to finish writes the outputs.
template <typename Format, int TOKENS, int ROW_TILES, int STAGES, bool SPLITS>
DEVICE void streamedProduct(const Product& product, int rowBlock, int firstToken, int tokens, void* memory) {
    typedef WeightRing<Format, ROW_TILES, STAGES> Ring;
    constexpr int TOKEN_TILES = (TOKENS + 7) / 8;
    constexpr int ROWS = Ring::ROWS;
    constexpr int WARPS = Ring::WARPS;
    constexpr int RESULTS = (ROWS * TOKENS + 32 * WARPS - 1) / (32 * WARPS);
    constexpr int APART = ROWS + (TOKENS > 1 ? 4 : 0); // so that lanes do not meet in a bank
    static_assert(sizeof(float) * WARPS * APART * TOKENS <= sizeof(Ring), "the sums fit where the ring was");
    SHARED NormFactors<TOKENS, 32 * WARPS> factors;
    Ring& ring = *static_cast<Ring*>(memory);
    const int thread = static_cast<int>(threadIdx.x);
    const int lane = laneOf(thread);
    const int warp = warpOf(thread);
    const int firstRow = rowBlock * ROWS;
    const int firstTile = rowBlock * ROW_TILES;
    const int chunks = product.paddedK / Format::CHUNK;
    const int first = SPLITS ? product.split.first(chunks) : 0;
    const int end = SPLITS ? product.split.end(chunks) : chunks;

    startSuccessor();
    UNROLL
    for (int stage = 0; stage < STAGES - 1; stage++) { // weights alone: copies of them need not wait
        if (first + warp + WARPS * stage < end) {
            fetchChunk<Format, ROW_TILES, STAGES>(ring, product, firstTile, first + warp + WARPS * stage, stage);
        }
        copyAsyncCommit();
    }
    awaitPredecessor();
    // Loaded early, used last: the latency overlaps with that of the weights.
    factors.gather(product.normIn, firstToken, tokens);
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
    for (int chunk = first + warp; chunk < end; chunk += WARPS) {
        uint4 x[TOKEN_TILES][Format::INPUTS / 8];
        readActivations<Format, TOKEN_TILES>(product, firstToken, tokens, chunk, x);
        copyAsyncWait<STAGES - 2>();
        warpBarrier();
        const int ahead = chunk + WARPS * (STAGES - 1);
        if (ahead < end) {
            fetchChunk<Format, ROW_TILES, STAGES>(ring, product, firstTile, ahead, stage == 0 ? STAGES - 1 : stage - 1);
        }
        copyAsyncCommit();
        multiplyChunk<Format, ROW_TILES, TOKEN_TILES, STAGES>(ring, stage, x, sums);
        stage = stage == STAGES - 1 ? 0 : stage + 1;
    }

    barrier();
    float* shared = static_cast<float*>(memory); // [WARPS][TOKENS][APART]
    UNROLL
    for (int i = 0; i < ROW_TILES; i++) {
        UNROLL
        for (int j = 0; j < TOKEN_TILES; j++) {
            UNROLL
            for (int e = 0; e < 4; e++) {
                const int token = 8 * j + 2 * (lane & 3) + (e & 1);
                if (token < TOKENS) {
                    shared[(warp * TOKENS + token) * APART + 16 * i + 8 * (e >> 1) + (lane >> 2)] = sums[i][j][e];
                }
            }
        }
    }
    barrier();
    UNROLL
    for (int i = 0; i < RESULTS; i++) {
        const int at = thread + 32 * WARPS * i;
        const int place = at / ROWS * APART + at % ROWS;
        UNROLL
        for (int w = 1; w < WARPS; w++) {
            if (at < ROWS * TOKENS) {
                shared[place] += shared[w * TOKENS * APART + place];
            }
        }
    }
    if constexpr (SPLITS) {
        if (!addSplits<APART * TOKENS, 32 * WARPS>(product.split, shared)) {
            return;
        }
    }
    UNROLL
    for (int i = 0; i < RESULTS; i++) {
        const int at = thread + 32 * WARPS * i;
        const int output = firstRow + at % ROWS;
        const int token = firstToken + at / ROWS;
        const bool valid = at < ROWS * TOKENS && output < product.outputs && token < tokens;
        const float factor = factors.of(product.normIn, at / ROWS % TOKENS);
        const float value = start[i] + factor * scale[i] * (valid ? shared[at / ROWS * APART + at % ROWS] : 0.0f);
        writeOutput(product, output, token, valid, value);
        writeNormed(product.normOut, output, token, valid, value);
        const float squares = laneSum<ROWS>(valid ? value * value : 0.0f);
        if (at % ROWS == 0 && at < ROWS * TOKENS && token < tokens) {
            writeSquares(product.normOut, rowBlock, token, squares);
        }
    }
}
