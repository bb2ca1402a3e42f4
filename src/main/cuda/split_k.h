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
// outputs. A barrier lies before the call and none is needed after it.
template <int SUMS, int THREADS>
DEVICE bool addSplits(const SplitK& split, float* sums) {
    if (split.count == 1) {
        return true;
    }
    const long long tile = static_cast<long long>(blockIdx.y) * gridDim.x + blockIdx.x;
    float* partial = split.partial + tile * split.count * SUMS;
    for (int i = static_cast<int>(threadIdx.x); i < SUMS; i += THREADS) {
        partial[static_cast<long long>(blockIdx.z) * SUMS + i] = sums[i];
    }
    if (!arrivedLast(split.arrivals + tile, static_cast<unsigned>(split.count))) {
        return false;
    }
    UNROLL_BY_4
    for (int i = static_cast<int>(threadIdx.x); i < SUMS; i += THREADS) {
        float sum = 0.0f;
        for (int s = 0; s < split.count; s++) {
            sum += loadFresh(partial + static_cast<long long>(s) * SUMS + i);
        }
        sums[i] = sum;
    }
    barrier();
    return true;
}
