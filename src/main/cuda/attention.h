// Attention of a step: what its kernels take, and how results are written and merged.
//
// A thread block computes one item of the step's list for one KV head: some rows of a sequence with all query heads of
// the group, against a range of the sequence's positions. Query q of an item is head q % group of row q / group.
#pragma once

#include "heads.h"
#include "tiles.h"

#define MINUS_INFINITY (-__uint_as_float(0x7f800000u))
#define LOG2_E 1.4426950408889634f

struct AttentionItem {
    int firstRow;
    int rows;    // 0: no work
    int table;   // start of the sequence's block table
    int from;    // first position; with a window, the first that any of the rows sees, or a later one
    int end;     // after the last position
    int range;   // number of this range of positions
    int ranges;  // of the item's rows
    int partial; // first row of range 0 in the partial results; each range has `rows`
};

struct Attention {
    Heads heads;                // queries, keys and values of the rows
    const half* q;              // [rows][heads][headStride] of placed rows
    CacheLayer cache;
    const AttentionItem* items; // [grid / kvHeads]
    const StepRow* rows;
    const int* blockTables;
    float* partial;     // [..][heads][partialStride]: see writePartial
    unsigned* arrivals; // [rows][kvHeads], zero before and after: finished ranges, at the item's first row
    bf16* out;          // [rows][outStride]; columns after the heads are not written
    int blockTokens;
    int outStride;
    int window; // last positions that a row sees, its own among them; 0 for all
    int placed; // 1 if `place` ran for the step; 0 if items have one row each, which caches its own key and value
};

DEVICE AttentionItem readItem(const Attention& a) {
    const AttentionItem* item = a.items + static_cast<int>(blockIdx.x) / a.heads.kvHeads;
    const uint4 first = load16(item);
    const uint4 second = load16(&item->end);
    return {static_cast<int>(first.x),  static_cast<int>(first.y),  static_cast<int>(first.z),
            static_cast<int>(first.w),  static_cast<int>(second.x), static_cast<int>(second.y),
            static_cast<int>(second.z), static_cast<int>(second.w)};
}

// The pages of one sequence for one KV head.
struct Pages {
    const int* table; // blocks of the sequence, in order
    int kvHeads;
    int kvHead;
    int blockTokens;
    int headStride;
};

DEVICE Pages pagesOf(const Attention& a, const AttentionItem& item) {
    return {a.blockTables + item.table, a.heads.kvHeads, static_cast<int>(blockIdx.x) % a.heads.kvHeads, a.blockTokens,
            roundUp(a.heads.headDim, 8)};
}

// Index of the key's row in the layer; the value's is blockTokens higher. Rows have headStride entries.
DEVICE int keyRow(const Pages& pages, int position) {
    const int block = pages.table[position / pages.blockTokens];
    return (block * pages.kvHeads + pages.kvHead) * 2 * pages.blockTokens + position % pages.blockTokens;
}

DEVICE int groupOf(const Attention& a) { return a.heads.heads / a.heads.kvHeads; }

// Where the item's query `query` stands among [rows][heads], counted from row `firstRow`.
DEVICE long long headIndex(const Attention& a, int kvHead, int firstRow, int query) {
    const int group = groupOf(a);
    return static_cast<long long>(firstRow + query / group) * a.heads.heads + kvHead * group + query % group;
}

// After the last position of the item that a query sees.
DEVICE int endOf(const Attention& a, const AttentionItem& item, int query) {
    return least(item.end, a.rows[item.firstRow + query / groupOf(a)].end);
}

// The first position that a query sees.
DEVICE int firstOf(const Attention& a, const AttentionItem& item, int query) {
    const int first = a.rows[item.firstRow + query / groupOf(a)].position + 1 - a.window;
    return a.window == 0 || first < 0 ? 0 : first;
}

// Whether the item's row is not in the cache yet and this range ends with it. No other item reads that position.
DEVICE bool cachesOwn(const Attention& a, const AttentionItem& item) {
    return a.placed == 0 && item.end == a.rows[item.firstRow].position + 1;
}

