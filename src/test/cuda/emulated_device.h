// The g++ side of device.h: what a kernel may use, on a device that threads of this computer play.
//
// The threads of a block are fibres that take turns: one runs until it waits at a barrier or for the other lanes of its
// warp. Nothing runs at the same moment, yet nothing runs in step either, so code that forgets a barrier reads what is
// not there yet. Each wait knows its source line, and what would hang a device ends in a sentence instead.
// Several threads of this computer may run kernels at once; all state is theirs alone.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#ifdef __F16C__
#include <immintrin.h>
#endif

#include "emulated_block.h"

#define KERNEL(name, mostThreads, ...)                                                   \
    static void name(__VA_ARGS__);                                                       \
    static const ::emulated::Registration name##_registration{#name, mostThreads, name}; \
    static void name(__VA_ARGS__)
#define DEVICE static inline
#define DEVICE_METHOD inline
#define SHARED alignas(16) static thread_local
#define DYNAMIC_SHARED(type, name) type* name = reinterpret_cast<type*>(::emulated::current->block->dynamicShared)
#define UNROLL

#define threadIdx (::emulated::current->index)
#define blockIdx (::emulated::current->block->index)
#define blockDim (::emulated::current->block->dimensions)
#define gridDim (::emulated::current->block->grid)

struct alignas(8) uint2 { unsigned x, y; };
struct alignas(16) uint4 { unsigned x, y, z, w; };
struct alignas(8) int2 { int x, y; };
struct alignas(16) int4 { int x, y, z, w; };
struct alignas(8) float2 { float x, y; };
struct alignas(16) float4 { float x, y, z, w; };

inline uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }
inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }
inline int2 make_int2(int x, int y) { return {x, y}; }
inline int4 make_int4(int x, int y, int z, int w) { return {x, y, z, w}; }
inline float2 make_float2(float x, float y) { return {x, y}; }
inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }

// ---- numbers of 16 bits -------------------------------------------------------------------------------------------
struct half { std::uint16_t bits; };
struct bf16 { std::uint16_t bits; };

namespace emulated {
template <typename To, typename From>
inline To bitsAs(From from) {
    static_assert(sizeof(To) == sizeof(From));
    To to;
    std::memcpy(&to, &from, sizeof(To));
    return to;
}

float halfBitsToFloat(std::uint16_t bits);
std::uint16_t floatToHalfBits(float value);
std::uint16_t fmaBf16(unsigned a, unsigned b, unsigned c);
}

inline float toFloat(bf16 value) { return emulated::bitsAs<float>(static_cast<std::uint32_t>(value.bits) << 16); }
#ifdef __F16C__
inline float toFloat(half value) { return _cvtsh_ss(value.bits); }
#else
inline float toFloat(half value) { return emulated::halfBitsToFloat(value.bits); }
#endif

inline half toHalf(float value) {
#ifdef __F16C__
    return {value == value ? static_cast<std::uint16_t>(_cvtss_sh(value, 0)) : std::uint16_t{0x7fff}};
#else
    return {emulated::floatToHalfBits(value)};
#endif
}

inline bf16 toBf16(float value) {
    std::uint32_t bits = emulated::bitsAs<std::uint32_t>(value);
    if ((bits & 0x7fffffffu) > 0x7f800000u) {
        return {0x7fff};
    }
    return {static_cast<std::uint16_t>((bits + 0x7fffu + (bits >> 16 & 1)) >> 16)};
}

inline unsigned packBf16x2(float low, float high) { return toBf16(low).bits | static_cast<unsigned>(toBf16(high).bits) << 16; }
inline unsigned packHalf2(float low, float high) { return toHalf(low).bits | static_cast<unsigned>(toHalf(high).bits) << 16; }

// ---- mathematics --------------------------------------------------------------------------------------------------
inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
inline float divide(float a, float b) { return a / b; }
inline unsigned andOr(unsigned a, unsigned b, unsigned c) { return (a & b) | c; }
inline unsigned __float_as_uint(float value) { return emulated::bitsAs<unsigned>(value); }
inline float __uint_as_float(unsigned bits) { return emulated::bitsAs<float>(bits); }
inline int __popc(unsigned bits) { return __builtin_popcount(bits); }
inline int __clz(unsigned bits) { return bits == 0 ? 32 : __builtin_clz(bits); }
inline int __ffs(unsigned bits) { return __builtin_ffs(static_cast<int>(bits)); }

// Each nibble of the selector picks one of the eight bytes of high:low; its top bit asks for the byte's sign instead.
inline unsigned __byte_perm(unsigned low, unsigned high, unsigned selector) {
    std::uint64_t bytes = static_cast<std::uint64_t>(high) << 32 | low;
    unsigned result = 0;
    for (int i = 0; i < 4; i++) {
        unsigned pick = selector >> (4 * i) & 15;
        unsigned byte = static_cast<unsigned>(bytes >> (8 * (pick & 7))) & 0xff;
        result |= ((pick & 8) == 0 ? byte : (byte & 0x80) != 0 ? 0xffu : 0u) << (8 * i);
    }
    return result;
}

