// Attention of decoding rows, one token of a sequence each. A block computes one row, one KV head with all its query
// heads, and one split of the row's positions, so keys and values are read once. Queries are rotated on use. The block
// whose split ends with the row's own position first writes its key and value to the cache.
#include "attention.h"
#include "heads.h"

struct Decode {
    Heads heads;          // queries, keys and values of the rows
    void* cache;          // one layer
    const int* rows;      // [n]
    const int* positions; // [rows]
    const int* table;     // [rows]
    const int* blockTables;
    float* partial; // [n][splits][heads][headDim + 2]: sum of weighted values, largest score, sum of weights
    unsigned* arrivals; // [n][kvHeads], zero before and after: finished splits
    bf16* out;          // [rows][outStride]
    int outStride;
    int blockTokens;
    int width;
    int splits;
};

// Queries of the row's heads from firstHead on, to queries[count][headStride] in FP16; warps first, first + step, ...
// take one each.
DEVICE void turnQueries(const Decode& d, int row, int firstHead, int count, int first, int step, half* queries) {
    const int headStride = roundUp(d.heads.headDim, 8);
    for (int i = first; i < count; i += step) {
        const Head head = readHead(d.heads, row, d.positions[row], firstHead + i);
        fill(queries + i * headStride, laneOf(static_cast<int>(threadIdx.x)), 32, headStride,
             [&](int at) { return F16Cache::store(turned(head, at)); });
    }
}

// Addresses of dimension i of a head's result, and of its sums.
DEVICE void writeHead(const Decode& d, int row, int head, int i, float value, float most, float sum) {
    if (d.splits == 1) {
        d.out[static_cast<long long>(row) * d.outStride + head * d.heads.headDim + i] = toBf16(sum > 0.0f ? value / sum : 0.0f);
        return;
    }
    const long long split = static_cast<long long>(blockIdx.x) * d.splits + blockIdx.z;
    float* to = d.partial + (split * d.heads.heads + head) * (d.heads.headDim + 2);
    to[i] = value;
    if (i == 0) {
        to[d.heads.headDim] = most;
        to[d.heads.headDim + 1] = sum;
    }
}

// One warp per head of the group. `memory` holds a query for each warp.
template <typename Cache>
DEVICE void decodePlain(const Decode& d, int row, const Pages& pages, int from, int end, void* memory) {
    const int group = d.heads.heads / d.heads.kvHeads;
    const int lane = laneOf(static_cast<int>(threadIdx.x));
    half* query = static_cast<half*>(memory) + warpOf(static_cast<int>(threadIdx.x)) * MOST_HEAD_DIM;
    barrier(); // now the row's own key and value are in the cache
    for (int i = warpOf(static_cast<int>(threadIdx.x)); i < group; i += ATTEND_THREADS / 32) {
        const int head = pages.kvHead * group + i;
        turnQueries(d, row, head, 1, 0, 1, query);
        warpBarrier();
        const PlainState state = attendPlain<Cache>(query, d.cache, pages, d.heads.headDim, from, end);
        UNROLL
        for (int j = 0; j < 8; j++) {
            if (lane + 32 * j < d.heads.headDim) {
                writeHead(d, row, head, lane + 32 * j, state.values[j], state.most, state.sum);
            }
        }
        warpBarrier(); // all lanes have read the query
    }
}

// The combined sums of a block's warps in shared memory.
template <int DIM>
struct WarpSums {
    float values[ATTEND_THREADS / 32][16][DIM];
    float most[ATTEND_THREADS / 32][16];
    float sum[ATTEND_THREADS / 32][16];
    uint4 queries[16][DIM / 8]; // FP16
};

