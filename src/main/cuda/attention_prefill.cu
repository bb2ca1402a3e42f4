// Attention of consecutive rows of a sequence; each sees the positions up to its own. A block computes a tile of up to
// PREFILL_QUERIES rows and one head, a warp 16 of the rows. Keys and values pass through shared memory in two stages,
// in the cache's format.
#include "attention.h"

struct Prefill {
    const half* q;     // [rows][heads][headStride]
    const void* cache; // one layer
    const int* tiles;  // pairs: first row, rows
    const int* positions;
    const int* table;
    const int* blockTables;
    bf16* out; // [rows][outStride]
    int outStride;
    int heads;
    int kvHeads;
    int headDim;
    int blockTokens;
    int width;
};

#define PREFILL_KEYS 32

// Rows of 16-byte slots. The slot index is rotated by the row to avoid bank conflicts between lanes that read one slot
// of several rows: keys of adjacent rows, values of every other row.
template <int ROW_BYTES>
struct KeyStage {
    static constexpr int SLOTS = ROW_BYTES / 16;
    uint4 keys[PREFILL_KEYS][SLOTS];
    uint4 values[PREFILL_KEYS][SLOTS];

    DEVICE int keySlot(int row, int slot) { return SLOTS < 8 ? slot : slot ^ ((row & 1) << 2); }
    DEVICE int valueSlot(int row, int slot) { return SLOTS < 8 ? slot : slot ^ (((row >> 1) & 3) << 1); }
};

// Starts copies of the positions from `first`, zeros from `end` on.
template <int ROW_BYTES>
DEVICE void fetchKeys(KeyStage<ROW_BYTES>& stage, const void* cache, const Pages& pages, int first, int end) {
    typedef KeyStage<ROW_BYTES> S;
    constexpr int ROW_STEP = PREFILL_THREADS / S::SLOTS;
    const int slot = static_cast<int>(threadIdx.x) % S::SLOTS;
    const unsigned char* entries = static_cast<const unsigned char*>(cache);
    UNROLL
    for (int i = 0; i < PREFILL_KEYS / ROW_STEP; i++) {
        const int row = static_cast<int>(threadIdx.x) / S::SLOTS + ROW_STEP * i;
        const bool valid = first + row < end;
        const long long key = keyRow(pages, valid ? first + row : first);
        copyAsync16(&stage.keys[row][S::keySlot(row, slot)], entries + key * ROW_BYTES + 16 * slot, valid);
        copyAsync16(&stage.values[row][S::valueSlot(row, slot)],
                    entries + (key + pages.blockTokens) * ROW_BYTES + 16 * slot, valid);
    }
}

