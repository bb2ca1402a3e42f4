// Elementwise kernels: embedding, norms, rotary positions and KV entries, block copies.
#include "heads.h"
#include "tiles.h"

// The sum over the threads of a block, returned to each. `partial` holds one float per warp and is free afterwards.
DEVICE float blockSum(float v, float* partial) {
    const int thread = static_cast<int>(threadIdx.x);
    const float ofWarp = warpSum(v);
    if (laneOf(thread) == 0) {
        partial[warpOf(thread)] = ofWarp;
    }
    barrier();
    const int warps = static_cast<int>(blockDim.x) / 32;
    const float sum = warpSum(laneOf(thread) < warps ? partial[laneOf(thread)] : 0.0f);
    barrier();
    return sum;
}

// residual[row, hidden] = the embedding of the row's token, plus its row of positionTable if there is one.
template <typename Format>
DEVICE void embed(const void* values, const void* scales, int strideBytes, const int* tokens, const int* positions,
                  const float* positionTable, float* residual, int hidden) {
    const int row = static_cast<int>(blockIdx.x);
    const long long token = tokens[row];
    const unsigned char* weights = static_cast<const unsigned char*>(values) + token * strideBytes;
    const int groups = strideBytes * 2 / INT4_GROUP;
    const float* shift =
        positionTable == nullptr ? nullptr : positionTable + static_cast<long long>(positions[row]) * hidden;
    fill(residual + static_cast<long long>(row) * hidden, static_cast<int>(threadIdx.x), static_cast<int>(blockDim.x),
         hidden, [&](int i) {
             return Format::value(weights, scales, token, groups, i) + (shift == nullptr ? 0.0f : shift[i]);
         });
}

#define EMBED_PARAMETERS                                                                                   \
    const void *values, const void *scales, int strideBytes, const int *tokens, const int *positions,       \
        const float *positionTable, float *residual, int hidden
#define EMBED_ARGUMENTS values, scales, strideBytes, tokens, positions, positionTable, residual, hidden

KERNEL(embed_bf16, EMBED_THREADS, EMBED_PARAMETERS) { embed<Bf16Weights>(EMBED_ARGUMENTS); }
KERNEL(embed_fp8, EMBED_THREADS, EMBED_PARAMETERS) { embed<Fp8Weights>(EMBED_ARGUMENTS); }
KERNEL(embed_int4, EMBED_THREADS, EMBED_PARAMETERS) { embed<Int4Weights>(EMBED_ARGUMENTS); }

// RMSNorm without bias, LayerNorm with: out[row] = norm(x[pick[row]]) · weight (+ bias), zeros from width to outStride.
// A row whose pick is -1 becomes zeros.
KERNEL(norm, NORM_THREADS, const float* x, int xStride, const int* pick, const float* weight, const float* bias,
                           bf16* out, int outStride, int width, float epsilon) {
    SHARED float partial[32];
    const int row = static_cast<int>(blockIdx.x);
    const int thread = static_cast<int>(threadIdx.x);
    const int threads = static_cast<int>(blockDim.x);
    const int from = pick == nullptr ? row : pick[row];
    const float* in = x + static_cast<long long>(from) * xStride;
    bf16* to = out + static_cast<long long>(row) * outStride;
    if (from < 0) {
        for (int i = thread; i < outStride; i += threads) {
            to[i] = toBf16(0.0f);
        }
        return;
    }
    // A thread's first values and weights stay in registers, so that their loads overlap.
    constexpr int KEPT = 8;
    float kept[KEPT];
    float weights[KEPT];
    UNROLL
    for (int j = 0; j < KEPT; j++) {
        const bool valid = thread + threads * j < width;
        kept[j] = valid ? in[thread + threads * j] : 0.0f;
        weights[j] = valid ? weight[thread + threads * j] : 0.0f;
    }
    float mean = 0.0f;
    if (bias != nullptr) {
        float sum = 0.0f;
        UNROLL
        for (int j = 0; j < KEPT; j++) {
            sum += kept[j];
        }
        for (int i = thread + threads * KEPT; i < width; i += threads) {
            sum += in[i];
        }
        mean = blockSum(sum, partial) / static_cast<float>(width);
    }
    float squares = 0.0f;
    UNROLL
    for (int j = 0; j < KEPT; j++) {
        const float centred = thread + threads * j < width ? kept[j] - mean : 0.0f;
        squares += centred * centred;
    }
    for (int i = thread + threads * KEPT; i < width; i += threads) {
        squares += (in[i] - mean) * (in[i] - mean);
    }
    const float scale = 1.0f / sqrtf(blockSum(squares, partial) / static_cast<float>(width) + epsilon);
    UNROLL
    for (int j = 0; j < KEPT; j++) {
        const int i = thread + threads * j;
        if (i < outStride) {
            const float shift = bias == nullptr || i >= width ? 0.0f : bias[i];
            to[i] = toBf16(i < width ? (kept[j] - mean) * scale * weights[j] + shift : 0.0f);
        }
    }
    fill(to, thread + threads * KEPT, threads, outStride, [&](int i) {
        const float shift = bias == nullptr || i >= width ? 0.0f : bias[i];
        return toBf16(i < width ? (in[i] - mean) * scale * weight[i] + shift : 0.0f);
    });
}

