// The arguments of a product y = W·x, and what becomes of its sums.
#pragma once

#include "folded_norm.h"
#include "formats.h"
#include "split_k.h"
#include "tiles.h"

struct Product {
    const uint4* values; // in fragment order; see formats.h
    const void* scales;  // FP8: FP32 [outputs]; INT4: words in order of tiles
    const bf16* x;       // [tokens][xStride], zero behind the width
    const float* bias;   // [outputs] or null
    void* out;           // [tokens][outStride]: FP32, or BF16 after an activation
    int xStride;
    int outStride;
    int outputs;
    int paddedK;
    int finish; // one of FINISH_
    int tokens;
    SplitK split;
    NormIn normIn;   // of x
    NormOut normOut; // of out, if the product is added to the residual stream
};

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

// The sum over groups of ROWS adjacent lanes.
template <int ROWS>
DEVICE float laneSum(float v) {
    UNROLL
    for (int mask = ROWS / 2; mask > 0; mask >>= 1) {
        v += shuffleXor(v, mask);
    }
    return v;
}

template <typename Format>
DEVICE float rowScale(const Product& product, int output) {
    return Format::ROW_SCALES ? static_cast<const float*>(product.scales)[output] : 1.0f;
}