// Loads the 16 positions from `first` into the lanes that multiply them; `row` is keyRow(first + lane % 16).
template <typename Cache, int DIM>
DEVICE void addPositions(TileState<DIM>& state, const void* cache, const Pages& pages, int row, int first, int end) {
    typedef Shape<Cache, DIM> S;
    constexpr int ROW_BYTES = DIM * static_cast<int>(sizeof(typename Cache::Entry));
    const int lane = laneOf(static_cast<int>(threadIdx.x));
    const int group = lane >> 2;
    const int quarter = lane & 3;
    const uint4 zeros = make_uint4(0, 0, 0, 0);
    const unsigned char* entries = static_cast<const unsigned char*>(cache);
    uint4 keys[2][S::KEY_LOADS];
    UNROLL
    for (int j = 0; j < 2; j++) {
        const unsigned char* key = entries + static_cast<long long>(shuffle(row, 8 * j + group)) * ROW_BYTES + 16 * quarter;
        UNROLL
        for (int load = 0; load < S::KEY_LOADS; load++) {
            keys[j][load] = loadGlobal16(key + 64 * load);
        }
    }
    uint4 values[4][S::VALUE_LOADS];
    UNROLL
    for (int j = 0; j < 4; j++) {
        const int position = 2 * quarter + (j & 1) + 8 * (j >> 1);
        const long long valueRow = shuffle(row, position) + pages.blockTokens;
        const unsigned char* value = entries + valueRow * ROW_BYTES + S::VALUE_BYTES * group;
        UNROLL
        for (int load = 0; load < S::VALUE_LOADS; load++) {
            // Memory after the end was never written and may be NaN, and zero times NaN is NaN.
            if (first + position >= end) {
                values[j][load] = zeros;
            } else if constexpr (S::VALUE_BYTES == 16) {
                values[j][load] = loadGlobal16(value + 128 * load);
            } else {
                const uint2 v = load8(value);
                values[j][load] = make_uint4(v.x, v.y, 0, 0);
            }
        }
    }
    float scores[2][4];
    scoreKeys<Cache, DIM>(state, keys[0], scores[0]);
    scoreKeys<Cache, DIM>(state, keys[1], scores[1]);
    const int ends[2] = {end, end};
    weigh<Cache, DIM, 16>(state, scores, first, ends);
    addValues<Cache, DIM>(state, scores[0], scores[1], values);
}

// Up to 16 heads of the group at a time. The warps take 16 positions each in turn and combine their sums at the end.
template <typename Cache, int DIM>
DEVICE void decodeTensor(const Decode& d, int row, const Pages& pages, int from, int end, void* memory) {
    constexpr int WARPS = ATTEND_THREADS / 32;
    WarpSums<DIM>& warps = *static_cast<WarpSums<DIM>*>(memory);
    const int group = d.heads.heads / d.heads.kvHeads;
    const int thread = static_cast<int>(threadIdx.x);
    const int lane = laneOf(thread);
    const int warp = warpOf(thread);
    for (int firstHead = 0; firstHead < group; firstHead += 16) {
        const int count = least(16, group - firstHead);
        half* queries = reinterpret_cast<half*>(&warps.queries);
        turnQueries(d, row, pages.kvHead * group + firstHead, count, warp, WARPS, queries);
        barrier(); // now the queries are loaded, and the row's own key and value are in the cache
        const half* low = lane >> 2 < count ? queries + (lane >> 2) * DIM : nullptr;
        const half* high = (lane >> 2) + 8 < count ? queries + ((lane >> 2) + 8) * DIM : nullptr;
        TileState<DIM> state;
        startTile<Cache, DIM>(state, low, high);
        int first = from + 16 * warp;
        int keys = first < end ? keyRow(pages, least(first + (lane & 15), end - 1)) : 0;
        while (first < end) {
            const int next = first + 16 * WARPS;
            const int nextKeys = next < end ? keyRow(pages, least(next + (lane & 15), end - 1)) : 0;
            addPositions<Cache, DIM>(state, d.cache, pages, keys, first, end);
            first = next;
            keys = nextKeys;
        }
        finishSums(state);
        UNROLL
        for (int side = 0; side < 2; side++) {
            const int query = (lane >> 2) + 8 * side;
            if (query < count) {
                warps.most[warp][query] = state.most[side];
                warps.sum[warp][query] = state.sum[side];
                UNROLL
                for (int tile = 0; tile < DIM / 8; tile++) {
                    warps.values[warp][query][dimensionOf<Cache, DIM>(tile, 0)] = state.values[tile][2 * side];
                    warps.values[warp][query][dimensionOf<Cache, DIM>(tile, 1)] = state.values[tile][2 * side + 1];
                }
            }
        }
        barrier();
        for (int at = thread; at < count * DIM; at += ATTEND_THREADS) {
            const int query = at / DIM;
            float most = MINUS_INFINITY;
            UNROLL
            for (int w = 0; w < WARPS; w++) {
                most = fmaxf(most, warps.most[w][query]);
            }
            float sum = 0.0f;
            float value = 0.0f;
            UNROLL
            for (int w = 0; w < WARPS; w++) {
                const float kept = warps.most[w][query] == MINUS_INFINITY ? 0.0f : exp2f(warps.most[w][query] - most);
                sum += kept * warps.sum[w][query];
                value += kept * warps.values[w][query][at % DIM];
            }
            writeHead(d, row, pages.kvHead * group + firstHead + query, at % DIM, value * Operands<Cache>::SCALE, most, sum);
        }
        barrier();
    }
}

