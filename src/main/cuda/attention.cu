// Attention of decoding rows and of chunks of prompts. One kernel for each cache format, for heads of 64, of 128 and of
// any other number of dimensions.
//
// A block takes up to 64 queries of its item at a time: rows times heads of the group, packed into tiles of 16. Four
// tiles have a warp each; with fewer, several warps share a tile, and each takes other positions.
#include "attention_plain.h"
#include "attention_ring.h"

// How the block's warps share `count` queries: this warp's tile of queries, and which positions of each stage it adds.
struct Share {
    int tiles;  // 1, 2 or 4 warps with queries of their own
    int tile;   // of this warp
    int strand; // of this warp, among the 4 / tiles with the same queries
    int span;   // positions of a stage for each strand

    DEVICE Share of(int count) {
        const int tiles = count <= 16 ? 1 : count <= 32 ? 2 : 4;
        const int warp = warpOf(static_cast<int>(threadIdx.x));
        return {tiles, warp % tiles, warp / tiles, ATTEND_POSITIONS / (ATTEND_THREADS / 32) * tiles};
    }
};

// The states of a block's warps, after the ring.
template <int DIM>
struct WarpSums {
    float values[ATTEND_THREADS / 32][16][DIM + 4];
    float most[ATTEND_THREADS / 32][16];
    float sum[ATTEND_THREADS / 32][16];
};

template <typename Cache, int DIM>
DEVICE void storeState(WarpSums<DIM>& sums, const TileState<DIM>& state) {
    const int lane = laneOf(static_cast<int>(threadIdx.x));
    const int warp = warpOf(static_cast<int>(threadIdx.x));
    UNROLL
    for (int side = 0; side < 2; side++) {
        const int query = (lane >> 2) + 8 * side;
        sums.most[warp][query] = state.most[side];
        sums.sum[warp][query] = state.sum[side];
        UNROLL
        for (int tile = 0; tile < DIM / 8; tile++) {
            UNROLL
            for (int e = 0; e < 2; e++) {
                const float value = state.values[tile][2 * side + e];
                sums.values[warp][query][dimensionOf<Cache, DIM>(tile, e)] = Cache::SCALED ? value * state.unit : value;
            }
        }
    }
}

// Adds the strands of each query in order and writes `count` queries from `first` on.
template <typename Cache, int DIM>
DEVICE void writeQueries(const Attention& a, const AttentionItem& item, int kvHead, int first, int count,
                         const WarpSums<DIM>& sums) {
    const int tiles = Share::of(count).tiles;
    for (int at = static_cast<int>(threadIdx.x); at < count * (DIM / 4); at += ATTEND_THREADS) {
        const int query = at / (DIM / 4);
        const int i = at % (DIM / 4) * 4;
        float most = MINUS_INFINITY;
        for (int warp = query / 16; warp < ATTEND_THREADS / 32; warp += tiles) {
            most = fmaxf(most, sums.most[warp][query % 16]);
        }
        float sum = 0.0f;
        float values[4] = {};
        for (int warp = query / 16; warp < ATTEND_THREADS / 32; warp += tiles) {
            const float ofWarp = sums.most[warp][query % 16];
            const float kept = ofWarp == MINUS_INFINITY ? 0.0f : exp2f(ofWarp - most);
            sum += kept * sums.sum[warp][query % 16];
            UNROLL
            for (int e = 0; e < 4; e++) {
                values[e] += kept * sums.values[warp][query % 16][i + e];
            }
        }
        if (item.ranges == 1) {
            const float scale = sum > 0.0f ? Operands<Cache>::SCALE / sum : 0.0f;
            *reinterpret_cast<uint2*>(outOf(a, item, kvHead, first + query) + i) =
                make_uint2(packBf16x2(values[0] * scale, values[1] * scale), packBf16x2(values[2] * scale, values[3] * scale));
        } else {
            constexpr float SCALE = Operands<Cache>::SCALE;
            float* partial = partialOf(a, item, kvHead, item.range, first + query);
            *reinterpret_cast<float4*>(partial + i) =
                make_float4(values[0] * SCALE, values[1] * SCALE, values[2] * SCALE, values[3] * SCALE);
            if (i == 0) {
                *reinterpret_cast<float2*>(partial + DIM) = make_float2(most, sum);
            }
        }
    }
}

