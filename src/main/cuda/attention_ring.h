// Keys and values of one sequence on their way through shared memory, in the cache's format.
#pragma once

#include "attention_tile.h"

// ATTEND_POSITIONS positions, as rows of 16-byte slots. The slot index is rotated by the row to avoid bank conflicts
// between lanes that read one slot of several rows: keys of adjacent rows, values of every other row.
template <int ROW_BYTES>
struct KeyStage {
    static constexpr int SLOTS = ROW_BYTES / 16;
    uint4 keys[ATTEND_POSITIONS][SLOTS];
    uint4 values[ATTEND_POSITIONS][SLOTS];

    DEVICE int keySlot(int row, int slot) { return SLOTS < 8 ? slot : slot ^ ((row & 1) << 2); }
    DEVICE int valueSlot(int row, int slot) { return SLOTS < 8 ? slot : slot ^ (((row >> 1) & 3) << 1); }
};

// The sizes of a ring of ATTEND_SHARED bytes.
template <typename Cache, int DIM>
struct Ring {
    static constexpr int ROW_BYTES = DIM * static_cast<int>(sizeof(typename Cache::Entry));
    typedef KeyStage<ROW_BYTES> Stage;
    static constexpr int STAGES = ATTEND_SHARED / static_cast<int>(sizeof(Stage));
    static_assert(STAGES >= 2 && ATTEND_QUERIES * DIM * sizeof(half) <= sizeof(Stage), "queries fit into a stage");
};

// keyRow of a position; -1 from `end` on.
DEVICE int keyRowBefore(const Pages& pages, int position, int end) {
    return position < end ? keyRow(pages, position) : -1;
}

// Starts copies of the positions whose rows these are, zeros where a row is -1.
template <int ROW_BYTES>
DEVICE void fetchKeys(KeyStage<ROW_BYTES>& stage, const void* cache, int blockTokens, const int (&rows)[ATTEND_POSITIONS]) {
    typedef KeyStage<ROW_BYTES> S;
    constexpr int ROW_STEP = ATTEND_THREADS / S::SLOTS;
    const int slot = static_cast<int>(threadIdx.x) % S::SLOTS;
    const unsigned char* entries = static_cast<const unsigned char*>(cache) + 16 * slot;
    UNROLL
    for (int i = 0; i < ATTEND_POSITIONS / ROW_STEP; i++) {
        const int at = static_cast<int>(threadIdx.x) / S::SLOTS + ROW_STEP * i;
        const bool valid = rows[at] >= 0;
        const long long key = valid ? rows[at] : 0;
        copyAsync16(&stage.keys[at][S::keySlot(at, slot)], entries + key * ROW_BYTES, valid);
        copyAsync16(&stage.values[at][S::valueSlot(at, slot)], entries + (key + blockTokens) * ROW_BYTES, valid);
    }
}

// The scales of a stage's positions: of the key times the factor of a score, then of the value. Zero without a position.
struct StageScales {
    float of[2][ATTEND_POSITIONS];
};
static_assert(ATTEND_THREADS == 2 * ATTEND_POSITIONS, "a thread has one scale of a stage");

// The thread's scale of the stage whose positions' rows these are.
template <typename Cache, int DIM>
DEVICE float readScale(const CacheLayer& cache, int blockTokens, const int (&rows)[ATTEND_POSITIONS]) {
    const int thread = static_cast<int>(threadIdx.x);
    const bool isKey = thread < ATTEND_POSITIONS;
    const long long row = rows[thread % ATTEND_POSITIONS];
    return row < 0 ? 0.0f
                   : scaleOf(cache.scales[row + (isKey ? 0 : blockTokens)]) * (isKey ? scoreScale<Cache, DIM>() : 1.0f);
}

DEVICE void storeScale(StageScales& scales, float scale) {
    const int thread = static_cast<int>(threadIdx.x);
    scales.of[thread / ATTEND_POSITIONS][thread % ATTEND_POSITIONS] = scale;
}