// Combines the splits of the block's heads in order: Σ 2^(most_s − most) · values_s over Σ 2^(most_s − most) · sum_s.
DEVICE void combineSplits(const Decode& d, int row) {
    const int width = d.heads.heads / d.heads.kvHeads * d.heads.headDim;
    const long long entry = d.heads.headDim + 2;
    const int firstHead = static_cast<int>(blockIdx.y) * (d.heads.heads / d.heads.kvHeads);
    const float* ofRow = d.partial + (static_cast<long long>(blockIdx.x) * d.splits * d.heads.heads + firstHead) * entry;
    bf16* out = d.out + static_cast<long long>(row) * d.outStride + firstHead * d.heads.headDim;
    for (int i = static_cast<int>(threadIdx.x); i < width; i += ATTEND_THREADS) {
        float most = MINUS_INFINITY;
        float sum = 0.0f;
        float value = 0.0f;
        const float* of = ofRow + i / d.heads.headDim * entry;
        for (int first = 0; first < d.splits; first += 8) {
            float mosts[8]; // loaded together to overlap their latency
            float sums[8];
            float values[8];
            UNROLL
            for (int s = 0; s < 8; s++) {
                const bool valid = first + s < d.splits;
                const float* part = of + (valid ? first + s : 0) * d.heads.heads * entry;
                mosts[s] = valid ? loadFresh(part + d.heads.headDim) : MINUS_INFINITY;
                sums[s] = loadFresh(part + d.heads.headDim + 1);
                values[s] = loadFresh(part + i % d.heads.headDim);
            }
            const float before = most;
            UNROLL
            for (int s = 0; s < 8; s++) {
                most = fmaxf(most, mosts[s]);
            }
            const float kept = before == MINUS_INFINITY ? 0.0f : exp2f(before - most);
            sum *= kept;
            value *= kept;
            UNROLL
            for (int s = 0; s < 8; s++) {
                const float share = mosts[s] == MINUS_INFINITY ? 0.0f : exp2f(mosts[s] - most);
                sum += share * sums[s];
                value += share * values[s];
            }
        }
        out[i] = toBf16(sum > 0.0f ? value / sum : 0.0f);
    }
}

template <typename Cache>
DEVICE void decode(const Decode& d) {
    static_assert(sizeof(half) * MOST_HEAD_DIM * ATTEND_THREADS / 32 <= sizeof(WarpSums<128>), "a query for each warp");
    SHARED WarpSums<128> sums;
    const int row = d.rows[blockIdx.x];
    if (row < 0) {
        return;
    }
    const int thread = static_cast<int>(threadIdx.x);
    const bool padding = d.table[row] < 0;
    const int length = padding ? 0 : d.positions[row] + 1;
    const int share = roundUp((length + d.splits - 1) / d.splits, LEAST_SPLIT_POSITIONS);
    const int from = least(length, static_cast<int>(blockIdx.z) * share);
    const int end = least(length, from + share);
    const Pages pages = {d.blockTables + (padding ? 0 : d.table[row]), d.heads.kvHeads, static_cast<int>(blockIdx.y),
                         d.blockTokens, roundUp(d.heads.headDim, 8)};
    // Only this block reads this split from the cache, so it writes before it reads.
    if (from < end && end == length && warpOf(thread) < 2) {
        cacheHead<Cache>(d.heads, row, length - 1, warpOf(thread) * d.heads.kvHeads + pages.kvHead, d.cache,
                         pages.table[(length - 1) / d.blockTokens], d.blockTokens);
    }
    if (d.heads.headDim == 128) {
        decodeTensor<Cache, 128>(d, row, pages, from, end, &sums);
    } else if (d.heads.headDim == 64) {
        decodeTensor<Cache, 64>(d, row, pages, from, end, &sums);
    } else {
        decodePlain<Cache>(d, row, pages, from, end, &sums);
    }
    if (blockIdx.y == 0 && blockIdx.z == 0) {
        for (int i = d.width + thread; i < d.outStride; i += ATTEND_THREADS) {
            d.out[static_cast<long long>(row) * d.outStride + i] = toBf16(0.0f);
        }
    }
    if (d.splits > 1 && arrivedLast(d.arrivals + blockIdx.x * d.heads.kvHeads + blockIdx.y, static_cast<unsigned>(d.splits))) {
        combineSplits(d, row);
    }
}

// Grid (n, kvHeads, splits). rows[i] is a row, or -1 for no work; a padding row's result is zero. The last split to
// finish combines all splits of a row and KV head.
KERNEL(attend_decode_f16, ATTEND_THREADS, const Decode d) { decode<F16Cache>(d); }
KERNEL(attend_decode_fp8, ATTEND_THREADS, const Decode d) { decode<Fp8Cache>(d); }