// A warp's queries, placed or turned; `turned` has the block's.
template <typename Cache, int DIM>
DEVICE void startQueries(TileState<DIM>& state, const Attention& a, const AttentionItem& item, const Share& share,
                         int kvHead, int first, int count, const half* turned) {
    const int query = 16 * share.tile + (laneOf(static_cast<int>(threadIdx.x)) >> 2);
    const half* of[2];
    UNROLL
    for (int side = 0; side < 2; side++) {
        const int at = query + 8 * side;
        of[side] = a.placed == 0 ? turned + at * DIM : a.q + headIndex(a, kvHead, item.firstRow, first + at) * DIM;
        of[side] = at < count ? of[side] : nullptr;
    }
    startTile<Cache, DIM>(state, of[0], of[1]);
}

// Computes `count` queries of the item from `first` on.
template <typename Cache, int DIM>
DEVICE void attendQueries(const Attention& a, const AttentionItem& item, const Pages& pages, int first, int count,
                          unsigned char* memory) {
    typedef Ring<Cache, DIM> R;
    static_assert(sizeof(WarpSums<DIM>) <= ATTEND_SHARED, "the sums take the ring's place");
    SHARED int rows[R::STAGES][ATTEND_POSITIONS]; // of stages to be fetched, looked up one iteration ahead
    SHARED StageScales scales[Cache::SCALED ? R::STAGES : 1];
    typename R::Stage* ring = reinterpret_cast<typename R::Stage*>(memory);
    const int thread = static_cast<int>(threadIdx.x);
    const Share share = Share::of(count);
    const int stages = (item.end - item.from + ATTEND_POSITIONS - 1) / ATTEND_POSITIONS;
    for (int at = thread; at < R::STAGES * ATTEND_POSITIONS; at += ATTEND_THREADS) {
        rows[at / ATTEND_POSITIONS][at % ATTEND_POSITIONS] = keyRowBefore(pages, item.from + at, item.end);
    }
    barrier();
    // The last stage has the row's own position, if that is not cached yet. The others need not wait for it.
    const bool own = first == 0 && cachesOwn(a, item);
    int fetched = 0;
    for (; fetched < R::STAGES - 1 && fetched < stages - (own ? 1 : 0); fetched++) {
        fetchKeys(ring[fetched], a.cache.entries, a.blockTokens, rows[fetched]);
        copyAsyncCommit();
    }
    half* turned = reinterpret_cast<half*>(&ring[R::STAGES - 1]); // free until the first iteration
    if (a.placed == 0) {
        turnRow<Cache>(a, item, pages, first, count, own, turned);
        barrier();
    }
    for (; fetched < R::STAGES - 1; fetched++) {
        if (fetched < stages) {
            fetchKeys(ring[fetched], a.cache.entries, a.blockTokens, rows[fetched]);
        }
        copyAsyncCommit();
    }
    if constexpr (Cache::SCALED) {
        float early[R::STAGES - 1]; // loaded together to overlap their latency
        UNROLL
        for (int i = 0; i < R::STAGES - 1; i++) {
            early[i] = readScale<Cache, DIM>(a.cache, a.blockTokens, rows[i]);
        }
        UNROLL
        for (int i = 0; i < R::STAGES - 1; i++) {
            storeScale(scales[i], early[i]);
        }
    }
    TileState<DIM> state;
    startQueries<Cache, DIM>(state, a, item, share, pages.kvHead, first, count, turned);
    const int query = 16 * share.tile + (laneOf(thread) >> 2);
    const int ends[2] = {query < count ? endOf(a, item, first + query) : 0,
                         query + 8 < count ? endOf(a, item, first + query + 8) : 0};
    // A range may end before a query's window, which then sees nothing of it.
    const int starts[2] = {query < count ? least(firstOf(a, item, first + query), ends[0]) : 0,
                           query + 8 < count ? least(firstOf(a, item, first + query + 8), ends[1]) : 0};
    int warpEnd = ends[0] > ends[1] ? ends[0] : ends[1];
    for (int mask = 4; mask < 32; mask <<= 1) {
        const int other = shuffleXor(warpEnd, mask);
        warpEnd = warpEnd > other ? warpEnd : other;
    }
    for (int stage = 0; stage < stages; stage++) {
        copyAsyncWait<R::STAGES - 2>();
        // After this all copies of this stage are visible, and all reads of the stage before have ended.
        barrier();
        const int next = stage + R::STAGES - 1;
        if (next < stages) {
            fetchKeys(ring[next % R::STAGES], a.cache.entries, a.blockTokens, rows[next % R::STAGES]);
        }
        copyAsyncCommit();
        float nextScale = 0.0f;
        if constexpr (Cache::SCALED) {
            nextScale = next < stages ? readScale<Cache, DIM>(a.cache, a.blockTokens, rows[next % R::STAGES]) : 0.0f;
        }
        const int later = item.from + (stage + R::STAGES) * ATTEND_POSITIONS + thread;
        const int laterRow = thread < ATTEND_POSITIONS ? keyRowBefore(pages, later, item.end) : -1;
        const int begin = share.strand * share.span;
        const int position = item.from + stage * ATTEND_POSITIONS + begin;
        const typename R::Stage& current = ring[stage % R::STAGES];
        const StageScales& currentScales = scales[Cache::SCALED ? stage % R::STAGES : 0];
        if (share.tiles == 1) {
            if (position < warpEnd) {
                addPositions<Cache, DIM, 16>(state, current, currentScales, begin, position, starts, ends);
            }
        } else {
            for (int at = 0; at < share.span && position + at < warpEnd; at += 32) {
                addPositions<Cache, DIM, 32>(state, current, currentScales, begin + at, position + at, starts, ends);
            }
        }
        if (thread < ATTEND_POSITIONS) {
            rows[stage % R::STAGES][thread] = laterRow;
        }
        if constexpr (Cache::SCALED) {
            storeScale(scales[next % R::STAGES], nextScale); // read last in the iteration before
        }
    }
    finishSums(state);
    barrier();
    WarpSums<DIM>& sums = *reinterpret_cast<WarpSums<DIM>*>(memory);
    storeState<Cache, DIM>(sums, state);
    barrier();
    writeQueries<Cache, DIM>(a, item, pages.kvHead, first, count, sums);
}

