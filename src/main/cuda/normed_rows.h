// The norm after a product of few tokens that is added to the residual stream. The last block to finish computes it, so
// no launch is needed between the product and the next one.
#pragma once

#include "device.h"
#include "tiles.h"

// RMSNorm without bias, LayerNorm with bias. No norm without a weight.
struct RowNorm {
    const float* weight; // [width] or null
    const float* bias;   // [width] or null
    bf16* out;           // [tokens][outStride]; zero after the width
    int outStride;
    float epsilon;
    unsigned* arrivals; // zero before and after
};

#define NORM_PARAMETERS const float *normWeight, const float *normBias, bf16 *normed, int normedStride, float epsilon, \
        unsigned *arrivals
#define NORM_ARGUMENTS {normWeight, normBias, normed, normedStride, epsilon, arrivals}

// Sums over the threads of a block, returned to each, in an order that does not depend on the other tokens.
template <int TOKENS>
DEVICE void blockSums(float (&sums)[TOKENS]) {
    constexpr int WARPS = MATVEC_THREADS / 32;
    SHARED float partial[TOKENS][WARPS];
    const int thread = static_cast<int>(threadIdx.x);
    UNROLL
    for (int token = 0; token < TOKENS; token++) {
        const float ofWarp = warpSum(sums[token]);
        if (laneOf(thread) == 0) {
            partial[token][warpOf(thread)] = ofWarp;
        }
    }
    barrier();
    UNROLL
    for (int token = 0; token < TOKENS; token++) {
        sums[token] = 0.0f;
        UNROLL
        for (int w = 0; w < WARPS; w++) {
            sums[token] += partial[token][w];
        }
    }
    barrier();
}

// norm.out[token] = the norm of x[token, width], which other blocks of the launch wrote.
template <int TOKENS>
DEVICE void normRows(const RowNorm& norm, const float* x, int xStride, int width) {
    // A thread's first values stay in registers, so that their loads overlap; the rest is read again. How many stay
    // depends on the tokens, so values are added one by one in an order that does not.
    constexpr int KEPT = 16 / TOKENS;
    const int thread = static_cast<int>(threadIdx.x);
    float kept[TOKENS][KEPT];
    float mean[TOKENS] = {};
    float scale[TOKENS] = {};
    UNROLL
    for (int token = 0; token < TOKENS; token++) {
        UNROLL
        for (int j = 0; j < KEPT; j++) {
            const int i = thread + MATVEC_THREADS * j;
            kept[token][j] = i < width ? loadFresh(x + static_cast<long long>(token) * xStride + i) : 0.0f;
        }
    }
    const auto value = [&](int token, int i) { return loadFresh(x + static_cast<long long>(token) * xStride + i); };
    if (norm.bias != nullptr) {
        UNROLL
        for (int token = 0; token < TOKENS; token++) {
            UNROLL
            for (int j = 0; j < KEPT; j++) {
                mean[token] += kept[token][j];
            }
            for (int i = thread + MATVEC_THREADS * KEPT; i < width; i += MATVEC_THREADS) {
                mean[token] += value(token, i);
            }
        }
        blockSums<TOKENS>(mean);
        UNROLL
        for (int token = 0; token < TOKENS; token++) {
            mean[token] /= static_cast<float>(width);
        }
    }
    UNROLL
    for (int token = 0; token < TOKENS; token++) {
        UNROLL
        for (int j = 0; j < KEPT; j++) {
            const float centred = thread + MATVEC_THREADS * j < width ? kept[token][j] - mean[token] : 0.0f;
            scale[token] = fmaf(centred, centred, scale[token]);
        }
        for (int i = thread + MATVEC_THREADS * KEPT; i < width; i += MATVEC_THREADS) {
            const float centred = value(token, i) - mean[token];
            scale[token] = fmaf(centred, centred, scale[token]);
        }
    }
    blockSums<TOKENS>(scale);
    UNROLL
    for (int token = 0; token < TOKENS; token++) {
        scale[token] = 1.0f / sqrtf(scale[token] / static_cast<float>(width) + norm.epsilon);
    }
    const auto write = [&](int token, int i, float v, float weight, float shift) {
        const float scaled = (v - mean[token]) * scale[token];
        norm.out[static_cast<long long>(token) * norm.outStride + i] = toBf16(fmaf(scaled, weight, shift));
    };
    UNROLL
    for (int j = 0; j < KEPT; j++) {
        const int i = thread + MATVEC_THREADS * j;
        if (i < width) {
            const float weight = norm.weight[i];
            const float shift = norm.bias == nullptr ? 0.0f : norm.bias[i];
            UNROLL
            for (int token = 0; token < TOKENS; token++) {
                write(token, i, kept[token][j], weight, shift);
            }
        }
    }
    for (int i = thread + MATVEC_THREADS * KEPT; i < width; i += MATVEC_THREADS) {
        const float weight = norm.weight[i];
        const float shift = norm.bias == nullptr ? 0.0f : norm.bias[i];
        UNROLL
        for (int token = 0; token < TOKENS; token++) {
            write(token, i, value(token, i), weight, shift);
        }
    }
}
