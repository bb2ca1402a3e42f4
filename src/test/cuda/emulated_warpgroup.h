// The g++ side of warpgroup.h: products that go on while their warps do.
//
// A product is computed when it starts; until a wait says that it has ended, its sums are NaN in the thread's variables. A
// launch fails if, before that, anyone changes its sums, its operand or the shared memory that it reads; also if that memory
// has a copy which was not awaited and fenced, or if no fence orders its registers.
#pragma once

#include "emulated_device.h"

namespace emulated {
void fenceShared();
unsigned long long sharedUnits(const void* address, Site site);
void fenceRegisters(float* sums, unsigned columns, const unsigned* a, Site site);
void multiplyWarpgroup(float* sums, unsigned columns, const unsigned* a, std::uint64_t b, bool add, Site site);
void commitProducts(Site site);
void awaitProducts(unsigned pending, Site site);
}

inline void fenceShared() { emulated::fenceShared(); }

inline unsigned long long sharedUnits(const void* p, EMULATED_HERE) { return emulated::sharedUnits(p, {file, line}); }

template <int COLUMNS>
inline void keepOrder(float (&)[COLUMNS][4]) {}

template <int COLUMNS>
inline void fenceRegisters(float (&sums)[COLUMNS][4], unsigned (&a)[4], EMULATED_HERE) {
    emulated::fenceRegisters(&sums[0][0], COLUMNS, a, {file, line});
}

template <int COLUMNS>
inline void multiply(float (&sums)[COLUMNS][4], const unsigned (&a)[4], unsigned long long b, bool add, EMULATED_HERE) {
    emulated::multiplyWarpgroup(&sums[0][0], COLUMNS, a, b, add, {file, line});
}

inline void commitProducts(EMULATED_HERE) { emulated::commitProducts({file, line}); }

template <int pending>
inline void awaitProducts(EMULATED_HERE) {
    emulated::awaitProducts(pending, {file, line});
}