// a·b + c on both halves of the words, rounded once.
inline unsigned fmaBf16x2(unsigned a, unsigned b, unsigned c) {
    return emulated::fmaBf16(a, b, c) | static_cast<unsigned>(emulated::fmaBf16(a >> 16, b >> 16, c >> 16)) << 16;
}

// ---- waiting and exchanging ---------------------------------------------------------------------------------------
#define EMULATED_HERE const char *file = __builtin_FILE(), int line = __builtin_LINE()

inline void barrier(EMULATED_HERE) { emulated::blockBarrier(*emulated::current, {file, line}); }
inline void warpBarrier(EMULATED_HERE) {
    emulated::warpMeeting(*emulated::current, emulated::Meeting::WARP_BARRIER, {file, line});
}

template <typename T>
inline T shuffle(T value, int lane, EMULATED_HERE) {
    return emulated::exchange(value, static_cast<unsigned>(lane), emulated::Meeting::SHUFFLE, {file, line});
}

template <typename T>
inline T shuffleXor(T value, int mask, EMULATED_HERE) {
    return emulated::exchange(
            value, emulated::current->lane ^ static_cast<unsigned>(mask), emulated::Meeting::SHUFFLE_XOR, {file, line});
}

template <typename T>
inline T shuffleDown(T value, int distance, EMULATED_HERE) {
    unsigned lane = emulated::current->lane;
    unsigned from = lane + static_cast<unsigned>(distance);
    return emulated::exchange(value, from < 32 ? from : lane, emulated::Meeting::SHUFFLE_DOWN, {file, line});
}

template <typename T>
inline T shuffleUp(T value, int distance, EMULATED_HERE) {
    unsigned lane = emulated::current->lane;
    unsigned from = lane - static_cast<unsigned>(distance);
    return emulated::exchange(value, from < 32 ? from : lane, emulated::Meeting::SHUFFLE_UP, {file, line});
}

inline unsigned ballot(bool predicate, EMULATED_HERE) { return emulated::vote(predicate, {file, line}); }

inline bool anyLane(bool predicate, EMULATED_HERE) { return emulated::vote(predicate, {file, line}) != 0; }

// d[16×8] += a[16×16]·b[16×8], fragments as the PTX ISA lays out mma.m16n8k16 row.col.
inline void mmaBf16(float d[4], const unsigned a[4], const unsigned b[2], EMULATED_HERE) {
    emulated::multiplyTiles(d, a, b, emulated::Meeting::MMA_BF16, {file, line});
}

inline void mmaF16(float d[4], const unsigned a[4], const unsigned b[2], EMULATED_HERE) {
    emulated::multiplyTiles(d, a, b, emulated::Meeting::MMA_F16, {file, line});
}

// ---- memory -------------------------------------------------------------------------------------------------------
inline uint4 load16(const void* from, EMULATED_HERE) {
    emulated::mustBeAligned(from, 16, {file, line});
    return *static_cast<const uint4*>(from);
}

inline uint2 load8(const void* from, EMULATED_HERE) {
    emulated::mustBeAligned(from, 8, {file, line});
    return *static_cast<const uint2*>(from);
}

inline uint4 loadGlobal16(const void* from, EMULATED_HERE) { return load16(from, file, line); }

inline uint4 loadReadOnly16(const void* from, EMULATED_HERE) { return load16(from, file, line); }

inline void copyAsync16(void* shared, const void* global, bool valid, EMULATED_HERE) {
    emulated::copyAsync(shared, global, valid, 16, {file, line});
}

inline void copyAsync4(void* shared, const void* global, bool valid, EMULATED_HERE) {
    emulated::copyAsync(shared, global, valid, 4, {file, line});
}

// Who starts early is up to the driver; see driver_modules.cpp.
inline void startSuccessor() {}
inline void awaitPredecessor() { emulated::awaitPredecessor(); }

inline void copyAsyncCommit() { emulated::copyAsyncCommit(); }

template <int N>
inline void copyAsyncWait() {
    emulated::copyAsyncWait(N);
}

inline unsigned atomicAddShared(unsigned* sum, unsigned value) {
    const unsigned before = *sum;
    *sum += value;
    return before;
}

// Two blocks of a launch may run at a time.
inline unsigned atomicAddGlobal(unsigned* sum, unsigned value) { return __atomic_fetch_add(sum, value, __ATOMIC_SEQ_CST); }

inline void atomicAddGlobal(unsigned long long* sum, unsigned long long value) {
    __atomic_fetch_add(sum, value, __ATOMIC_SEQ_CST);
}

inline void deviceFence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

inline float4 loadFresh16(const float4* p) { return *p; }
inline float loadFresh(const float* from) { return *from; }
inline int loadFresh(const int* from) { return *from; }
inline unsigned long long loadFresh(const unsigned long long* from) { return *from; }
