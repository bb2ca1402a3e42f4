// Elementwise kernels: embedding, norms, orders of inputs, rotary positions and KV entries, block copies.
#include "folded_norm.h"
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

// The table of a step in pinned host memory, and its copy on the device. Blocks of the first launch copy it: kernels that
// read it in every layer read it over the bus once.
struct StepStaging {
    const uint4* from; // on the host; the first word is the number of pieces in use
    uint4* to;
    int fixedPieces; // pieces of 16 bytes that every step uses
    int blocks;      // of the launch, the first ones; each other block embeds a row
};

DEVICE void stage(const StepStaging& staging) {
    const int first = static_cast<int>(blockIdx.x) * EMBED_THREADS + static_cast<int>(threadIdx.x);
    const int step = staging.blocks * EMBED_THREADS;
    const auto piece = [&](int i) { return loadGlobal16(staging.from + i); };
    const int pieces = static_cast<int>(piece(0).x); // on its way while the fixed pieces are loaded
    fill(staging.to, first, step, staging.fixedPieces, piece);
    fill(staging.to, staging.fixedPieces + first, step, pieces, piece);
}

struct Embedding {
    const uint4* values; // in fragment order; see formats.h
    const void* scales;
    const StepRow* rows;        // on the host: each is read once
    const int* sampledBefore;   // [rows] of the step before in the stream, or null
    const float* positionTable; // [positions][hidden] or null
    float* residual;            // [rows][hidden]
    int chunks;
    int hidden;
    NormOut norm; // of the row; its squares are one part
    StepStaging staging;
};

// residual[row, hidden] = the embedding of the row's token, plus its row of positionTable if there is one. Grid: the blocks
// that stage the table, then a block for each row.
template <typename Format>
DEVICE void embed(const Embedding& e) {
    followPredecessor();
    const int row = static_cast<int>(blockIdx.x) - e.staging.blocks;
    if (row < 0) {
        stage(e.staging);
        return;
    }
    SHARED StepRow own;
    if (threadIdx.x == 0) {
        own = readRow(e.rows, row);
        if (own.token < 0) {
            own.token = e.sampledBefore[row];
        }
    }
    barrier();
    const long long token = own.token;
    const float* shift =
        e.positionTable == nullptr ? nullptr : e.positionTable + static_cast<long long>(own.position) * e.hidden;
    fill(e.residual + static_cast<long long>(row) * e.hidden, static_cast<int>(threadIdx.x),
         static_cast<int>(blockDim.x), e.hidden, [&](int i) {
             return weightAt<Format>(e.values, e.scales, e.chunks, token, i) + (shift == nullptr ? 0.0f : shift[i]);
         });
    if (e.norm.weight == nullptr) {
        return;
    }
    SHARED float partial[32];
    float squares = 0.0f;
    for (int i = static_cast<int>(threadIdx.x); i < e.hidden; i += static_cast<int>(blockDim.x)) {
        const float value = e.residual[static_cast<long long>(row) * e.hidden + i]; // this thread wrote it
        writeNormed(e.norm, i, row, true, value);
        squares += value * value;
    }
    squares = blockSum(squares, partial);
    if (threadIdx.x == 0) {
        e.norm.squares[row] = squares;
    }
}

KERNEL(embed_bf16, EMBED_THREADS, const Embedding embedding) { embed<Bf16Weights>(embedding); }
KERNEL(embed_fp8, EMBED_THREADS, const Embedding embedding) { embed<Fp8Weights>(embedding); }
KERNEL(embed_int4, EMBED_THREADS, const Embedding embedding) { embed<Int4Weights<128>>(embedding); }
KERNEL(embed_int4_g64, EMBED_THREADS, const Embedding embedding) { embed<Int4Weights<64>>(embedding); }
KERNEL(embed_int4_g32, EMBED_THREADS, const Embedding embedding) { embed<Int4Weights<32>>(embedding); }

struct Norm {
    const float* x;      // [..][xStride]
    const int* pick;     // [rows] or null for every row
    const float* weight; // [width]
    const float* bias;   // [width] or null
    bf16* out;           // [rows][outStride]
    int xStride;
    int outStride;
    int width;
    float epsilon;
};

