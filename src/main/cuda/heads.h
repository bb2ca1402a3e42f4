// Queries, keys and values between product and attention: norms of heads, rotary positions, the cache.
#pragma once

#include "formats.h"

// to[i] = value(i) for i = first, first + step, ... below end. Eight values are loaded before the first is written,
// because the compiler cannot know that writing one does not change the next.
template <typename T, typename F>
DEVICE void fill(T* to, int first, int step, int end, F value) {
    for (int i = first; i < end; i += 8 * step) {
        T batch[8];
        UNROLL
        for (int j = 0; j < 8; j++) {
            if (i + j * step < end) {
                batch[j] = value(i + j * step);
            }
        }
        UNROLL
        for (int j = 0; j < 8; j++) {
            if (i + j * step < end) {
                to[i + j * step] = batch[j];
            }
        }
    }
}

// One head with its norm and rotation, if it has them.
struct Head {
    const float* in;     // [headDim]
    const float* weight; // [headDim] or null
    const float* rotary; // [headDim / 2][2] cos, sin at the row's position, or null
    float scale;         // 1 / root mean square, or 1
    int headDim;
};

DEVICE float normed(const Head& head, int i) {
    return head.weight == nullptr ? head.in[i] : head.in[i] * head.scale * head.weight[i];
}

// Entry i of the head; zero after its width.
DEVICE float turned(const Head& head, int i) {
    const int middle = head.headDim / 2;
    if (i >= head.headDim) {
        return 0.0f;
    }
    if (head.rotary == nullptr || i >= 2 * middle) {
        return normed(head, i);
    }
    const bool first = i < middle;
    const float cosine = head.rotary[2 * (first ? i : i - middle)];
    const float sine = head.rotary[2 * (first ? i : i - middle) + 1];
    return first ? normed(head, i) * cosine - normed(head, i + middle) * sine
                 : normed(head, i) * cosine + normed(head, i - middle) * sine;
}

// A row of a step, as the step table describes it: its sequence, its place there, and the positions that it sees.
struct StepRow {
    int token;    // -1 for the one that the step before sampled for this row
    int position; // its place in the cache, and its rotation
    int table;    // start of its sequence's block table; -1 for padding
    int end;      // after the last position that it sees; 0 for padding
};

DEVICE StepRow readRow(const StepRow* rows, int row) {
    const uint4 words = load16(rows + row);
    return {static_cast<int>(words.x), static_cast<int>(words.y), static_cast<int>(words.z), static_cast<int>(words.w)};
}

// Rows [heads | kvHeads | kvHeads, headDim] of queries, keys and values.
struct Heads {
    const float* qkv;       // [rows][stride]
    const float* queryNorm; // [headDim] or null
    const float* keyNorm;   // [headDim] or null
    const float* rotary;    // [positions][headDim / 2][2] or null
    int stride;
    int heads;
    int kvHeads;
    int headDim;
    float epsilon;
};

// Head `number` of a row, counted over queries, keys and values. Called by a whole warp.
DEVICE Head readHead(const Heads& heads, int row, int position, int number) {
    const bool isQuery = number < heads.heads;
    const bool isKey = !isQuery && number < heads.heads + heads.kvHeads;
    const long long turn = static_cast<long long>(position) * (heads.headDim / 2) * 2;
    Head head = {heads.qkv + static_cast<long long>(row) * heads.stride + static_cast<long long>(number) * heads.headDim,
                 isQuery ? heads.queryNorm : isKey ? heads.keyNorm : nullptr,
                 heads.rotary != nullptr && (isQuery || isKey) ? heads.rotary + turn : nullptr, 1.0f, heads.headDim};
    if (head.weight != nullptr) {
        float squares = 0.0f;
        for (int i = laneOf(static_cast<int>(threadIdx.x)); i < heads.headDim; i += 32) {
            squares += head.in[i] * head.in[i];
        }
        head.scale = 1.0f / sqrtf(warpSum(squares) / static_cast<float>(heads.headDim) + heads.epsilon);
    }
    return head;
}

// One layer of the pool.
struct CacheLayer {
    void* entries;         // [blocks, kvHeads, 2, blockTokens, headStride]
    unsigned char* scales; // [blocks, kvHeads, 2, blockTokens] of formats with scales, else null
};

// Writes a row's key or value to the cache: `number` counts the keys, then the values. Called by a whole warp.
template <typename Cache>
DEVICE void cacheHead(const Heads& heads, int row, int position, int number, const CacheLayer& cache, int block,
                      int blockTokens) {
    const int headStride = roundUp(heads.headDim, 8);
    const int lane = laneOf(static_cast<int>(threadIdx.x));
    const Head head = readHead(heads, row, position, heads.heads + number);
    const long long at = cacheRow(block, heads.kvHeads, number % heads.kvHeads, number / heads.kvHeads, blockTokens,
                                  position % blockTokens);
    typename Cache::Entry* entries = static_cast<typename Cache::Entry*>(cache.entries) + at * headStride;
    if constexpr (Cache::SCALED) {
        float values[MOST_HEAD_DIM / 32];
        float largest = 0.0f;
        UNROLL
        for (int j = 0; j < MOST_HEAD_DIM / 32; j++) {
            values[j] = turned(head, lane + 32 * j);
            largest = fmaxf(largest, fabsf(values[j]));
        }
        const unsigned byte = scaleByte(warpMax(largest));
        const float inverse = inverseOf(scaleOf(byte));
        UNROLL
        for (int j = 0; j < MOST_HEAD_DIM / 32; j++) {
            if (lane + 32 * j < headStride) {
                entries[lane + 32 * j] = Cache::store(values[j] * inverse);
            }
        }
        if (lane == 0) {
            cache.scales[at] = static_cast<unsigned char>(byte);
        }
    } else {
        fill(entries, lane, 32, headStride, [&](int i) { return Cache::store(turned(head, i)); });
    }
}
