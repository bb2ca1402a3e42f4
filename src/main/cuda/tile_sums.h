// What becomes of the sums of a block with many tokens.
#pragma once

#include "product.h"

// The sums of a block in shared memory, where the stages were. Columns are apart so that lanes do not meet in a bank.
template <typename Tile>
struct TileSums {
    static constexpr int STRIDE = Tile::ROWS + 4;
    float sums[Tile::TOKENS][STRIDE];
};

// The tokens of a tile in turn, one for each warp: a lane has every 32nd output, so a warp writes adjacent ones.
template <typename Format, typename Tile, typename Factors>
DEVICE void finishTile(const Product& product, const TileSums<Tile>& tile, const Factors& factors, int firstRow,
                       int firstToken) {
    constexpr int EACH = Tile::ROWS / 32;
    constexpr int WARPS = Tile::THREADS / 32;
    constexpr int BATCH = 4; // tokens whose old values are loaded together
    const int lane = laneOf(static_cast<int>(threadIdx.x));
    const int warp = warpOf(static_cast<int>(threadIdx.x));
    const int count = least(Tile::TOKENS, product.tokens - firstToken);
    float scale[EACH];
    UNROLL
    for (int r = 0; r < EACH; r++) {
        const int output = firstRow + 32 * r + lane;
        scale[r] = output < product.outputs ? rowScale<Format>(product, output) : 0.0f;
    }
    for (int first = warp; first < count; first += BATCH * WARPS) {
        float start[BATCH][EACH];
        UNROLL
        for (int i = 0; i < BATCH; i++) {
            UNROLL
            for (int r = 0; r < EACH; r++) {
                const int token = first + WARPS * i;
                const int output = firstRow + 32 * r + lane;
                const long long at = static_cast<long long>(firstToken + token) * product.outStride + output;
                start[i][r] = token < count && output < product.outputs ? startOf(product, output, at) : 0.0f;
            }
        }
        UNROLL
        for (int i = 0; i < BATCH; i++) {
            const int token = first + WARPS * i;
            if (token < count) {
                const float factor = factors.of(product.normIn, token);
                float squares = 0.0f;
                UNROLL
                for (int r = 0; r < EACH; r++) {
                    const int output = firstRow + 32 * r + lane;
                    const bool valid = output < product.outputs;
                    const float value = start[i][r] + factor * scale[r] * tile.sums[token][32 * r + lane];
                    writeOutput(product, output, firstToken + token, valid, value);
                    writeNormed(product.normOut, output, firstToken + token, valid, value);
                    squares += valid ? value * value : 0.0f;
                }
                writeSquares(product.normOut, static_cast<int>(blockIdx.y), firstToken + token, laneSum<32>(squares));
            }
        }
    }
}