// RMSNorm without bias, LayerNorm with: out[row] = norm(x[pick[row]]) · weight (+ bias), zeros from width to outStride.
// A row whose pick is -1 becomes zeros.
KERNEL(norm, NORM_THREADS, const Norm n) {
    startSuccessor();
    const float* weight = n.weight;
    const float* bias = n.bias;
    const int outStride = n.outStride;
    const int width = n.width;
    SHARED float partial[32];
    const int row = static_cast<int>(blockIdx.x);
    const int thread = static_cast<int>(threadIdx.x);
    const int threads = static_cast<int>(blockDim.x);
    // A thread's first values and weights stay in registers, so that their loads overlap.
    constexpr int KEPT = 8;
    float kept[KEPT];
    float weights[KEPT];
    UNROLL
    for (int j = 0; j < KEPT; j++) {
        weights[j] = thread + threads * j < width ? weight[thread + threads * j] : 0.0f;
    }
    awaitPredecessor();
    const int from = n.pick == nullptr ? row : n.pick[row];
    const float* in = n.x + static_cast<long long>(from) * n.xStride;
    bf16* to = n.out + static_cast<long long>(row) * outStride;
    if (from < 0) {
        for (int i = thread; i < outStride; i += threads) {
            to[i] = toBf16(0.0f);
        }
        return;
    }
    UNROLL
    for (int j = 0; j < KEPT; j++) {
        kept[j] = thread + threads * j < width ? in[thread + threads * j] : 0.0f;
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
    const float scale = 1.0f / sqrtf(blockSum(squares, partial) / static_cast<float>(width) + n.epsilon);
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

struct Reordering {
    const bf16* x;    // [rows][stride]
    const int* order; // [width]
    bf16* out;        // [rows][stride]
    int stride;
    int width;
};

// out[row][i] = x[row][order[i]], zeros from width to stride. Grid: rows, then blocks of a row.
KERNEL(reorder, REORDER_THREADS, const Reordering r) {
    startSuccessor();
    const bf16* x = r.x;
    bf16* out = r.out;
    const int stride = r.stride;
    const int i = static_cast<int>(blockIdx.y) * REORDER_THREADS + static_cast<int>(threadIdx.x);
    const int from = i < r.width ? r.order[i] : -1;
    awaitPredecessor();
    if (i < stride) {
        const long long row = static_cast<long long>(blockIdx.x) * stride;
        out[row + i] = from < 0 ? toBf16(0.0f) : x[row + from];
    }
}

struct Placement {
    Heads heads;            // queries, keys and values of the rows
    const StepRow* rows;
    const int* blockTables;
    half* q;                // [rows][heads][headStride]
    CacheLayer cache;
    int blockTokens;
};

// Splits a row of qkv [heads | kvHeads | kvHeads, headDim]: queries to q [rows, heads, headStride] in FP16, keys and
// values to their place in the cache, all padded with zeros after headDim. A padding row's queries are zero; it caches
// nothing.
template <typename Cache>
DEVICE void place(const Placement& p) {
    followPredecessor();
    const Heads& heads = p.heads;
    const int row = static_cast<int>(blockIdx.x);
    const int thread = static_cast<int>(threadIdx.x);
    const int headStride = roundUp(heads.headDim, 8);
    const int position = p.rows[row].position;
    const int table = p.rows[row].table;
    const bool padding = table < 0;
    const int block = padding ? 0 : p.blockTables[table + position / p.blockTokens];
    for (int h = warpOf(thread); h < heads.heads + 2 * heads.kvHeads; h += static_cast<int>(blockDim.x) / 32) {
        if (h < heads.heads) {
            const Head head = readHead(heads, row, position, h);
            half* q = p.q + (static_cast<long long>(row) * heads.heads + h) * headStride;
            fill(q, laneOf(thread), 32, headStride, [&](int i) {
                return F16Cache::store(padding ? 0.0f : turned(head, i));
            });
        } else if (!padding) {
            cacheHead<Cache>(heads, row, position, h - heads.heads, p.cache, block, p.blockTokens);
        }
    }
}

KERNEL(place_f16, PLACE_THREADS, const Placement placement) { place<F16Cache>(placement); }
KERNEL(place_fp8, PLACE_THREADS, const Placement placement) { place<Fp8Cache>(placement); }

struct BlockCopy {
    const void* from;
    void* to;
    const int* fromBlocks; // [count]
    const int* toBlocks;   // [count]
    long long blockBytes;
    long long fromLayerBytes;
    long long toLayerBytes;
    int count;
};

// Copies block fromBlocks[i] of pool `from` to block toBlocks[i] of pool `to`, in layer blockIdx.y. Blocks whose size is a
// multiple of 16 bytes begin at such an address. Source and target do not overlap.
KERNEL(copy_blocks, COPY_THREADS, const BlockCopy copy) {
    const int i = static_cast<int>(blockIdx.x);
    const long long layer = blockIdx.y;
    if (i >= copy.count) {
        return;
    }
    const char* source =
        static_cast<const char*>(copy.from) + layer * copy.fromLayerBytes + copy.fromBlocks[i] * copy.blockBytes;
    char* target = static_cast<char*>(copy.to) + layer * copy.toLayerBytes + copy.toBlocks[i] * copy.blockBytes;
    if (copy.blockBytes % 16 != 0) { // scales of small blocks
        for (long long at = threadIdx.x; at < copy.blockBytes; at += blockDim.x) {
            target[at] = source[at];
        }
        return;
    }
    for (long long at = 16ll * threadIdx.x; at < copy.blockBytes; at += 16ll * blockDim.x) {
        *reinterpret_cast<uint4*>(target + at) = load16(source + at);
    }
}
