// Sums of masses and counts by bin in shared memory, and the bin at which their sum passes a target.
#pragma once

#include "sampling.h"

// Tokens and their mass.
struct Amount {
    Mass mass;
    unsigned count;
};

DEVICE Amount plus(Amount a, Amount b) { return {a.mass + b.mass, a.count + b.count}; }

// What a search sums: the mass, or the number of tokens.
DEVICE Mass measure(Amount a, bool counting) { return counting ? a.count : a.mass; }

// Masses are kept in two words: shared memory has no atomic sum of 64 bits.
struct Bins {
    unsigned count[SAMPLE_STEPS];
    unsigned low[SAMPLE_STEPS];
    unsigned high[SAMPLE_STEPS];
};

DEVICE void clear(Bins& bins) {
    for (int bin = static_cast<int>(threadIdx.x); bin < SAMPLE_STEPS; bin += SAMPLE_THREADS) {
        bins.count[bin] = 0;
        bins.low[bin] = 0;
        bins.high[bin] = 0;
    }
}

DEVICE Amount amountOf(const Bins& bins, int bin) {
    return {static_cast<Mass>(bins.high[bin]) << 32 | bins.low[bin], bins.count[bin]};
}

// Adds to a bin, in any order. Two atomics, and a third if the upper word changes: a mass of at least 2^-10 of the
// largest, or a carry.
DEVICE void add(Bins& bins, int bin, Amount amount) {
    atomicAddShared(&bins.count[bin], amount.count);
    const unsigned low = static_cast<unsigned>(amount.mass);
    const unsigned before = atomicAddShared(&bins.low[bin], low);
    const unsigned high = static_cast<unsigned>(amount.mass >> 32) + (before + low < low ? 1u : 0u);
    if (high != 0) {
        atomicAddShared(&bins.high[bin], high);
    }
}

// A bin, and what is in the bins before it.
struct FoundBin {
    int bin;
    Amount before;
};

// Shared memory of the searches.
struct BinSearch {
    Mass warpMass[SAMPLE_WARPS];
    unsigned warpCount[SAMPLE_WARPS];
    FoundBin found;
};

// What is in the bins before this thread's first one; a thread has SAMPLE_STEPS / SAMPLE_THREADS neighbours with the sum
// `own`. The caller passes a barrier before it calls again.
DEVICE Amount amountBefore(BinSearch& search, Amount own) {
    const int thread = static_cast<int>(threadIdx.x);
    const Amount upTo = {warpPrefix(own.mass), warpPrefix(own.count)};
    if (laneOf(thread) == 31) {
        search.warpMass[warpOf(thread)] = upTo.mass;
        search.warpCount[warpOf(thread)] = upTo.count;
    }
    barrier();
    Amount before = {upTo.mass - own.mass, upTo.count - own.count};
    for (int w = 0; w < warpOf(thread); w++) {
        before = plus(before, {search.warpMass[w], search.warpCount[w]});
    }
    return before;
}

// The first bin at which the sum passes `target`, which is below the total.
DEVICE FoundBin findBin(BinSearch& search, const Bins& bins, bool counting, Mass target) {
    constexpr int EACH = SAMPLE_STEPS / SAMPLE_THREADS;
    const int first = static_cast<int>(threadIdx.x) * EACH;
    Amount own = {0, 0};
    for (int i = 0; i < EACH; i++) {
        own = plus(own, amountOf(bins, first + i));
    }
    Amount before = amountBefore(search, own);
    if (measure(before, counting) <= target && target < measure(plus(before, own), counting)) {
        int bin = first;
        for (Amount next = plus(before, amountOf(bins, bin)); target >= measure(next, counting);
                next = plus(before, amountOf(bins, bin))) {
            before = next;
            bin++;
        }
        search.found = {bin, before};
    }
    barrier();
    const FoundBin found = search.found;
    barrier();
    return found;
}
