// Blocks that divide the inputs of one tile of outputs. Each writes its sums to memory; the last to finish adds all of
// them in the order of the splits, so results do not depend on which block that is.
#pragma once

#include "device.h"

// Grid (.., .., count): the splits of a tile have equal x and y.
struct SplitK {
    float* partial;     // [tiles of outputs][count][sums of a block]
    unsigned* arrivals; // [tiles of outputs], zero before and after
    int count;

    // The chunks of this split: from first() to end() - 1.
    DEVICE_METHOD int first(int chunks) const {
        return static_cast<int>(static_cast<long long>(chunks) * blockIdx.z / static_cast<unsigned>(count));
    }
    DEVICE_METHOD int end(int chunks) const {
        return static_cast<int>(static_cast<long long>(chunks) * (blockIdx.z + 1) / static_cast<unsigned>(count));
    }
};

// Replaces the sums of a block, in shared memory, by those of all splits. False if another block does that and writes the
// outputs. No barrier is needed before or after the call.
template <int SUMS, int THREADS>
DEVICE bool addSplits(const SplitK& split, float* sums) {
    if (split.count == 1) {
        return true;
    }
    barrier();
    const long long tile = static_cast<long long>(blockIdx.y) * gridDim.x + blockIdx.x;
    float* partial = split.partial + tile * split.count * SUMS;
    for (int i = static_cast<int>(threadIdx.x); i < SUMS; i += THREADS) {
        partial[static_cast<long long>(blockIdx.z) * SUMS + i] = sums[i];
    }
    if (!arrivedLast(split.arrivals + tile, static_cast<unsigned>(split.count))) {
        return false;
    }
    // Many loads of a thread are in flight, else each sum would wait for memory.
    static_assert(SUMS % 4 == 0, "whole vectors");
    constexpr int EACH = (SUMS / 4 + THREADS - 1) / THREADS;
    constexpr int BATCH = EACH < 4 ? EACH : 4;
    float4* target = reinterpret_cast<float4*>(sums);
    for (int first = static_cast<int>(threadIdx.x); first < SUMS / 4; first += BATCH * THREADS) {
        float4 total[BATCH] = {};
        UNROLL_BY_4
        for (int s = 0; s < split.count; s++) {
            const float4* of = reinterpret_cast<const float4*>(partial + static_cast<long long>(s) * SUMS);
            float4 loaded[BATCH];
            UNROLL
            for (int i = 0; i < BATCH; i++) {
                loaded[i] = loadFresh16(of + least(first + i * THREADS, SUMS / 4 - 1));
            }
            UNROLL
            for (int i = 0; i < BATCH; i++) {
                total[i].x += loaded[i].x;
                total[i].y += loaded[i].y;
                total[i].z += loaded[i].z;
                total[i].w += loaded[i].w;
            }
        }
        UNROLL
        for (int i = 0; i < BATCH; i++) {
            if (first + i * THREADS < SUMS / 4) {
                target[first + i * THREADS] = total[i];
            }
        }
    }
    barrier();
    return true;
}