// Computes a warp's 16 queries against the stage's positions from `first` up to ends[query half].
template <typename Cache, int DIM, int ROW_BYTES>
DEVICE void addStage(TileState<DIM>& state, const KeyStage<ROW_BYTES>& stage, int first, const int (&ends)[2]) {
    typedef Shape<Cache, DIM> S;
    const int group = laneOf(static_cast<int>(threadIdx.x)) >> 2;
    const int quarter = laneOf(static_cast<int>(threadIdx.x)) & 3;
    float scores[PREFILL_KEYS / 8][4];
    UNROLL
    for (int j = 0; j < PREFILL_KEYS / 8; j++) {
        uint4 keys[S::KEY_LOADS];
        const int row = 8 * j + group;
        UNROLL
        for (int load = 0; load < S::KEY_LOADS; load++) {
            keys[load] = stage.keys[row][stage.keySlot(row, 4 * load + quarter)];
        }
        scoreKeys<Cache, DIM>(state, keys, scores[j]);
    }
    weigh<Cache, DIM, PREFILL_KEYS>(state, scores, first, ends);
    UNROLL
    for (int half = 0; half < PREFILL_KEYS / 16; half++) {
        uint4 values[4][S::VALUE_LOADS];
        UNROLL
        for (int j = 0; j < 4; j++) {
            const int row = 16 * half + 2 * quarter + (j & 1) + 8 * (j >> 1);
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
        addValues<Cache, DIM>(state, scores[2 * half], scores[2 * half + 1], values);
    }
}

// Writes the lane's query `side` to its row, eight adjacent dimensions at a time.
template <typename Cache, int DIM>
DEVICE void writeQuery(const TileState<DIM>& state, int side, bf16* row) {
    const float scale = state.sum[side] > 0.0f ? Operands<Cache>::SCALE / state.sum[side] : 0.0f;
    UNROLL
    for (int tile = 0; tile < DIM / 8; tile += 8) {
        UNROLL
        for (int e = 0; e < 2; e++) {
            unsigned words[4];
            UNROLL
            for (int i = 0; i < 4; i++) {
                words[i] = packBf16x2(state.values[tile + 2 * i][2 * side + e] * scale,
                                      state.values[tile + 2 * i + 1][2 * side + e] * scale);
            }
            *reinterpret_cast<uint4*>(row + dimensionOf<Cache, DIM>(tile, e)) =
                make_uint4(words[0], words[1], words[2], words[3]);
        }
    }
}

template <typename Cache, int DIM>
DEVICE void prefillTensor(const Prefill& p, int firstRow, int rows, const Pages& pages, void* memory) {
    constexpr int ROW_BYTES = DIM * static_cast<int>(sizeof(typename Cache::Entry));
    KeyStage<ROW_BYTES>* stages = static_cast<KeyStage<ROW_BYTES>*>(memory);
    const int head = static_cast<int>(blockIdx.y);
    const int firstPosition = p.positions[firstRow];
    const int warpQuery = 16 * warpOf(static_cast<int>(threadIdx.x));
    const int query = warpQuery + (laneOf(static_cast<int>(threadIdx.x)) >> 2);
    const half* low = p.q + (static_cast<long long>(firstRow + query) * p.heads + head) * DIM;
    TileState<DIM> state;
    startTile<Cache, DIM>(state, query < rows ? low : nullptr,
                          query + 8 < rows ? low + 8ll * p.heads * DIM : nullptr);
    const int ends[2] = {query < rows ? firstPosition + query + 1 : 0, query + 8 < rows ? firstPosition + query + 9 : 0};
    const int warpEnd = warpQuery < rows ? firstPosition + least(warpQuery + 16, rows) : 0;
    const int end = firstPosition + rows;
    fetchKeys(stages[0], p.cache, pages, 0, end);
    copyAsyncCommit();
    for (int first = 0, current = 0; first < end; first += PREFILL_KEYS, current ^= 1) {
        copyAsyncWait<0>();
        // After this all copies of this stage are visible, and all reads of the other have ended.
        barrier();
        if (first + PREFILL_KEYS < end) {
            fetchKeys(stages[current ^ 1], p.cache, pages, first + PREFILL_KEYS, end);
        }
        copyAsyncCommit();
        if (first < warpEnd) {
            addStage<Cache, DIM>(state, stages[current], first, ends);
        }
    }
    finishSums(state);
    UNROLL
    for (int side = 0; side < 2; side++) {
        if (query + 8 * side < rows) {
            writeQuery<Cache, DIM>(state, side,
                                   p.out + static_cast<long long>(firstRow + query + 8 * side) * p.outStride + head * DIM);
        }
    }
}

// One warp per query of the tile.
template <typename Cache>
DEVICE void prefillPlain(const Prefill& p, int firstRow, int rows, const Pages& pages) {
    const int head = static_cast<int>(blockIdx.y);
    const int lane = laneOf(static_cast<int>(threadIdx.x));
    for (int i = warpOf(static_cast<int>(threadIdx.x)); i < rows; i += PREFILL_THREADS / 32) {
        const long long row = firstRow + i;
        const PlainState state = attendPlain<Cache>(p.q + (row * p.heads + head) * pages.headStride, p.cache, pages,
                                                    p.headDim, 0, p.positions[row] + 1);
        UNROLL
        for (int j = 0; j < 8; j++) {
            if (lane + 32 * j < p.headDim) {
                p.out[row * p.outStride + head * p.headDim + lane + 32 * j] = toBf16(state.values[j] / state.sum);
            }
        }
    }
}

// Zeros in columns from..end-1 of the tile's rows.
DEVICE void clearColumns(const Prefill& p, int firstRow, int rows, int from, int end) {
    for (int i = 0; i < rows; i++) {
        for (int column = from + static_cast<int>(threadIdx.x); column < end; column += PREFILL_THREADS) {
            p.out[static_cast<long long>(firstRow + i) * p.outStride + column] = toBf16(0.0f);
        }
    }
}

template <typename Cache>
DEVICE void prefill(const Prefill& p) {
    SHARED KeyStage<128 * sizeof(typename Cache::Entry)> stages[2];
    const int firstRow = p.tiles[2 * blockIdx.x];
    const int rows = p.tiles[2 * blockIdx.x + 1];
    const int head = static_cast<int>(blockIdx.y);
    if (rows <= 0) {
        return;
    }
    if (head == 0) {
        clearColumns(p, firstRow, rows, p.width, p.outStride);
    }
    if (p.table[firstRow] < 0) {
        clearColumns(p, firstRow, rows, head * p.headDim, (head + 1) * p.headDim);
        return;
    }
    const Pages pages = {p.blockTables + p.table[firstRow], p.kvHeads, head / (p.heads / p.kvHeads), p.blockTokens,
                         roundUp(p.headDim, 8)};
    if (p.headDim == 128) {
        prefillTensor<Cache, 128>(p, firstRow, rows, pages, stages);
    } else if (p.headDim == 64) {
        prefillTensor<Cache, 64>(p, firstRow, rows, pages, stages);
    } else {
        prefillPlain<Cache>(p, firstRow, rows, pages);
    }
}

// Grid (tiles, heads). The rows of a tile are consecutive positions of one sequence, or padding.
KERNEL(attend_prefill_f16, PREFILL_THREADS, const Prefill p) { prefill<F16Cache>(p); }
KERNEL(attend_prefill_fp8, PREFILL_THREADS, const Prefill p) { prefill<Fp8Cache>(p); }
