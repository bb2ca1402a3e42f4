// The draw by rank, from the merged sums of masses and counts by step of distance from the largest logit.
//
// Blocks write the ids of the steps that may be drawn, ordered by step. The last block to arrive finds the ranks of
// top-k, of top-p and of the random number: the step by its sums, then the token among those of the step. There is no
// sorting.
#pragma once

#include "sample_bins.h"

#define FEW 256 // candidates that are compared each with each

// The searches of a draw, in order: each bounds the mass of the next.
enum Rule { TOP_K, TOP_P, DRAW };

struct alignas(16) Candidate {
    Mass key;
    Mass mass;
};

// A token, its mass, and what ranks before it.
struct Place {
    Mass key;
    Mass mass;
    Amount before;
};

struct Search {
    Bins steps;
    Bins digits;
    unsigned first[SAMPLE_STEPS]; // candidates of the steps before
    unsigned next[SAMPLE_STEPS];  // place of this block's next candidate
    BinSearch bins;
    Candidate few[FEW];
    unsigned gathered;
    Mass total;
    Mass largest[SAMPLE_WARPS]; // keys of each warp
    Mass smallest[SAMPLE_WARPS];
    Place place;
};

// Tokens with keys from `low` to `high` among some candidates.
struct Range {
    const int* ids;
    int count; // of the ids
    Mass low;
    Mass high;
};

// Calls f(key, logit) for each token of a range, which other blocks of the launch may have written.
template <typename F>
DEVICE void forEachOfRange(const Distribution& d, const Range& range, F f) {
    for (int i = static_cast<int>(threadIdx.x); i < range.count; i += SAMPLE_THREADS) {
        const int id = loadFresh(range.ids + i);
        const float logit = d.logits[id];
        const Mass key = keyOf(logit, id);
        if (range.low <= key && key <= range.high) {
            f(key, logit);
        }
    }
}

// Reduces a range to its smallest and largest key.
DEVICE void tighten(Search& search, const Distribution& d, Range& range) {
    const int thread = static_cast<int>(threadIdx.x);
    Mass largest = 0;
    Mass smallest = 0; // as its complement
    forEachOfRange(d, range, [&](Mass key, float) {
        largest = key > largest ? key : largest;
        smallest = ~key > smallest ? ~key : smallest;
    });
    largest = warpLargest(largest);
    smallest = warpLargest(smallest);
    if (laneOf(thread) == 0) {
        search.largest[warpOf(thread)] = largest;
        search.smallest[warpOf(thread)] = smallest;
    }
    barrier();
    const int warp = laneOf(thread) % SAMPLE_WARPS;
    range.high = warpLargest(search.largest[warp]);
    range.low = ~warpLargest(search.smallest[warp]);
    barrier();
}

// Reduces a range of more than one token to the part at which the sum passes `target`: by sums over equal parts of the
// keys between the smallest and the largest. Returns how many tokens are left, and adds to `before` what ranks before.
DEVICE unsigned narrow(Search& search, const Distribution& d, Range& range, bool counting, Mass target, Amount& before) {
    tighten(search, d, range);
    int shift = 0;
    while ((range.high - range.low) >> shift >= SAMPLE_STEPS) {
        shift++;
    }
    clear(search.digits);
    barrier();
    forEachOfRange(d, range, [&](Mass key, float logit) {
        add(search.digits, static_cast<int>((range.high - key) >> shift), {massOf(d, logit), 1});
    });
    barrier();
    const FoundBin found = findBin(search.bins, search.digits, counting, target - measure(before, counting));
    before = plus(before, found.before);
    range.high -= static_cast<Mass>(found.bin) << shift;
    const Mass low = range.high - ((static_cast<Mass>(1) << shift) - 1);
    range.low = low > range.low && low <= range.high ? low : range.low;
    return search.digits.count[found.bin];
}

// The token at which the sum by rank passes `target`, in a step whose tokens are candidates.
DEVICE Place findPlace(Search& search, const Distribution& d, const int* candidates, bool counting, Mass target) {
    const unsigned thread = threadIdx.x;
    const FoundBin step = findBin(search.bins, search.steps, counting, target);
    Amount before = step.before;
    unsigned left = search.steps.count[step.bin];
    Range range = {candidates + search.first[step.bin], static_cast<int>(left), 0, ~static_cast<Mass>(0)};
    while (left > FEW) {
        left = narrow(search, d, range, counting, target, before);
    }
    if (thread == 0) {
        search.gathered = 0;
    }
    barrier();
    forEachOfRange(d, range, [&](Mass key, float logit) {
        search.few[atomicAddShared(&search.gathered, 1u)] = {key, massOf(d, logit)};
    });
    barrier();
    if (thread < left) {
        const Candidate own = search.few[thread];
        for (unsigned i = 0; i < left; i++) {
            const Candidate other = search.few[i];
            if (other.key > own.key) {
                before = plus(before, {other.mass, 1});
            }
        }
        if (measure(before, counting) <= target && target < measure(plus(before, {own.mass, 1}), counting)) {
            search.place = {own.key, own.mass, before};
        }
    }
    barrier();
    const Place place = search.place;
    barrier();
    return place;
}

