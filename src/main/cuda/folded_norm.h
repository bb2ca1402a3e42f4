// RMSNorm without a launch of its own. The kernel that completes a row x of the residual stream writes x · weight, unscaled,
// in BF16, and the sums of squares of parts of x. The product that reads it multiplies its sums by 1 / root mean square. All
// sums are added in a fixed order.
#pragma once

#include "device.h"

// What a kernel writes beside the residual stream. Nothing without a weight.
struct NormOut {
    const float* weight; // [width] or null
    bf16* out;           // [tokens][stride]: x · weight, zero after the width
    float* squares;      // [parts][tokensStride]: sums of squares of adjacent outputs
    int stride;
    int tokensStride;
};

// Writes one output of a token, if valid.
DEVICE void writeNormed(const NormOut& norm, int output, int token, bool valid, float value) {
    if (norm.weight != nullptr && valid) {
        norm.out[static_cast<long long>(token) * norm.stride + output] = toBf16(value * norm.weight[output]);
    }
}

// Writes the sum of squares of a part of a token's outputs; one lane does, or several with the same sum.
DEVICE void writeSquares(const NormOut& norm, int part, int token, float squares) {
    if (norm.weight != nullptr) {
        norm.squares[static_cast<long long>(part) * norm.tokensStride + token] = squares;
    }
}

// How a product scales its sums. By 1 without squares.
struct NormIn {
    const float* squares; // [parts][tokensStride] or null
    int parts;
    int tokensStride;
    int width;
    float epsilon;
};

// The factors of TOKENS tokens from firstToken, in shared memory after the next barrier; by all threads of the block.
template <int TOKENS, int THREADS>
struct NormFactors {
    static constexpr int SHARES = THREADS / TOKENS > 32 ? 32 : THREADS / TOKENS; // threads that share a token's parts
    float sums[SHARES][TOKENS];

    // Loads begin here; call early.
    DEVICE_METHOD void gather(const NormIn& norm, int firstToken, int tokens) {
        const int thread = static_cast<int>(threadIdx.x);
        const int token = thread % TOKENS;
        const int share = thread / TOKENS;
        if (norm.squares == nullptr || share >= SHARES) {
            return;
        }
        float sum = 0.0f;
        if (firstToken + token < tokens) {
            const float* squares = norm.squares + firstToken + token;
            for (int first = share; first < norm.parts; first += 8 * SHARES) {
                float batch[8]; // loaded together to overlap their latency
                UNROLL
                for (int i = 0; i < 8; i++) {
                    const int part = first + i * SHARES;
                    batch[i] = part < norm.parts ? squares[static_cast<long long>(part) * norm.tokensStride] : 0.0f;
                }
                UNROLL
                for (int i = 0; i < 8; i++) {
                    sum += batch[i];
                }
            }
        }
        sums[share][token] = sum;
    }

    // After a barrier that follows gather().
    DEVICE_METHOD float of(const NormIn& norm, int token) const {
        if (norm.squares == nullptr) {
            return 1.0f;
        }
        float sum = 0.0f;
        UNROLL
        for (int share = 0; share < SHARES; share++) {
            sum += sums[share][token];
        }
        return rsqrtf(sum / static_cast<float>(norm.width) + norm.epsilon);
    }
};
