// Rows of weights as engines hold them, repacked in fragment order; see formats.h.
#include "formats.h"

struct Packing {
    const unsigned char* rows; // [16 · tiles][64 · chunks] bytes
    uint4* values;             // [tiles][chunks][2][32]
    int chunks;
};

// Grid (chunks, tiles).
template <typename Format>
DEVICE void pack(const Packing& p) {
    const int lane = static_cast<int>(threadIdx.x);
    const int chunk = static_cast<int>(blockIdx.x) * (PACK_THREADS / 32) + warpOf(lane);
    if (chunk >= p.chunks) {
        return;
    }
    const long long stride = 64ll * p.chunks;
    const long long tile = blockIdx.y;
    const unsigned char* from =
        p.rows + (tile * TILE_ROWS + (laneOf(lane) >> 2)) * stride + 64ll * chunk + 16 * (lane & 3);
    const uint4 low = load16(from);
    const uint4 high = load16(from + 8 * stride);
    uint4* to = p.values + (tile * p.chunks + chunk) * 64 + laneOf(lane);
    to[0] = make_uint4(Format::ordered(low.x), Format::ordered(high.x), Format::ordered(low.y), Format::ordered(high.y));
    to[32] = make_uint4(Format::ordered(low.z), Format::ordered(high.z), Format::ordered(low.w), Format::ordered(high.w));
}

KERNEL(pack_bf16, PACK_THREADS, const Packing packing) { pack<Bf16Weights>(packing); }
KERNEL(pack_fp8, PACK_THREADS, const Packing packing) { pack<Fp8Weights>(packing); }
KERNEL(pack_int4, PACK_THREADS, const Packing packing) { pack<Int4Weights>(packing); }
