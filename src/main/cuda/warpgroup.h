// Products of warpgroups, wgmma of sm_90a: four adjacent warps, the first a multiple of four, multiply together while they
// go on. This file is nvcc's side, as device.h; emulated_warpgroup.h defines the same for a plain C++ compiler.
//
// Order of calls, all by every thread of the warpgroup:
//   copyAsyncWait, fenceShared, barrier   the second operand is in shared memory
//   fenceRegisters                        the first operand and the sums are in registers
//   multiply, commitProducts              starts; until the wait, nobody touches the registers or changes the memory
//   awaitProducts<pending>                all but the latest `pending` committed groups have ended
#pragma once

#include "device.h"

// The sums of a warp's 16 rows and TOKENS columns in the order of mmaBf16: [j] is d of columns 8j to 8j + 7.
template <int TOKENS> using Sums = float[TOKENS / 8][4];

#ifndef __CUDACC__
#include "emulated_warpgroup.h"
#else

// Makes what this thread's finished copies wrote visible to products that start after a following barrier: these read
// shared memory through another proxy.
DEVICE void fenceShared() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

// An address of shared memory as in a descriptor, in units of 16 bytes.
DEVICE unsigned long long sharedUnits(const void* p) {
    return (static_cast<unsigned>(__cvta_generic_to_shared(p)) & 0x3ffffu) >> 4;
}

// Keeps accesses of these registers on their side of this place.
template <int COLUMNS>
DEVICE void keepOrder(float (&sums)[COLUMNS][4]) {
    UNROLL
    for (int j = 0; j < COLUMNS; j++) {
        asm volatile("" : "+f"(sums[j][0]), "+f"(sums[j][1]), "+f"(sums[j][2]), "+f"(sums[j][3])::"memory");
    }
}

// Orders what wrote these registers before the products that follow.
template <int COLUMNS>
DEVICE void fenceRegisters(float (&)[COLUMNS][4], unsigned (&a)[4]) {
    asm volatile("wgmma.fence.sync.aligned;" : "+r"(a[0]), "+r"(a[1]), "+r"(a[2]), "+r"(a[3])::"memory");
}

DEVICE void commitProducts() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }

template <int pending>
DEVICE void awaitProducts() { asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(pending) : "memory"); }

#define TEN_OPERANDS(tens)                                                                                          \
    "%" #tens "0, %" #tens "1, %" #tens "2, %" #tens "3, %" #tens "4, %" #tens "5, %" #tens "6, %" #tens "7, %" #tens \
    "8, %" #tens "9, "
#define FOUR_SUMS(j) "+f"(sums[j][0]), "+f"(sums[j][1]), "+f"(sums[j][2]), "+f"(sums[j][3])
#define SIXTEEN_SUMS(j) FOUR_SUMS(j), FOUR_SUMS(j + 1), FOUR_SUMS(j + 2), FOUR_SUMS(j + 3)
#define SIXTY_FOUR_SUMS(j) SIXTEEN_SUMS(j), SIXTEEN_SUMS(j + 4), SIXTEEN_SUMS(j + 8), SIXTEEN_SUMS(j + 12)
#define FIRST_SIXTY_OPERANDS \
    TEN_OPERANDS() TEN_OPERANDS(1) TEN_OPERANDS(2) TEN_OPERANDS(3) TEN_OPERANDS(4) TEN_OPERANDS(5)

// sums[64, tokens] = a[64, 16] · b[16, tokens], added to the sums if `add`: asynchronous. Each warp has 16 rows, a and sums
// as of mmaBf16. b, in shared memory, is K-major: of BF16 [tokens][16]; see sharedMatrix.
DEVICE void multiply(Sums<128>& sums, const unsigned (&a)[4], unsigned long long b, bool add) {
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %69, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {" FIRST_SIXTY_OPERANDS
                 "%60, %61, %62, %63}, {%64, %65, %66, %67}, %68, p, 1, 1, 0;\n}"
                 : SIXTY_FOUR_SUMS(0)
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(static_cast<int>(add)));
}

DEVICE void multiply(Sums<256>& sums, const unsigned (&a)[4], unsigned long long b, bool add) {
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %133, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {" FIRST_SIXTY_OPERANDS
                 TEN_OPERANDS(6) TEN_OPERANDS(7) TEN_OPERANDS(8) TEN_OPERANDS(9) TEN_OPERANDS(10) TEN_OPERANDS(11)
                 "%120, %121, %122, %123, %124, %125, %126, %127}, {%128, %129, %130, %131}, %132, p, 1, 1, 0;\n}"
                 : SIXTY_FOUR_SUMS(0), SIXTY_FOUR_SUMS(16)
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(static_cast<int>(add)));
}

#endif

// The descriptor of a K-major matrix without swizzling. It consists of pieces of eight rows of 16 bytes, 128 adjacent bytes
// each: the next eight inputs of the same rows are leadingBytes further, the next eight rows strideBytes.
DEVICE unsigned long long sharedMatrix(const void* p, unsigned leadingBytes, unsigned strideBytes) {
    return sharedUnits(p) | static_cast<unsigned long long>(leadingBytes >> 4) << 16 |
           static_cast<unsigned long long>(strideBytes >> 4) << 32;
}
