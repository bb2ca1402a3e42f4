// What surrounds a product that a library computes: its weights as BF16 rows before, and the epilogue of product.h after.
#include "product.h"

struct Widening {
    const uint4* values; // in fragment order; see formats.h
    const void* scales;  // INT4: words in order of tiles
    bf16* rows;          // [16 · tiles][paddedK]
    int chunks;
};

// Two weights of a word of operands as BF16: codes of FP8, which its row scale follows in the epilogue; INT4 rounded.
template <typename Format>
DEVICE unsigned widened(unsigned pair, float scale) {
    if constexpr (Format::GROUP_SCALES) {
        return packBf16x2(__uint_as_float(pair << 16) * scale, __uint_as_float(pair & 0xffff0000u) * scale);
    } else {
        return pair;
    }
}

// Grid (chunks, tiles). A lane has eight of every 32 inputs of two rows.
template <typename Format>
DEVICE void widen(const Widening& w) {
    startSuccessor();
    const int thread = static_cast<int>(threadIdx.x);
    const int chunk = static_cast<int>(blockIdx.x) * (WIDEN_THREADS / 32) + warpOf(thread);
    if (chunk >= w.chunks) {
        awaitPredecessor();
        return;
    }
    const int lane = laneOf(thread);
    const long long tile = blockIdx.y;
    constexpr int GROUPS = Format::GROUP_SCALES ? Format::GROUPS : 1;
    unsigned bias[GROUPS][2] = {};
    float scale[GROUPS][2] = {};
    if constexpr (Format::GROUP_SCALES) {
        const unsigned* words = static_cast<const unsigned*>(w.scales) +
                                (tile * w.chunks + chunk) * (GROUPS * TILE_ROWS) + (lane >> 2);
        UNROLL
        for (int i = 0; i < 2 * GROUPS; i++) {
            const unsigned word = words[8 * i];
            bias[i / 2][i % 2] = Format::bias(word);
            scale[i / 2][i % 2] = Format::scale(word);
        }
    }
    const uint4* from = w.values + (tile * w.chunks + chunk) * 64 + lane;
    const uint4 pieces[2] = {load16(from), load16(from + 32)};
    awaitPredecessor(); // the library's product may still read the rows of the weights before
    const long long stride = static_cast<long long>(w.chunks) * Format::CHUNK;
    bf16* to = w.rows + (tile * TILE_ROWS + (lane >> 2)) * stride + Format::CHUNK * chunk + 8 * (lane & 3);
    UNROLL
    for (int i = 0; i < Format::INPUTS / 8; i++) {
        unsigned words[2][4]; // of two steps
        UNROLL
        for (int s = 0; s < 2; s++) {
            const int step = 2 * i + s;
            const int group = step * GROUPS / (2 * Format::STEPS);
            unsigned a[4];
            Format::operand(pieces[step / Format::STEPS], step % Format::STEPS, bias[group], a);
            UNROLL
            for (int upper = 0; upper < 2; upper++) {
                words[upper][2 * s] = widened<Format>(a[upper], scale[group][upper]);
                words[upper][2 * s + 1] = widened<Format>(a[2 + upper], scale[group][upper]);
            }
        }
        UNROLL
        for (int upper = 0; upper < 2; upper++) {
            const unsigned(&four)[4] = words[upper];
            reinterpret_cast<uint4*>(to + 8 * upper * stride)[4 * i] = make_uint4(four[0], four[1], four[2], four[3]);
        }
    }
}

struct Epilogue {
    Product product;   // its values, x, and split are unused
    const float* sums; // [tokens][sumsStride]: of outputs from firstOutput
    int sumsStride;
    int firstOutput; // a multiple of EPILOGUE_OUTPUTS
    int outputs;     // from firstOutput on
};

// Grid (blocks of tokens, blocks of outputs). A warp has four tokens, a lane every 32nd output; all loads come first.
template <typename Format>
DEVICE void epilogue(const Epilogue& e) {
    followPredecessor();
    constexpr int EACH = EPILOGUE_OUTPUTS / 32;
    constexpr int WARPS = EPILOGUE_THREADS / 32;
    constexpr int BATCH = EPILOGUE_TOKENS / WARPS;
    static_assert(EPILOGUE_OUTPUTS == NORM_PART_128 && EPILOGUE_OUTPUTS == NORM_PART_64, "a part of a norm for each block");
    const Product& product = e.product;
    const int lane = laneOf(static_cast<int>(threadIdx.x));
    const int firstToken = static_cast<int>(blockIdx.x) * EPILOGUE_TOKENS;
    const int firstLocal = static_cast<int>(blockIdx.y) * EPILOGUE_OUTPUTS;
    const int firstRow = e.firstOutput + firstLocal;
    const int warp = warpOf(static_cast<int>(threadIdx.x));
    SHARED NormFactors<EPILOGUE_TOKENS, EPILOGUE_THREADS> factors;
    factors.gather(product.normIn, firstToken, product.tokens);
    float start[BATCH][EACH];
    float sum[BATCH][EACH];
    UNROLL
    for (int i = 0; i < BATCH; i++) {
        UNROLL
        for (int r = 0; r < EACH; r++) {
            const long long token = firstToken + warp + WARPS * i;
            const int local = firstLocal + 32 * r + lane;
            const int output = e.firstOutput + local;
            const bool valid = token < product.tokens && local < e.outputs;
            start[i][r] = valid ? startOf(product, output, token * product.outStride + output) : 0.0f;
            sum[i][r] = valid ? rowScale<Format>(product, output) * e.sums[token * e.sumsStride + local] : 0.0f;
        }
    }
    barrier();
    UNROLL
    for (int i = 0; i < BATCH; i++) {
        const int local = warp + WARPS * i;
        const int token = firstToken + local;
        if (token < product.tokens) {
            const float factor = factors.of(product.normIn, local);
            float squares = 0.0f;
            UNROLL
            for (int r = 0; r < EACH; r++) {
                const int output = firstRow + 32 * r + lane;
                const bool valid = firstLocal + 32 * r + lane < e.outputs;
                const float value = start[i][r] + factor * sum[i][r];
                writeOutput(product, output, token, valid, value);
                writeNormed(product.normOut, output, token, valid, value);
                squares += valid ? value * value : 0.0f;
            }
            writeSquares(product.normOut, firstRow / EPILOGUE_OUTPUTS, token, laneSum<32>(squares));
        }
    }
}

#define LIBRARY_PRODUCT(format, Format)                                                               \
    KERNEL(widen_##format, WIDEN_THREADS, const Widening widening) { widen<Format>(widening); }      \
    KERNEL(epilogue_##format, EPILOGUE_THREADS, const Epilogue e) { epilogue<Format>(e); }

LIBRARY_PRODUCT(bf16, Bf16Weights)
LIBRARY_PRODUCT(fp8, Fp8Weights)
LIBRARY_PRODUCT(int4, Int4Weights<128>)
KERNEL(widen_int4_g64, WIDEN_THREADS, const Widening widening) { widen<Int4Weights<64>>(widening); }
KERNEL(widen_int4_g32, WIDEN_THREADS, const Widening widening) { widen<Int4Weights<32>>(widening); }