// This lane's scales of KEYS positions from `begin` on: of 8j + 2 · (lane % 4) and the next.
template <int KEYS>
DEVICE void loadScales(float2 (&to)[KEYS / 8], const float (&from)[ATTEND_POSITIONS], int begin) {
    UNROLL
    for (int j = 0; j < KEYS / 8; j++) {
        const int at = begin + 8 * j + 2 * (laneOf(static_cast<int>(threadIdx.x)) & 3);
        to[j] = *reinterpret_cast<const float2*>(&from[at]);
    }
}

// Computes a warp's 16 queries against KEYS positions of the stage from row `begin` on, which are the positions from
// `first`: those from starts[query half] up to ends[query half]. A key's scale multiplies its scores. A value's scale
// multiplies its weights, in terms of the largest scale so far, because weights are FP16.
template <typename Cache, int DIM, int KEYS, int ROW_BYTES>
DEVICE void addPositions(TileState<DIM>& state, const KeyStage<ROW_BYTES>& stage, const StageScales& scales, int begin,
                         int first, const int (&starts)[2], const int (&ends)[2]) {
    typedef Shape<Cache, DIM> S;
    const int group = laneOf(static_cast<int>(threadIdx.x)) >> 2;
    const int quarter = laneOf(static_cast<int>(threadIdx.x)) & 3;
    float scores[KEYS / 8][4];
    UNROLL
    for (int j = 0; j < KEYS / 8; j++) {
        uint4 keys[S::KEY_LOADS];
        const int row = begin + 8 * j + group;
        UNROLL
        for (int load = 0; load < S::KEY_LOADS; load++) {
            keys[load] = stage.keys[row][stage.keySlot(row, 4 * load + quarter)];
        }
        scoreKeys<Cache, DIM>(state, keys, scores[j]);
    }
    float2 factors[KEYS / 8];
    if constexpr (Cache::SCALED) {
        float2 units[KEYS / 8];
        loadScales<KEYS>(units, scales.of[1], begin);
        loadScales<KEYS>(factors, scales.of[0], begin);
        const float ratio = raiseUnit<DIM, KEYS>(state, units);
        weigh<Cache, DIM, KEYS>(state, scores, factors, first, starts, ends, ratio);
        const float inverse = inverseOf(state.unit);
        UNROLL
        for (int j = 0; j < KEYS / 8; j++) {
            UNROLL
            for (int e = 0; e < 4; e++) {
                scores[j][e] *= (e & 1) == 0 ? units[j].x * inverse : units[j].y * inverse;
            }
        }
    } else {
        UNROLL
        for (int j = 0; j < KEYS / 8; j++) {
            factors[j] = make_float2(scoreScale<Cache, DIM>(), scoreScale<Cache, DIM>());
        }
        weigh<Cache, DIM, KEYS>(state, scores, factors, first, starts, ends, 1.0f);
    }
    UNROLL
    for (int part = 0; part < KEYS / 16; part++) {
        uint4 values[4][S::VALUE_LOADS];
        UNROLL
        for (int j = 0; j < 4; j++) {
            const int row = begin + 16 * part + 2 * quarter + (j & 1) + 8 * (j >> 1);
            UNROLL
            for (int load = 0; load < S::VALUE_LOADS; load++) {
                if constexpr (S::VALUE_BYTES == 16) {
                    values[j][load] = stage.values[row][stage.valueSlot(row, 8 * load + group)];
                } else {
                    const unsigned char* slot =
                        reinterpret_cast<const unsigned char*>(&stage.values[row][stage.valueSlot(row, group >> 1)]);
                    const uint2 v = load8(slot + 8 * (group & 1));
                    values[j][load] = make_uint4(v.x, v.y, 0, 0);
                }
            }
        }
        addValues<Cache, DIM>(state, scores[2 * part], scores[2 * part + 1], values);
    }
}
