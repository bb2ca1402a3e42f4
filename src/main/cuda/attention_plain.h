// Attention for heads of any dimension: a warp computes one query at a time.
#pragma once

#include "attention.h"

// One query against some positions. Lane l holds dimensions l, l + 32, ...; all lanes hold the same `most`, the largest
// score in powers of two, and `sum`, the sum of the weights relative to it.
struct PlainState {
    float most;
    float sum;
    float values[MOST_HEAD_DIM / 32];
};

template <typename Cache>
DEVICE PlainState attendPlain(const half* query, const CacheLayer& cache, const Pages& pages, int headDim, int from,
                              int end) {
    const typename Cache::Entry* entries = static_cast<const typename Cache::Entry*>(cache.entries);
    const int lane = laneOf(static_cast<int>(threadIdx.x));
    const float scale = LOG2_E / sqrtf(static_cast<float>(headDim));
    PlainState state = {MINUS_INFINITY, 0.0f, {}};
    for (int first = from; first < end; first += 32) {
        const bool valid = first + lane < end;
        const int row = keyRow(pages, valid ? first + lane : first);
        const typename Cache::Entry* key = entries + static_cast<long long>(row) * pages.headStride;
        float score = 0.0f;
        for (int i = 0; i < headDim; i++) {
            score += toFloat(query[i]) * Cache::load(key[i]);
        }
        float valueScale = 1.0f;
        if constexpr (Cache::SCALED) {
            score *= scaleOf(cache.scales[row]);
            valueScale = scaleOf(cache.scales[static_cast<long long>(row) + pages.blockTokens]);
        }
        score = valid ? score * scale : MINUS_INFINITY;
        const float most = fmaxf(state.most, warpMax(score));
        const float kept = exp2f(state.most - most);
        const float weight = exp2f(score - most);
        state.most = most;
        state.sum = state.sum * kept + warpSum(weight);
        UNROLL
        for (int j = 0; j < 8; j++) {
            state.values[j] *= kept;
        }
        for (int i = 0; i < least(32, end - first); i++) {
            const float share = shuffle(weight * valueScale, i);
            const int valueRow = shuffle(row, i) + pages.blockTokens;
            const typename Cache::Entry* value = entries + static_cast<long long>(valueRow) * pages.headStride;
            UNROLL
            for (int j = 0; j < 8; j++) {
                if (lane + 32 * j < headDim) {
                    state.values[j] += share * Cache::load(value[lane + 32 * j]);
                }
            }
        }
    }
    return state;
}

DEVICE void writePlain(const Attention& a, const AttentionItem& item, int kvHead, int query, const PlainState& state) {
    const int lane = laneOf(static_cast<int>(threadIdx.x));
    const int sums = roundUp(a.heads.headDim, 4);
    bf16* out = outOf(a, item, kvHead, query);
    float* partial = partialOf(a, item, kvHead, item.range, query);
    UNROLL
    for (int j = 0; j < 8; j++) {
        const int i = lane + 32 * j;
        if (i < a.heads.headDim && item.ranges == 1) {
            out[i] = toBf16(state.sum > 0.0f ? state.values[j] / state.sum : 0.0f);
        } else if (i < a.heads.headDim) {
            partial[i] = state.values[j];
        }
    }
    if (item.ranges > 1 && lane == 0) {
        partial[sums] = state.most;
        partial[sums + 1] = state.sum;
    }
}

template <typename Cache>
DEVICE void attendPlain(const Attention& a) {
    SHARED half turnedQueries[ATTEND_THREADS / 32][MOST_HEAD_DIM];
    followPredecessor();
    const AttentionItem item = readItem(a);
    if (item.rows == 0) {
        return;
    }
    const Pages pages = pagesOf(a, item);
    const int warp = warpOf(static_cast<int>(threadIdx.x));
    if (cachesOwn(a, item)) {
        turnRow<Cache>(a, item, pages, 0, 0, true, nullptr);
    }
    barrier(); // now the row's own key and value are in the cache
    for (int query = warp; query < item.rows * groupOf(a); query += ATTEND_THREADS / 32) {
        const half* of = a.q + headIndex(a, pages.kvHead, item.firstRow, query) * pages.headStride;
        if (a.placed == 0) {
            const Head head =
                readHead(a.heads, item.firstRow, a.rows[item.firstRow].position, pages.kvHead * groupOf(a) + query);
            fill(turnedQueries[warp], laneOf(static_cast<int>(threadIdx.x)), 32, pages.headStride,
                 [&](int at) { return F16Cache::store(turned(head, at)); });
            of = turnedQueries[warp];
        }
        warpBarrier();
        writePlain(a, item, pages.kvHead, query,
                   attendPlain<Cache>(of, a.cache, pages, a.heads.headDim, greatest(item.from, firstOf(a, item, query)),
                                      endOf(a, item, query)));
        warpBarrier(); // all lanes have read the query
    }
    finishItem(a, item, pages.kvHead);
}