// The largest sum of masses that is below the share top-p of this mass. The nucleus is the fewest tokens that pass it.
DEVICE Mass nucleusTarget(float topP, Mass mass) {
    const double wanted = static_cast<double>(topP) * static_cast<double>(mass);
    Mass target = wanted > 0.0 ? static_cast<Mass>(wanted) : 0;
    target -= target > 0 && static_cast<double>(target) == wanted ? 1 : 0;
    return target < mass ? target : mass - 1;
}

// Loads the merged sums of a row; returns the mass of all tokens.
DEVICE Mass loadSteps(Search& search, const Mass* stepMass, const unsigned* stepCount) {
    constexpr int EACH = SAMPLE_STEPS / SAMPLE_THREADS;
    const int thread = static_cast<int>(threadIdx.x);
    for (int step = thread; step < SAMPLE_STEPS; step += SAMPLE_THREADS) {
        const Mass mass = stepMass[step];
        search.steps.low[step] = static_cast<unsigned>(mass);
        search.steps.high[step] = static_cast<unsigned>(mass >> 32);
        search.steps.count[step] = stepCount[step];
    }
    barrier();
    Amount own = {0, 0};
    for (int i = 0; i < EACH; i++) {
        own = plus(own, amountOf(search.steps, thread * EACH + i));
    }
    Amount before = amountBefore(search.bins, own);
    for (int i = 0; i < EACH; i++) {
        search.first[thread * EACH + i] = before.count;
        before = plus(before, amountOf(search.steps, thread * EACH + i));
    }
    if (thread == SAMPLE_THREADS - 1) {
        search.total = before.mass;
    }
    barrier();
    return search.total;
}

// The token drawn from a row, in the last of its blocks to arrive; -1 in the others.
DEVICE int drawRanked(Search& search, const Sampling& s, int row, const Distribution& d, const SampleChoice& choice) {
    const long long steps = static_cast<long long>(row) * SAMPLE_STEPS;
    const int thread = static_cast<int>(threadIdx.x);
    Mass mass = loadSteps(search, s.stepMass + steps, s.stepCount + steps);
    const bool limited = choice.topK > 0 && choice.topK < d.vocabulary;
    int last = SAMPLE_STEPS - 1; // step of candidates
    if (limited || choice.topP < 1.0f) {
        const Mass target = limited ? static_cast<Mass>(choice.topK) - 1 : nucleusTarget(choice.topP, mass);
        last = findBin(search.bins, search.steps, limited, target).bin;
    }
    const unsigned* places = s.places + (static_cast<long long>(row) * gridDim.x + blockIdx.x) * SAMPLE_STEPS;
    for (int step = thread; step <= last; step += SAMPLE_THREADS) {
        search.next[step] = search.first[step] + places[step];
    }
    barrier();
    int* candidates = s.candidates + static_cast<long long>(row) * s.stride;
    forEachOfSlice(d.logits, ownSlice(d.vocabulary), [&](int id, float logit) {
        const int step = stepOf(d, logit);
        if (step <= last) {
            candidates[atomicAddShared(&search.next[step], 1u)] = id;
        }
    });
    if (!arrivedLast(s.arrivals + row, gridDim.x)) {
        return -1;
    }
    for (int step = thread; step < SAMPLE_STEPS; step += SAMPLE_THREADS) {
        s.stepMass[steps + step] = 0;
        s.stepCount[steps + step] = 0;
    }
    Place place = {};
    for (int rule = limited ? TOP_K : choice.topP < 1.0f ? TOP_P : DRAW; rule <= DRAW; rule++) {
        if (rule == TOP_P && choice.topP >= 1.0f) {
            continue;
        }
        const Mass target = rule == TOP_K ? static_cast<Mass>(choice.topK) - 1
                : rule == TOP_P           ? nucleusTarget(choice.topP, mass)
                                          : partOf(choice.uniform, mass);
        place = findPlace(search, d, candidates, rule == TOP_K, target);
        mass = place.before.mass + place.mass;
    }
    return idOf(place.key);
}