// One of `count` query heads from `first` on to queries[count][headStride] in FP16; then, if own, the row's key and
// value to the cache. The warps take one each in turn.
template <typename Cache>
DEVICE void turnRow(const Attention& a, const AttentionItem& item, const Pages& pages, int first, int count, bool own,
                    half* queries) {
    const int position = a.rows[item.firstRow].position;
    const int lane = laneOf(static_cast<int>(threadIdx.x));
    for (int i = warpOf(static_cast<int>(threadIdx.x)); i < count + (own ? 2 : 0); i += ATTEND_THREADS / 32) {
        if (i < count) {
            const Head head = readHead(a.heads, item.firstRow, position, pages.kvHead * groupOf(a) + first + i);
            fill(queries + i * pages.headStride, lane, 32, pages.headStride,
                 [&](int at) { return F16Cache::store(turned(head, at)); });
        } else {
            cacheHead<Cache>(a.heads, item.firstRow, position, (i - count) * a.heads.kvHeads + pages.kvHead, a.cache,
                             pages.table[position / a.blockTokens], a.blockTokens);
        }
    }
}

// A head's partial result: the sum of weighted values [headDim], after a multiple of 4 the largest score and the sum of
// weights relative to it, and padding.
DEVICE int partialStride(int headDim) { return roundUp(headDim, 4) + 4; }

DEVICE float* partialOf(const Attention& a, const AttentionItem& item, int kvHead, int range, int query) {
    return a.partial + headIndex(a, kvHead, item.partial + range * item.rows, query) * partialStride(a.heads.headDim);
}

DEVICE bf16* outOf(const Attention& a, const AttentionItem& item, int kvHead, int query) {
    const int group = groupOf(a);
    return a.out + static_cast<long long>(item.firstRow + query / group) * a.outStride
        + (kvHead * group + query % group) * a.heads.headDim;
}

// Ranges in order: Σ 2^(most_r − most) · values_r over Σ 2^(most_r − most) · sum_r.
DEVICE void mergeRanges(const Attention& a, const AttentionItem& item, int kvHead) {
    constexpr int TOGETHER = 4; // ranges whose loads overlap
    const int headDim = a.heads.headDim;
    const int sums = roundUp(headDim, 4);
    const int pieces = sums / 4;
    const long long step = static_cast<long long>(item.rows) * a.heads.heads * partialStride(headDim);
    for (int at = static_cast<int>(threadIdx.x); at < item.rows * groupOf(a) * pieces; at += ATTEND_THREADS) {
        const int i = at % pieces * 4;
        const float* of = partialOf(a, item, kvHead, 0, at / pieces);
        float most = MINUS_INFINITY;
        float sum = 0.0f;
        float value[4] = {};
        for (int first = 0; first < item.ranges; first += TOGETHER) {
            float4 values[TOGETHER];
            float4 ends[TOGETHER];
            UNROLL
            for (int r = 0; r < TOGETHER; r++) {
                const float* range = of + least(first + r, item.ranges - 1) * step;
                values[r] = loadFresh16(reinterpret_cast<const float4*>(range + i));
                ends[r] = loadFresh16(reinterpret_cast<const float4*>(range + sums));
                ends[r].x = first + r < item.ranges ? ends[r].x : MINUS_INFINITY;
            }
            const float before = most;
            UNROLL
            for (int r = 0; r < TOGETHER; r++) {
                most = fmaxf(most, ends[r].x);
            }
            const float kept = before == MINUS_INFINITY ? 0.0f : exp2f(before - most);
            sum *= kept;
            UNROLL
            for (int e = 0; e < 4; e++) {
                value[e] *= kept;
            }
            UNROLL
            for (int r = 0; r < TOGETHER; r++) {
                const float share = ends[r].x == MINUS_INFINITY ? 0.0f : exp2f(ends[r].x - most);
                sum += share * ends[r].y;
                value[0] += share * values[r].x;
                value[1] += share * values[r].y;
                value[2] += share * values[r].z;
                value[3] += share * values[r].w;
            }
        }
        bf16* out = outOf(a, item, kvHead, at / pieces);
        UNROLL
        for (int e = 0; e < 4; e++) {
            if (i + e < headDim) {
                out[i + e] = toBf16(sum > 0.0f ? value[e] / sum : 0.0f);
            }
        }
    }
}

// After the item's results are written: the last range of its rows merges all.
DEVICE void finishItem(const Attention& a, const AttentionItem& item, int kvHead) {
    if (item.ranges > 1
        && arrivedLast(a.arrivals + item.firstRow * a.heads.kvHeads + kvHead, static_cast<unsigned>(item.ranges))) {
        mergeRanges(a, item, kvHead);
    }
}
