// How weights and KV entries stand in memory, and how they become operands of products.
#pragma once

#include "device.h"

// Inputs that share one scale and zero point of an INT4 weight row.
#define INT4_GROUP 128

// Two E4M3 codes, in bytes 1 and 3 of a word, as BF16: sign, exponent and mantissa fall into place four bits lower,
// 2^120 too small because of the exponents' biases; the product with 2^120 is exact, for subnormals as well.
DEVICE unsigned spreadE4m3ToBf16x2(unsigned spread) {
    const unsigned shifted = (spread & 0x80008000u) | ((spread >> 4) & 0x07f007f0u);
    return fmaBf16x2(shifted, 0x7b807b80u, 0x80008000u);
}

// Codes 0 and 1, or 2 and 3, of a word as two BF16, the lower code in the low half.
DEVICE unsigned e4m3PairToBf16x2(unsigned codes, bool upper) {
    return spreadE4m3ToBf16x2(__byte_perm(codes, 0, upper ? 0x3424 : 0x1404));
}

// Two E4M3 codes, in bytes 1 and 3 of a word, as FP16 of 1/256 of their value (exact, subnormals included).
DEVICE unsigned spreadE4m3ToHalf2(unsigned spread) {
    return (spread & 0x80008000u) | ((spread >> 1) & 0x3f803f80u);
}

// Codes 0 and 1, or 2 and 3, of a word as two FP16 of 1/256 of their value.
DEVICE unsigned e4m3PairToHalf2(unsigned codes, bool upper) {
    return spreadE4m3ToHalf2(__byte_perm(codes, 0, upper ? 0x3424 : 0x1404));
}

// One E4M3 code's value; the two NaN codes, which no packer writes, become ±480.
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

// A weight format says: INPUTS of a row in 16 bytes, a lane's share of a row's chunk; PIECES of 16 bytes of BF16
// activations that go with them; and operand(), word `pair` of those inputs as two BF16 weights.
// Where the two weights of a word are not neighbours, arrange() brings the activations into the same order.
struct Bf16Weights {
    static constexpr int INPUTS = 8;
    static constexpr int PIECES = 1;
    static constexpr bool GROUPED = false;
    static constexpr bool SCALED = false;

    DEVICE unsigned operand(const uint4& w, int pair, unsigned) {
        return pair == 0 ? w.x : pair == 1 ? w.y : pair == 2 ? w.z : w.w;
    }
};