// Splits a row of qkv [heads | kvHeads | kvHeads, headDim]: queries to q [rows, heads, headStride] in FP16, keys and
// values to their place in the cache, all padded with zeros after headDim. A padding row's queries are zero; it caches
// nothing.
template <typename Cache>
DEVICE void place(const Heads& heads, const int* positions, const int* table, const int* blockTables, half* q, void* cache,
                  int blockTokens) {
    const int row = static_cast<int>(blockIdx.x);
    const int thread = static_cast<int>(threadIdx.x);
    const int headStride = roundUp(heads.headDim, 8);
    const int position = positions[row];
    const bool padding = table[row] < 0;
    const int block = padding ? 0 : blockTables[table[row] + position / blockTokens];
    for (int h = warpOf(thread); h < heads.heads + 2 * heads.kvHeads; h += static_cast<int>(blockDim.x) / 32) {
        if (h < heads.heads) {
            const Head head = readHead(heads, row, position, h);
            fill(q + (static_cast<long long>(row) * heads.heads + h) * headStride, laneOf(thread), 32, headStride, [&](int i) {
                return F16Cache::store(padding ? 0.0f : turned(head, i));
            });
        } else if (!padding) {
            cacheHead<Cache>(heads, row, position, h - heads.heads, cache, block, blockTokens);
        }
    }
}

#define PLACE_PARAMETERS                                                                                      \
    const float *qkv, int qkvStride, const float *queryNorm, const float *keyNorm, const float *rotary,        \
        const int *positions, const int *table, const int *blockTables, half *q, void *cache, int heads,       \
        int kvHeads, int headDim, int blockTokens, float epsilon
#define PLACE_ARGUMENTS                                                                        \
    {qkv, qkvStride, queryNorm, keyNorm, rotary, epsilon, heads, kvHeads, headDim}, positions, table, \
        blockTables, q, cache, blockTokens

KERNEL(place_f16, PLACE_THREADS, PLACE_PARAMETERS) { place<F16Cache>(PLACE_ARGUMENTS); }
KERNEL(place_fp8, PLACE_THREADS, PLACE_PARAMETERS) { place<Fp8Cache>(PLACE_ARGUMENTS); }

// Copies block fromBlocks[i] of pool `from` to block toBlocks[i] of pool `to`, in layer blockIdx.y. Block sizes are
// multiples of 16 bytes. Source and target do not overlap.
KERNEL(copy_blocks, COPY_THREADS, const void* from, void* to, const int* fromBlocks, const int* toBlocks, int count,
                                  long long blockBytes, long long fromLayerBytes, long long toLayerBytes) {
    const int i = static_cast<int>(blockIdx.x);
    const long long layer = blockIdx.y;
    if (i >= count) {
        return;
    }
    const char* source = static_cast<const char*>(from) + layer * fromLayerBytes + fromBlocks[i] * blockBytes;
    char* target = static_cast<char*>(to) + layer * toLayerBytes + toBlocks[i] * blockBytes;
    for (long long at = 16ll * threadIdx.x; at < blockBytes; at += 16ll * blockDim.x) {
        *reinterpret_cast<uint4*>(target + at) = load16(source + at);
    }
}
