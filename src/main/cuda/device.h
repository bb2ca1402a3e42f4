// Device functions of the kernels beyond plain C++. This file is nvcc's side; a plain C++ compiler uses
// emulated_device.h (test code, found through the include path). That file defines every name of the first part of this
// file with the same meaning, and of CUDA: threadIdx, blockIdx, blockDim, gridDim, the vector types uint2, uint4,
// float2, float4, int2 with their make_ functions, __float_as_uint, __uint_as_float, __byte_perm, __popc and rsqrtf.
//
// KERNEL(name, threads, parameters...) { body } defines a kernel with at most this many threads. (CUDA has functions
// with some of these names, so the object has kernel_name until build.sh renames it.)
//
// All threads of the block or warp call collectives (barriers, shuffles, mma) together.
//
// `asm volatile` with the clobber "memory" is on fences, asynchronous copies, their waits, and loads of what other blocks
// wrote: the compiler may neither remove them nor move memory accesses across them. mma is volatile because the compiler
// does not know that all lanes take part: it could move one whose result is used in a branch into that branch.
#pragma once

#ifndef __CUDACC__
#include "emulated_device.h"
#else

#define KERNEL(name, threads, ...) extern "C" __global__ void __launch_bounds__(threads, 1) kernel_##name(__VA_ARGS__)
#define DEVICE static __device__ __forceinline__
#define DEVICE_METHOD __device__ __forceinline__
#define SHARED __shared__ __align__(16)
#define DYNAMIC_SHARED(type, name)                            \
    extern __shared__ __align__(16) unsigned char sharedBytes[]; \
    type* name = reinterpret_cast<type*>(sharedBytes)

// 16-bit storage; arithmetic uses float or packed pairs.
struct half { unsigned short bits; };
struct bf16 { unsigned short bits; };

DEVICE float toFloat(half v) {
    float f;
    asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(v.bits));
    return f;
}

DEVICE float toFloat(bf16 v) { return __uint_as_float(static_cast<unsigned>(v.bits) << 16); }

// Round to nearest, ties to even; infinity out of range (IEEE 754).
DEVICE half toHalf(float f) {
    half v;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(v.bits) : "f"(f));
    return v;
}

DEVICE bf16 toBf16(float f) {
    bf16 v;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(v.bits) : "f"(f));
    return v;
}

// Two values in a word, `low` in the low half.
DEVICE unsigned packBf16x2(float low, float high) {
    unsigned word;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(word) : "f"(high), "f"(low));
    return word;
}

DEVICE unsigned packHalf2(float low, float high) {
    unsigned word;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(word) : "f"(high), "f"(low));
    return word;
}

// a·b + c on both halves of the words, rounded once; subnormals kept.
DEVICE unsigned fmaBf16x2(unsigned a, unsigned b, unsigned c) {
    unsigned d;
    asm("fma.rn.bf16x2 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    return d;
}

// (a & b) | c in one instruction.
DEVICE unsigned andOr(unsigned a, unsigned b, unsigned c) {
    unsigned d;
    asm("lop3.b32 %0, %1, %2, %3, 0xea;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    return d;
}

// a / b, approximate (2 units in the last place); b below 2^126.
DEVICE float divide(float a, float b) { return __fdividef(a, b); }

DEVICE void barrier() { __syncthreads(); }
DEVICE void warpBarrier() { __syncwarp(); }

// For float, int, unsigned and unsigned long long.
template <typename T> DEVICE T shuffleXor(T v, int mask) { return __shfl_xor_sync(0xffffffffu, v, mask); }
template <typename T> DEVICE T shuffleUp(T v, int distance) { return __shfl_up_sync(0xffffffffu, v, distance); }
template <typename T> DEVICE T shuffle(T v, int lane) { return __shfl_sync(0xffffffffu, v, lane); }

// Whether the predicate holds in a lane of the warp.
DEVICE bool anyLane(bool predicate) { return __any_sync(0xffffffffu, predicate) != 0; }

// Adds to a number in shared memory; returns its old value.
DEVICE unsigned atomicAddShared(unsigned* sum, unsigned v) { return atomicAdd(sum, v); }

// Adds to a number in global memory that blocks of one launch share; returns its old value.
DEVICE unsigned atomicAddGlobal(unsigned* sum, unsigned v) { return atomicAdd(sum, v); }
DEVICE void atomicAddGlobal(unsigned long long* sum, unsigned long long v) { atomicAdd(sum, v); }

// Device-wide fence for this thread's global memory accesses; after a barrier also for those of its block before the
// barrier.
DEVICE void deviceFence() { asm volatile("fence.acq_rel.gpu;" ::: "memory"); }

// Loads what another block of the launch wrote, bypassing the multiprocessor's cache, which may be stale.
DEVICE float loadFresh(const float* p) {
    float v;
    asm volatile("ld.global.cg.f32 %0, [%1];" : "=f"(v) : "l"(p) : "memory");
    return v;
}

DEVICE float4 loadFresh16(const float4* p) {
    float4 v;
    asm volatile("ld.global.cg.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(p) : "memory");
    return v;
}

DEVICE int loadFresh(const int* p) {
    int v;
    asm volatile("ld.global.cg.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    return v;
}

DEVICE unsigned long long loadFresh(const unsigned long long* p) {
    unsigned long long v;
    asm volatile("ld.global.cg.u64 %0, [%1];" : "=l"(v) : "l"(p) : "memory");
    return v;
}

// 16 bytes, both addresses multiples of 16.
DEVICE uint4 load16(const void* p) { return *static_cast<const uint4*>(p); }
DEVICE uint2 load8(const void* p) { return *static_cast<const uint2*>(p); }

// The same from global memory. Volatile keeps the loads in program order: all are on their way before the first is used.
DEVICE uint4 loadGlobal16(const void* p) {
    uint4 v;
    asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(p));
    return v;
}

// The same from global memory that is not written while the kernel runs.
DEVICE uint4 loadReadOnly16(const void* p) {
    uint4 v;
    asm("ld.global.nc.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(p));
    return v;
}

// Copies from global to shared memory without registers. If not valid, it writes zeros and does not read `from`.
// A thread sees its own copies after copyAsyncWait, and others' after a following barrier.
DEVICE void copyAsync16(void* shared, const void* from, bool valid) {
    const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(shared));
    const int bytes = valid ? 16 : 0;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes) : "memory");
}

DEVICE void copyAsync4(void* shared, const void* from, bool valid) {
    const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(shared));
    const int bytes = valid ? 4 : 0;
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(from), "r"(bytes) : "memory");
}

