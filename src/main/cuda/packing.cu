// Rows of weights as engines hold them, repacked in fragment order; see formats.h.
#include "formats.h"

struct Packing {
    const unsigned char* rows; // [16 · tiles][64 · chunks] bytes
    uint4* values;             // [tiles][chunks][2][32]
    int chunks;
};

// A lane's words of a row's chunk, from the 16 bytes that each of its row's four lanes has loaded.
template <typename Format>
DEVICE uint4 dealt(const uint4& loaded) {
    constexpr int EACH = Format::INPUTS / 4; // inputs of a word
    const int lane = laneOf(static_cast<int>(threadIdx.x));
    unsigned words[4];
    UNROLL
    for (int i = 0; i < 4; i++) {
        const int from = (i * EACH / 8 * 32 + 8 * (lane & 3) + i * EACH % 8) / EACH; // of the chunk's 16 words
        unsigned of[4];
        UNROLL
        for (int w = 0; w < 4; w++) {
            of[w] = shuffle(wordOf(loaded, w), (lane & ~3) + from / 4);
        }
        words[i] = of[from % 4];
    }
    return make_uint4(words[0], words[1], words[2], words[3]);
}

// Grid (chunks, tiles).
template <typename Format>
DEVICE void pack(const Packing& p) {
    const int lane = static_cast<int>(threadIdx.x);
    const int chunk = static_cast<int>(blockIdx.x) * (PACK_THREADS / 32) + warpOf(lane);
    if (chunk >= p.chunks) { // of a whole warp
        return;
    }
    const long long stride = 64ll * p.chunks;
    const long long tile = blockIdx.y;
    const unsigned char* from =
        p.rows + (tile * TILE_ROWS + (laneOf(lane) >> 2)) * stride + 64ll * chunk + 16 * (lane & 3);
    const uint4 low = dealt<Format>(load16(from));
    const uint4 high = dealt<Format>(load16(from + 8 * stride));
    uint4* to = p.values + (tile * p.chunks + chunk) * 64 + laneOf(lane);
    to[0] = make_uint4(Format::ordered(low.x), Format::ordered(high.x), Format::ordered(low.y), Format::ordered(high.y));
    to[32] = make_uint4(Format::ordered(low.z), Format::ordered(high.z), Format::ordered(low.w), Format::ordered(high.w));
}

KERNEL(pack_bf16, PACK_THREADS, const Packing packing) { pack<Bf16Weights>(packing); }
KERNEL(pack_fp8, PACK_THREADS, const Packing packing) { pack<Fp8Weights>(packing); }
KERNEL(pack_int4, PACK_THREADS, const Packing packing) { pack<Int4Weights<128>>(packing); } // groups have no part in it
