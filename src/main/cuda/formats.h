// Memory formats of weights and KV entries, and their conversion to operands of products.
#pragma once

#include "device.h"

// Inputs with a common scale and zero point in an INT4 weight row.
#define INT4_GROUP 128

// Two E4M3 codes, in bytes 1 and 3 of a word, as BF16: sign, exponent and mantissa move four bits down. The exponent
// biases make the result 2^120 too small; the product with 2^120 is exact, also for subnormals.
DEVICE unsigned spreadE4m3ToBf16x2(unsigned spread) {
    const unsigned shifted = (spread & 0x80008000u) | ((spread >> 4) & 0x07f007f0u);
    return fmaBf16x2(shifted, 0x7b807b80u, 0x80008000u);
}

// Codes 0 and 1, or 2 and 3, of a word as two BF16, the lower code in the low half.
DEVICE unsigned e4m3PairToBf16x2(unsigned codes, bool upper) {
    return spreadE4m3ToBf16x2(__byte_perm(codes, 0, upper ? 0x3424 : 0x1404));
}

// Two E4M3 codes, bytes `low` and `high` of 0..7 of two words, as FP16 values times 1 / E4M3_HALF_SCALE: exact,
// including subnormals. Uses the hardware conversion if there is one.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
#define E4M3_HALF_SCALE 1.0f
DEVICE unsigned e4m3PairToHalf2(unsigned first, unsigned second, int low, int high) {
    unsigned values;
    const unsigned short codes = static_cast<unsigned short>(__byte_perm(first, second, (high << 4) | low));
    asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(values) : "h"(codes));
    return values;
}
#else
#define E4M3_HALF_SCALE 256.0f
DEVICE unsigned e4m3PairToHalf2(unsigned first, unsigned second, int low, int high) {
    const unsigned spread = __byte_perm(first, second, (high << 12) | (low << 4));
    return (spread & 0x80008000u) | ((spread >> 1) & 0x3f803f80u);
}
#endif

// The value of an E4M3 code. The two NaN codes, which no packer writes, become ±480.
DEVICE float e4m3ToFloat(unsigned code) {
    half v;
    v.bits = static_cast<unsigned short>(((code & 0x80u) << 8) | ((code & 0x7fu) << 7));
    return toFloat(v) * 256.0f;
}

// Nearest E4M3 code, ties to even, saturating at ±448; NaN becomes 0x7F.
DEVICE unsigned floatToE4m3(float f) {
    const unsigned bits = __float_as_uint(f);
    const unsigned sign = (bits >> 24) & 0x80u;
    const unsigned magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u) {
        return 0x7fu;
    }
    if (magnitude >= 0x43e00000u) { // 448
        return sign | 0x7eu;
    }
    if (magnitude < 0x3c800000u) { // 2^-6: subnormal steps of 2^-9; adding 2^14 leaves them in the lowest bits
        const float shifted = __uint_as_float(magnitude) + 16384.0f;
        return sign | (__float_as_uint(shifted) & 0xfu);
    }
    const unsigned rounded = magnitude + 0x7ffffu + ((magnitude >> 20) & 1u);
    const unsigned code = (rounded >> 20) - (120u << 3);
    return sign | (code > 0x7eu ? 0x7eu : code);
}

// A weight format defines: INPUTS of a row in 16 bytes, a lane's share of a row's chunk; operand(), the weights of word
// `pair` of those inputs as two BF16, given the row's bias(); arrange(), eight activations in the order of the weights
// of four such words; value(), one weight. Four adjacent lanes' shares are a chunk of a row: CHUNK inputs.
struct Bf16Weights {
    static constexpr int INPUTS = 8;
    static constexpr int CHUNK = 4 * INPUTS;
    static constexpr bool ROW_SCALES = false;
    static constexpr bool GROUP_SCALES = false;

    DEVICE unsigned operand(const uint4& w, int pair, unsigned) {
        return pair == 0 ? w.x : pair == 1 ? w.y : pair == 2 ? w.z : w.w;
    }

    DEVICE uint4 arrange(const uint4& x) { return x; }