// Programmatic dependent launch (compute capability 9.0). If the launch asks for it, the blocks of this kernel start when all
// blocks of the kernel before in the stream have called startSuccessor or ended, and awaitPredecessor returns when that kernel
// has ended and what it wrote is visible. Else both do nothing.
//
// Every thread of a kernel of a step calls both before it returns, reads what a kernel wrote, or writes. Then a kernel has
// ended only after all before it, so it is enough to wait for the last one. Before the wait it reads only what no kernel of a
// step writes: weights and its arguments.
DEVICE void startSuccessor() {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}
DEVICE void awaitPredecessor() {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

DEVICE void copyAsyncCommit() { asm volatile("cp.async.commit_group;" ::: "memory"); }

// Waits until at most `pending` of this thread's latest committed groups are in flight.
template <int pending> DEVICE void copyAsyncWait() { asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory"); }

// d[16, 8] += a[16, 16] · b[16, 8] by one warp. Lane 4g + t holds, low half first:
// a: rows g, g+8, g, g+8 at columns 2t, 2t+1 (first two words) and 2t+8, 2t+9 (last two);
// b: rows 2t, 2t+1 and 2t+8, 2t+9 of column g; d: columns 2t, 2t+1 of row g, then of row g+8.
DEVICE void mmaBf16(float d[4], const unsigned a[4], const unsigned b[2]) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

DEVICE void mmaF16(float d[4], const unsigned a[4], const unsigned b[2]) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

#endif

#ifdef __CUDACC__
#define UNROLL _Pragma("unroll")
#define ROLLED _Pragma("unroll 1")
#define UNROLL_BY_2 _Pragma("unroll 2")
#define UNROLL_BY_4 _Pragma("unroll 4")
#else
#define UNROLL
#define ROLLED
#define UNROLL_BY_2
#define UNROLL_BY_4
#endif

// Word i of four.
DEVICE unsigned wordOf(const uint4& w, int i) { return i == 0 ? w.x : i == 1 ? w.y : i == 2 ? w.z : w.w; }

DEVICE int laneOf(int thread) { return thread & 31; }
DEVICE int warpOf(int thread) { return thread >> 5; }
DEVICE int roundUp(int n, int multiple) { return (n + multiple - 1) / multiple * multiple; }
DEVICE int least(int a, int b) { return a < b ? a : b; }
DEVICE int greatest(int a, int b) { return a > b ? a : b; }

// Whether this block is the last of this many of its launch that call with one counter; all of its threads call. In the
// last block, loadFresh sees everything that the threads of the others wrote before. The counter is then zero again for
// the next launch in its stream.
DEVICE bool arrivedLast(unsigned* counter, unsigned blocks) {
    SHARED unsigned before;
    barrier();
    if (threadIdx.x == 0) {
        deviceFence();
        before = atomicAddGlobal(counter, 1u);
        if (before == blocks - 1) {
            *counter = 0;
        }
        deviceFence();
    }
    barrier();
    return before == blocks - 1;
}

// For kernels that read nothing before the wait.
DEVICE void followPredecessor() {
    startSuccessor();
    awaitPredecessor();
}

// Reductions over the 32 lanes of a warp; every lane gets the result.
DEVICE float warpSum(float v) {
    for (int mask = 16; mask > 0; mask >>= 1) {
        v += shuffleXor(v, mask);
    }
    return v;
}

DEVICE float warpMax(float v) {
    for (int mask = 16; mask > 0; mask >>= 1) {
        v = fmaxf(v, shuffleXor(v, mask));
    }
    return v;
}
