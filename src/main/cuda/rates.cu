// Peak rates of the device: of the tensor-core instruction of the products, and of plain reads.
#include "device.h"
#include "tiles.h"

struct MmaRate {
    float* out;
    int iterations;
};

// BF16 products on registers only, eight independent sums per warp: grid · warps · iterations · 8 · 4,096
// floating-point operations. Results go to out[block · threads + thread], so that the compiler removes none.
KERNEL(mma_rate, RATE_THREADS, const MmaRate rate) {
    const int thread = static_cast<int>(threadIdx.x);
    const float lane = static_cast<float>(laneOf(thread));
    const unsigned a[4] = {packBf16x2(1.0f, lane), packBf16x2(0.5f, lane), packBf16x2(0.25f, lane), packBf16x2(2.0f, lane)};
    const unsigned b[2] = {packBf16x2(lane, 0.125f), packBf16x2(-lane, 0.25f)};
    float sums[8][4] = {};
    for (int i = 0; i < rate.iterations; i++) {
        UNROLL
        for (int j = 0; j < 8; j++) {
            mmaBf16(sums[j], a, b);
        }
    }
    float sum = 0.0f;
    UNROLL
    for (int j = 0; j < 8; j++) {
        sum += sums[j][0] + sums[j][1] + sums[j][2] + sums[j][3];
    }
    rate.out[static_cast<long long>(blockIdx.x) * blockDim.x + thread] = sum;
}

struct ReadRate {
    const void* from;
    unsigned* out; // [blocks]
    long long bytes;
};

// Reads `bytes` (a multiple of 16) once with the whole grid, eight 16-byte loads per thread in flight. The result is
// written to out[block] in one case of four billion, which keeps the compiler from removing the loads.
KERNEL(read_rate, RATE_THREADS, const ReadRate rate) {
    const long long bytes = rate.bytes;
    const char* from = static_cast<const char*>(rate.from);
    const long long step = 16ll * gridDim.x * blockDim.x;
    unsigned sum = 0;
    for (long long at = 16ll * (static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x); at < bytes; at += 8 * step) {
        uint4 batch[8];
        UNROLL
        for (int i = 0; i < 8; i++) {
            batch[i] = at + i * step < bytes ? loadReadOnly16(from + at + i * step) : make_uint4(0, 0, 0, 0);
        }
        UNROLL
        for (int i = 0; i < 8; i++) {
            sum += batch[i].x ^ batch[i].y ^ batch[i].z ^ batch[i].w;
        }
    }
    if (sum == 0x9e3779b9u) {
        rate.out[blockIdx.x] = sum;
    }
}
