// Memory formats of weights and KV entries, and their conversion to operands of products.
#pragma once

#include "device.h"
#include "tiles.h"

// Two E4M3 codes, in bytes 1 and 3 of a word, as BF16: sign, exponent and mantissa move four bits down. The exponent
// biases make the result 2^120 too small; the product with 2^120 is exact, also for subnormals.
DEVICE unsigned spreadE4m3ToBf16x2(unsigned spread) {
    const unsigned shifted = (spread & 0x80008000u) | ((spread >> 4) & 0x07f007f0u);
    return fmaBf16x2(shifted, 0x7b807b80u, 0x80008000u);
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

// Weights are in fragment order [tiles of 16 rows][chunks][2][32 lanes] of 16 bytes; tiles are padded to a multiple of
// PADDED_TILES. A chunk is 64 bytes of a row. Lane 4g + t has four words of it for each of the rows g and g + 8, with inputs
// 8t to 8t + 7 of every 32 inputs in turn: the lanes of a row meet adjacent activations. Piece h, of 0 and 1, has word 2h of
// row g, word 2h of row g + 8, word 2h + 1 of row g, word 2h + 1 of row g + 8. So a warp reads 512 adjacent bytes, and a piece
// of BF16 is the operand of a step as it is.
//
// A weight format defines INPUTS of a row in 16 bytes; STEPS, the tensor-core steps of a piece; operand(), a lane's operand
// of one of them; ordered(), a word of a row in the order that operand() expects; value(), the weight at a place of such a
// word; GROUPS, the groups of a chunk with scales of their own, or 0.

struct Bf16Weights {
    static constexpr int INPUTS = 8;
    static constexpr int STEPS = INPUTS / 8;
    static constexpr int CHUNK = 4 * INPUTS;
    static constexpr int GROUPS = 0;
    static constexpr bool ROW_SCALES = false;
    static constexpr bool GROUP_SCALES = false;

    DEVICE void operand(const uint4& piece, int, const unsigned (&)[2], unsigned (&a)[4]) {
        a[0] = piece.x;
        a[1] = piece.y;
        a[2] = piece.z;
        a[3] = piece.w;
    }

    DEVICE unsigned ordered(unsigned word) { return word; }

    DEVICE float value(unsigned word, int place, unsigned) {
        return __uint_as_float(place == 0 ? word << 16 : word & 0xffff0000u);
    }
};

// E4M3 codes with one scale per row. Codes 0 and 1 of a word are in bytes 1 and 3, codes 2 and 3 in bytes 0 and 2.
struct Fp8Weights {
    static constexpr int INPUTS = 16;
    static constexpr int STEPS = INPUTS / 8;
    static constexpr int CHUNK = 4 * INPUTS;
    static constexpr int GROUPS = 0;
    static constexpr bool ROW_SCALES = true;
    static constexpr bool GROUP_SCALES = false;

    DEVICE void operand(const uint4& piece, int step, const unsigned (&)[2], unsigned (&a)[4]) {
        const unsigned low = step == 0 ? piece.x : piece.z;
        const unsigned high = step == 0 ? piece.y : piece.w;
        a[0] = spreadE4m3ToBf16x2(low);
        a[1] = spreadE4m3ToBf16x2(high);
        a[2] = spreadE4m3ToBf16x2(low << 8);
        a[3] = spreadE4m3ToBf16x2(high << 8);
    }

    DEVICE unsigned ordered(unsigned word) { return __byte_perm(word, 0, 0x1302); }

    DEVICE float value(unsigned word, int place, unsigned) {
        const int byte = place < 2 ? 1 + 2 * place : 2 * (place - 2);
        return e4m3ToFloat((word >> (8 * byte)) & 0xffu);
    }
};

// Nibbles: inputs 2p and 2p + 1 of a word are nibbles p and p + 4. A group of 128, 64 or 32 inputs has a word with an FP16
// scale and, above it, BF16 of minus (128 + zero point). BF16 of 128 + q is 0x4300 | q, so one operation turns two nibbles
// into a pair, and adding minus (128 + zero) is exact. Scales are [tiles of 16 rows][groups][16]; only those of
// padding are zero. Two steps are 32 adjacent inputs, so each step is of one group.
template <int GROUP>
struct Int4Weights {
    static constexpr int INPUTS = 32;
    static constexpr int STEPS = INPUTS / 8;
    static constexpr int CHUNK = 4 * INPUTS;
    static constexpr int GROUPS = CHUNK / GROUP;
    static constexpr bool ROW_SCALES = false;
    static constexpr bool GROUP_SCALES = true;
    static_assert(GROUP % 32 == 0 && CHUNK % GROUP == 0, "a group is whole pairs of steps, a chunk whole groups");

    DEVICE void operand(const uint4& piece, int step, const unsigned (&bias)[2], unsigned (&a)[4]) {
        const unsigned low = (step < 2 ? piece.x : piece.z) >> (8 * (step & 1));
        const unsigned high = (step < 2 ? piece.y : piece.w) >> (8 * (step & 1));
        a[0] = fmaBf16x2(raised(low), 0x3f803f80u, bias[0]);
        a[1] = fmaBf16x2(raised(high), 0x3f803f80u, bias[1]);
        a[2] = fmaBf16x2(raised(low >> 4), 0x3f803f80u, bias[0]);
        a[3] = fmaBf16x2(raised(high >> 4), 0x3f803f80u, bias[1]);
    }

    // 128 plus each of two nibbles, as BF16.
    DEVICE unsigned raised(unsigned word) { return andOr(word, 0x000f000fu, 0x43004300u); }

    DEVICE unsigned ordered(unsigned word) {
        unsigned to = 0;
        UNROLL
        for (int p = 0; p < 4; p++) {
            to |= ((word >> (8 * p)) & 0xfu) << (4 * p);
            to |= ((word >> (8 * p + 4)) & 0xfu) << (4 * p + 16);
        }
        return to;
    }

    // Minus (128 + zero), twice.
    DEVICE unsigned bias(unsigned scaleWord) { return __byte_perm(scaleWord, 0, 0x3232); }

    DEVICE float scale(unsigned scaleWord) {
        half v;
        v.bits = static_cast<unsigned short>(scaleWord);
        return toFloat(v);
    }

    DEVICE float value(unsigned word, int place, unsigned scaleWord) {
        const unsigned code = (word >> (4 * (place >> 1) + 16 * (place & 1))) & 15u;
        return (static_cast<float>(128u + code) + __uint_as_float(scaleWord & 0xffff0000u)) * scale(scaleWord);
    }
};

// The weight at a row and input of a matrix of this many chunks a row.
template <typename Format>
DEVICE float weightAt(const uint4* values, const void* scales, int chunks, long long row, int input) {
    constexpr int EACH = Format::INPUTS / 4; // inputs of a word
    const long long tile = row / TILE_ROWS;
    const int inTile = static_cast<int>(row % TILE_ROWS);
    const int chunk = input / Format::CHUNK;
    const int inChunk = input % Format::CHUNK;
    const int word = (inChunk / 32 * 8 + inChunk % 8) / EACH;
    const int lane = 4 * (inTile & 7) + inChunk % 32 / 8;
    const long long piece = ((tile * chunks + chunk) * 2 + (word >> 1)) * 32 + lane;
    const unsigned bits =
        reinterpret_cast<const unsigned*>(values + piece)[2 * (word & 1) + (inTile >> 3)];
    if constexpr (Format::GROUP_SCALES) {
        const long long group = (tile * chunks + chunk) * Format::GROUPS + inChunk * Format::GROUPS / Format::CHUNK;
        const unsigned scale = static_cast<const unsigned*>(scales)[group * TILE_ROWS + inTile];
        return Format::value(bits, inChunk % EACH, scale);
    } else {
        const float scale = Format::ROW_SCALES ? static_cast<const float*>(scales)[row] : 1.0f;
        return Format::value(bits, inChunk % EACH, 0) * scale;
    }
}

// A KV format defines the bytes of an entry, how a number is stored, and whether rows have scales. A row is a key or value
// of one position and KV head.
//
// FP16 has no scales and saturates. E4M3 codes are the row's numbers divided by its scale: the smallest power of two, from
// 2^-126, by which the largest of them is at most 448. It is stored in one byte, as exponent + 127.
//
// NaN stays NaN in FP16. In E4M3 it is stored as 0x7F, which the hardware conversion reads as NaN and integer instructions
// as 480.
struct F16Cache {
    typedef half Entry;
    static constexpr bool SCALED = false;

    DEVICE half store(float v) { return toHalf(v > 65504.0f ? 65504.0f : v < -65504.0f ? -65504.0f : v); }

    DEVICE float load(half v) { return toFloat(v); }
};

struct Fp8Cache {
    typedef unsigned char Entry;
    static constexpr bool SCALED = true;

    DEVICE unsigned char store(float v) { return static_cast<unsigned char>(floatToE4m3(v)); }

    DEVICE float load(unsigned char v) { return e4m3ToFloat(v); }
};

// The scale of a row whose largest magnitude this is, as a byte. A larger mantissa than that of 448 needs the next one.
DEVICE unsigned scaleByte(float largest) {
    const int exponent = static_cast<int>((__float_as_uint(largest) + 0x1fffffu) >> 23) - 8;
    return static_cast<unsigned>(exponent > 1 ? exponent : 1);
}

// The scale of a byte; 0 of 0, which no row has.
DEVICE float scaleOf(unsigned byte) { return __uint_as_float(byte << 23); }

// 1 / scale of a power of two up to 2^126; 2^127 of 0.
DEVICE float inverseOf(float scale) { return __uint_as_float(0x7f000000u - __float_as_uint(scale)); }

// Row of the key (kv 0) or value (kv 1) of a token in a layer of the pool [blocks, kvHeads, 2, blockTokens].
DEVICE long long cacheRow(int block, int kvHeads, int kvHead, int kv, int blockTokens, int slot) {
    return ((static_cast<long long>(block) * kvHeads + kvHead) * 2 + kv) * blockTokens + slot;
}