template <typename Cache, int DIM>
DEVICE void attendTensor(const Attention& a) {
    DYNAMIC_SHARED(unsigned char, memory);
    followPredecessor();
    const AttentionItem item = readItem(a);
    if (item.rows == 0) {
        return;
    }
    const Pages pages = pagesOf(a, item);
    const int queries = item.rows * groupOf(a);
    for (int first = 0; first < queries; first += ATTEND_QUERIES) {
        if (first > 0) {
            barrier();
        }
        attendQueries<Cache, DIM>(a, item, pages, first, least(ATTEND_QUERIES, queries - first), memory);
    }
    finishItem(a, item, pages.kvHead);
}

// Grid (items · kvHeads): the blocks of an item follow each other.
KERNEL(attend_f16_64, ATTEND_THREADS, const Attention a) { attendTensor<F16Cache, 64>(a); }
KERNEL(attend_f16_128, ATTEND_THREADS, const Attention a) { attendTensor<F16Cache, 128>(a); }
KERNEL(attend_f16_any, ATTEND_THREADS, const Attention a) { attendPlain<F16Cache>(a); }
KERNEL(attend_fp8_64, ATTEND_THREADS, const Attention a) { attendTensor<Fp8Cache, 64>(a); }
KERNEL(attend_fp8_128, ATTEND_THREADS, const Attention a) { attendTensor<Fp8Cache, 128>(a); }
KERNEL(attend_fp8_any, ATTEND_THREADS, const Attention a) { attendPlain<Fp8Cache>(a); }
