// Attention of one warp by tensor cores: 16 queries of 64 or 128 dimensions. The softmax is online: a state holds the
// largest score so far (in powers of two: score · log2 e), the sum of the weights relative to it, and the weighted sum
// of the values.
#pragma once

#include "attention.h"

// Conversion of a cache's entries to operands. A lane's 16 bytes of a key row are KEY_ENTRIES dimensions; any
// order of dimensions in a row works if the queries have the same. SCALE is the factor by which operands are too small.
template <typename Cache> struct Operands;

template <> struct Operands<F16Cache> {
    static constexpr int KEY_ENTRIES = 8;
    static constexpr float SCALE = 1.0f;

    DEVICE unsigned key(const uint4& w, int pair) { return wordOf(w, pair); }

    // Entry e of two positions' values, the first position low.
    DEVICE unsigned value(const uint4& first, const uint4& second, int e) {
        return __byte_perm(wordOf(first, e >> 1), wordOf(second, e >> 1), (e & 1) == 0 ? 0x5410 : 0x7632);
    }
};

template <> struct Operands<Fp8Cache> {
    static constexpr int KEY_ENTRIES = 16;
    static constexpr float SCALE = E4M3_HALF_SCALE;

    DEVICE unsigned key(const uint4& w, int pair) {
        return e4m3PairToHalf2(wordOf(w, pair >> 1), 0, 2 * (pair & 1), 2 * (pair & 1) + 1);
    }

    DEVICE unsigned value(const uint4& first, const uint4& second, int e) {
        return e4m3PairToHalf2(wordOf(first, e >> 2), wordOf(second, e >> 2), e & 3, 4 + (e & 3));
    }
};

// Shapes of the tensor-core path: DIM dimensions, entries of a cache format.
template <typename Cache, int DIM>
struct Shape {
    static constexpr int KEY_LOADS = DIM / (4 * Operands<Cache>::KEY_ENTRIES); // 16-byte loads of a key row by a lane
    // A lane's dimensions of a value row: VALUE_LOADS times VALUE_ENTRIES adjacent ones.
    static constexpr int VALUE_ENTRIES = sizeof(typename Cache::Entry) == 2 ? 8 : DIM / 8;
    static constexpr int VALUE_LOADS = DIM / (8 * VALUE_ENTRIES);
    static constexpr int VALUE_BYTES = VALUE_ENTRIES * static_cast<int>(sizeof(typename Cache::Entry));
};

// 16 queries of one warp: lane 4g + t holds queries g and g + 8; of results, dimensions as dimensionOf says.
template <int DIM>
struct TileState {
    unsigned queries[DIM / 16][4];
    float values[DIM / 8][4]; // [..][0, 1] query g, [2, 3] query g + 8
    float most[2];
    float sum[2]; // this lane's share
    float unit;   // of the values, if the cache has scales: the largest scale of a value so far
};

// The dimension of values[tile][e].
template <typename Cache, int DIM>
DEVICE int dimensionOf(int tile, int e) {
    constexpr int ENTRIES = Shape<Cache, DIM>::VALUE_ENTRIES;
    const int quarter = laneOf(static_cast<int>(threadIdx.x)) & 3;
    return tile / ENTRIES * 8 * ENTRIES + (2 * quarter + (e & 1)) * ENTRIES + tile % ENTRIES;
}

// Starts with queries at `low` and `high` (rows of DIM, or null for zeros), in the order of the cache's keys.
template <typename Cache, int DIM>
DEVICE void startTile(TileState<DIM>& state, const half* low, const half* high) {
    constexpr int PIECES = Operands<Cache>::KEY_ENTRIES / 8;
    const int quarter = laneOf(static_cast<int>(threadIdx.x)) & 3;
    const uint4 zeros = make_uint4(0, 0, 0, 0);
    UNROLL
    for (int piece = 0; piece < DIM / 32; piece++) {
        const int at = (piece / PIECES * 4 + quarter) * 8 * PIECES + piece % PIECES * 8;
        const uint4 a = low == nullptr ? zeros : load16(low + at);
        const uint4 b = high == nullptr ? zeros : load16(high + at);
        unsigned(&first)[4] = state.queries[2 * piece];
        unsigned(&second)[4] = state.queries[2 * piece + 1];
        first[0] = a.x, first[1] = b.x, first[2] = a.y, first[3] = b.y;
        second[0] = a.z, second[1] = b.z, second[2] = a.w, second[3] = b.w;
    }
    UNROLL
    for (int i = 0; i < DIM / 8; i++) {
        UNROLL
        for (int e = 0; e < 4; e++) {
            state.values[i][e] = 0.0f;
        }
    }
    state.most[0] = state.most[1] = MINUS_INFINITY;
    state.sum[0] = state.sum[1] = 0.0f;
    state.unit = 0.0f;
}

// scores[4] = the 16 queries against 8 keys; this lane holds its 16-byte loads of key lane / 4.
template <typename Cache, int DIM>
DEVICE void scoreKeys(const TileState<DIM>& state, const uint4 (&keys)[Shape<Cache, DIM>::KEY_LOADS], float (&scores)[4]) {
    constexpr int STEPS = Operands<Cache>::KEY_ENTRIES / 4;
    scores[0] = scores[1] = scores[2] = scores[3] = 0.0f;
    UNROLL
    for (int load = 0; load < Shape<Cache, DIM>::KEY_LOADS; load++) {
        UNROLL
        for (int step = 0; step < STEPS; step++) {
            const unsigned b[2] = {Operands<Cache>::key(keys[load], 2 * step),
                                   Operands<Cache>::key(keys[load], 2 * step + 1)};
            mmaF16(scores, state.queries[load * STEPS + step], b);
        }
    }
}

