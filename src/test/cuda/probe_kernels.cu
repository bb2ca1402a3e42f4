// Kernels by which the tests of the emulated device and driver look at it.
#include "emulated_device.h"

#include "warpgroup.h"

KERNEL(probe_add, 256, const float* from, float* to, int count, float more) {
    int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < count) {
        to[i] = from[i] + more;
    }
}

// Every way to exchange, seven words a lane.
KERNEL(probe_exchange, 64, const int* values, unsigned long long* out, int mask, int distance, int lane) {
    int value = values[threadIdx.x];
    unsigned long long wide = static_cast<unsigned long long>(value) << 32 | threadIdx.x;
    unsigned long long* mine = out + threadIdx.x * 7;
    mine[0] = static_cast<unsigned long long>(shuffleXor(value, mask));
    mine[1] = static_cast<unsigned long long>(shuffleDown(value, distance));
    mine[2] = static_cast<unsigned long long>(shuffleUp(value, distance));
    mine[3] = shuffle(wide, lane);
    mine[4] = ballot(value % 3 == 0);
    mine[5] = static_cast<unsigned long long>(shuffle(static_cast<float>(value), lane));
    warpBarrier();
    mine[6] = shuffle(threadIdx.x, static_cast<int>(threadIdx.x & 31));
}

// d[16, 8] = c + a[16, 16]·b[16, 8], all row-major, in BF16 or FP16.
KERNEL(probe_mma, 32, const float* a, const float* b, float* c, int isBf16) {
    int group = static_cast<int>(threadIdx.x) / 4;
    int pair = static_cast<int>(threadIdx.x) % 4 * 2;
    unsigned left[4];
    unsigned right[2];
    float sum[4];
    for (int i = 0; i < 4; i++) {
        const float* at = a + (group + i % 2 * 8) * 16 + pair + i / 2 * 8;
        left[i] = isBf16 != 0 ? packBf16x2(at[0], at[1]) : packHalf2(at[0], at[1]);
        sum[i] = c[(group + i / 2 * 8) * 8 + pair + i % 2];
    }
    for (int i = 0; i < 2; i++) {
        const float* at = b + (pair + i * 8) * 8 + group;
        right[i] = isBf16 != 0 ? packBf16x2(at[0], at[8]) : packHalf2(at[0], at[8]);
    }
    if (isBf16 != 0) {
        mmaBf16(sum, left, right);
    } else {
        mmaF16(sum, left, right);
    }
    for (int i = 0; i < 4; i++) {
        c[(group + i / 2 * 8) * 8 + pair + i % 2] = sum[i];
    }
}

// The sum of each block's 256 numbers, through static and dynamic shared memory.
KERNEL(probe_block_sum, 256, const float* from, float* sums) {
    SHARED float ofWarp[8];
    DYNAMIC_SHARED(float, values);
    copyAsync4(values + threadIdx.x, from + blockIdx.x * 256 + threadIdx.x, true);
    copyAsyncCommit();
    copyAsyncWait<0>();
    barrier();
    float sum = values[255 - threadIdx.x];
    for (int mask = 16; mask > 0; mask /= 2) {
        sum += shuffleXor(sum, mask);
    }
    if (threadIdx.x % 32 == 0) {
        ofWarp[threadIdx.x / 32] = sum;
    }
    barrier();
    if (threadIdx.x == 0) {
        float total = 0;
        for (float part : ofWarp) {
            total += part;
        }
        sums[blockIdx.x] = total;
    }
}

// Copies 4 bytes a thread through shared memory in two groups and reads them without waiting, or after.
KERNEL(probe_copy_without_wait, 32, const int* from, int* to, int wait) {
    DYNAMIC_SHARED(int, landed);
    for (int group = 0; group < 2; group++) {
        landed[group * 32 + threadIdx.x] = -7;
        copyAsync4(landed + group * 32 + threadIdx.x, from + group * 32 + threadIdx.x, true);
        copyAsyncCommit();
    }
    if (wait != 0) {
        copyAsyncWait<0>();
    }
    for (int group = 0; group < 2; group++) {
        to[group * 32 + threadIdx.x] = landed[group * 32 + threadIdx.x];
    }
}

// What no kernel may do, by number.
KERNEL(probe_wrong, 64, int what, const unsigned char* memory, float* out) {
    DYNAMIC_SHARED(float, values);
    if (what == 0 && threadIdx.x < 5) {
        return;
    }
    if (what == 1 && threadIdx.x == 40) {
        out[0] = shuffle(1.0f, 3);
    }
    if (what == 2) {
        out[0] = static_cast<float>(load16(memory + 4).x);
    }
    if (what == 3) {
        values[64] = 1;
    }
    if (what == 4) {
        out[threadIdx.x] = threadIdx.x % 2 == 0 ? shuffle(1.0f, 0) : static_cast<float>(ballot(true));
    }
    if (what == 5 && threadIdx.x == 33) {
        out[64] = 1;
    }
    if (what == 6) {
        out[0] = shuffleXor(1.0f, 32);
    }
    if (what == 7) {
        copyAsync16(values + 64, memory, true);
    }
    if (what == 8) {
        *reinterpret_cast<volatile float*>(static_cast<unsigned char*>(nullptr) + threadIdx.x) = 1;
    }
    barrier();
}

// c[64, 128] += a[64, 16] · b[16, 128] by a warpgroup, and what it may not do, by number. Eight inputs of a column are copied
// to each offset, in order of columns and halves; bits are the descriptor's but for the address.
KERNEL(probe_warpgroup, 128, const unsigned* a, const uint4* b, const int* offsets, unsigned long long bits, float* c,
        int what) {
    DYNAMIC_SHARED(unsigned char, shared);
    const int thread = static_cast<int>(threadIdx.x);
    const int row = thread / 32 * 16 + thread % 32 / 4;
    const int pair = thread % 4;
    for (int piece = 2 * thread; piece < 2 * thread + 2; piece++) {
        copyAsync16(shared + offsets[piece], b + piece, true);
    }
    copyAsyncCommit();
    if (what != 1) {
        copyAsyncWait<0>();
    }
    if (what != 2) {
        fenceShared();
    }
    barrier();
    float sums[16][4];
    unsigned left[4];
    for (int i = 0; i < 4; i++) {
        left[i] = a[(row + i % 2 * 8) * 8 + pair + i / 2 * 4];
        for (int j = 0; j < 16; j++) {
            sums[j][i] = c[(row + i / 2 * 8) * 128 + 8 * j + 2 * pair + i % 2];
        }
    }
    if (what != 3) {
        fenceRegisters(sums, left);
    }
    if (what == 4) {
        left[0]++;
    }
    if (what == 5) {
        sums[3][1] = 1;
    }
    const unsigned long long matrix = sharedUnits(shared) | bits;
    multiply(sums, left, what == 6 && thread >= 32 ? matrix + 8 : what == 7 ? matrix + (1ull << 46) : matrix, true);
    commitProducts();
    if (what == 8) {
        left[1] = 0;
    }
    if (what == 9) {
        sums[0][0] = 2;
    }
    if (what == 10 && thread == 127) {
        shared[offsets[255]] ^= 1;
    }
    if (what == 11 && thread == 127) {
        copyAsync16(shared + offsets[255], b, true);
    }
    if (what == 12) {
        awaitProducts<1>();
    } else if (what != 13) {
        awaitProducts<0>();
    }
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 16; j++) {
            c[(row + i / 2 * 8) * 128 + 8 * j + 2 * pair + i % 2] = sums[j][i];
        }
    }
    if (what == 12) {
        awaitProducts<0>();
    }
}