    DEVICE float value(const unsigned char* row, const void*, long long, int, int input) {
        return toFloat(reinterpret_cast<const bf16*>(row)[input]);
    }
};

// E4M3 codes with one scale per row.
struct Fp8Weights {
    static constexpr int INPUTS = 16;
    static constexpr int CHUNK = 4 * INPUTS;
    static constexpr bool ROW_SCALES = true;
    static constexpr bool GROUP_SCALES = false;

    DEVICE unsigned operand(const uint4& w, int pair, unsigned) {
        return e4m3PairToBf16x2(Bf16Weights::operand(w, pair >> 1, 0), (pair & 1) != 0);
    }

    DEVICE uint4 arrange(const uint4& x) { return x; }

    DEVICE float value(const unsigned char* row, const void* scales, long long output, int, int input) {
        return e4m3ToFloat(row[input]) * static_cast<const float*>(scales)[output];
    }
};

// Nibbles, the even input low. One word per group of 128 inputs holds an FP16 scale and, above it, the zero point. BF16
// of 128 + q is 0x4300 | q, so two operations turn nibbles four apart into a pair of weights, and subtracting 128 +
// zero is exact.
struct Int4Weights {
    static constexpr int INPUTS = 32;
    static constexpr int CHUNK = 4 * INPUTS;
    static constexpr bool ROW_SCALES = false;
    static constexpr bool GROUP_SCALES = true;

    DEVICE unsigned operand(const uint4& w, int pair, unsigned bias) {
        const unsigned word = Bf16Weights::operand(w, pair >> 2, 0);
        const unsigned raised = ((word >> (4 * (pair & 3))) & 0x000f000fu) | 0x43004300u;
        return fmaBf16x2(raised, 0x3f803f80u, bias);
    }

    DEVICE uint4 arrange(const uint4& x) {
        return make_uint4(__byte_perm(x.x, x.z, 0x5410), __byte_perm(x.x, x.z, 0x7632),
                          __byte_perm(x.y, x.w, 0x5410), __byte_perm(x.y, x.w, 0x7632));
    }

    // Minus (128 + zero), twice.
    DEVICE unsigned bias(unsigned scaleWord) { return 0xc300c300u | (scaleWord >> 16) * 0x00010001u; }

    DEVICE float scale(unsigned scaleWord) {
        half v;
        v.bits = static_cast<unsigned short>(scaleWord);
        return toFloat(v);
    }

    DEVICE float value(const unsigned char* row, const void* scales, long long output, int groups, int input) {
        const unsigned word = static_cast<const unsigned*>(scales)[output * groups + input / INT4_GROUP];
        const int code = (row[input >> 1] >> (4 * (input & 1))) & 15;
        return static_cast<float>(code - static_cast<int>(word >> 16)) * scale(word);
    }
};
static_assert(Int4Weights::CHUNK == INT4_GROUP, "a chunk of INT4 weights has one scale");

// A KV format defines the bytes of an entry and how a number is stored. The scale is 1; larger numbers saturate. NaN
// stays NaN in FP16. In E4M3 it is stored as 0x7F, which the hardware conversion reads as NaN and integer instructions
// as 480.
struct F16Cache {
    typedef half Entry;

    DEVICE half store(float v) { return toHalf(v > 65504.0f ? 65504.0f : v < -65504.0f ? -65504.0f : v); }

    DEVICE float load(half v) { return toFloat(v); }
};

struct Fp8Cache {
    typedef unsigned char Entry;

    DEVICE unsigned char store(float v) { return static_cast<unsigned char>(floatToE4m3(v)); }

    DEVICE float load(unsigned char v) { return e4m3ToFloat(v); }
};

// Address of key (kv 0) or value (kv 1) of a token in a layer of the pool [blocks, kvHeads, 2, blockTokens, stride].
DEVICE long long cacheEntry(int block, int kvHeads, int kvHead, int kv, int blockTokens, int slot, int headStride) {
    return (((static_cast<long long>(block) * kvHeads + kvHead) * 2 + kv) * blockTokens + slot) * headStride;
}