// The factor of a score, but for the scale of its key.
template <typename Cache, int DIM>
DEVICE float scoreScale() {
    return Operands<Cache>::SCALE * LOG2_E / sqrtf(static_cast<float>(DIM));
}

// Raises the state's unit to that of these positions' values. Returns the old unit in terms of the new one.
template <int DIM, int KEYS>
DEVICE float raiseUnit(TileState<DIM>& state, const float2 (&scales)[KEYS / 8]) {
    float most = state.unit;
    UNROLL
    for (int j = 0; j < KEYS / 8; j++) {
        most = fmaxf(most, fmaxf(scales[j].x, scales[j].y));
    }
    most = fmaxf(most, shuffleXor(most, 1));
    most = fmaxf(most, shuffleXor(most, 2));
    const float ratio = state.unit * inverseOf(most);
    state.unit = most;
    return ratio;
}

// Turns scores[KEYS / 8][4] of the positions from `first`, times their factors of this lane's positions, into weights, sets
// those before starts[query half] and from ends[query half] on to zero, and rescales the state: its values by `ratio` as
// well.
template <typename Cache, int DIM, int KEYS>
DEVICE void weigh(TileState<DIM>& state, float (&scores)[KEYS / 8][4], const float2 (&factors)[KEYS / 8], int first,
                  const int (&starts)[2], const int (&ends)[2], float ratio) {
    const int quarter = laneOf(static_cast<int>(threadIdx.x)) & 3;
    float kept[2];
    UNROLL
    for (int side = 0; side < 2; side++) {
        float most = state.most[side];
        // As unsigned numbers, positions before the first one are large.
        const unsigned from = static_cast<unsigned>(first + 2 * quarter - starts[side]);
        const unsigned seen = static_cast<unsigned>(ends[side] - starts[side]);
        UNROLL
        for (int j = 0; j < KEYS / 8; j++) {
            UNROLL
            for (int e = 0; e < 2; e++) {
                float& score = scores[j][2 * side + e];
                const float factor = e == 0 ? factors[j].x : factors[j].y;
                score = from + static_cast<unsigned>(8 * j + e) < seen ? score * factor : MINUS_INFINITY;
                most = fmaxf(most, score);
            }
        }
        most = fmaxf(most, shuffleXor(most, 1));
        most = fmaxf(most, shuffleXor(most, 2));
        // The first time there is nothing to rescale, and infinity minus infinity is NaN.
        const float base = most == MINUS_INFINITY ? 0.0f : most;
        kept[side] = exp2f(state.most[side] - base);
        float sum = state.sum[side] * kept[side];
        UNROLL
        for (int j = 0; j < KEYS / 8; j++) {
            UNROLL
            for (int e = 0; e < 2; e++) {
                float& score = scores[j][2 * side + e];
                score = exp2f(score - base);
                sum += score;
            }
        }
        state.most[side] = most;
        state.sum[side] = sum;
        kept[side] *= ratio;
    }
    // The largest score of a long sequence seldom changes, and a factor of 1 changes nothing.
    if (anyLane(kept[0] != 1.0f || kept[1] != 1.0f)) {
        UNROLL
        for (int i = 0; i < DIM / 8; i++) {
            UNROLL
            for (int e = 0; e < 4; e++) {
                state.values[i][e] *= kept[e >> 1];
            }
        }
    }
}

// Adds 16 positions' values times their weights. values[4] are this lane's loads of positions 2t, 2t + 1, 2t + 8 and 2t
// + 9, dimensions from (lane / 4) · VALUE_ENTRIES of each load.
template <typename Cache, int DIM>
DEVICE void addValues(TileState<DIM>& state, const float (&low)[4], const float (&high)[4],
                      const uint4 (&values)[4][Shape<Cache, DIM>::VALUE_LOADS]) {
    const unsigned a[4] = {packHalf2(low[0], low[1]), packHalf2(low[2], low[3]), packHalf2(high[0], high[1]),
                           packHalf2(high[2], high[3])};
    UNROLL
    for (int load = 0; load < Shape<Cache, DIM>::VALUE_LOADS; load++) {
        UNROLL
        for (int e = 0; e < Shape<Cache, DIM>::VALUE_ENTRIES; e++) {
            const unsigned b[2] = {Operands<Cache>::value(values[0][load], values[1][load], e),
                                   Operands<Cache>::value(values[2][load], values[3][load], e)};
            mmaF16(state.values[load * Shape<Cache, DIM>::VALUE_ENTRIES + e], a, b);
        }
    }
}

// The sums of a state over the four lanes of a query.
template <int DIM>
DEVICE void finishSums(TileState<DIM>& state) {
    UNROLL
    for (int side = 0; side < 2; side++) {
        state.sum[side] += shuffleXor(state.sum[side], 1);
        state.sum[side] += shuffleXor(state.sum[side], 2);
    }
}
