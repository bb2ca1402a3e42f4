// The sampling rule: greedy, or by temperature, then top-k, then top-p. Equal logits rank by the lower id. NaN is
// chosen only if all logits are NaN.
//
// Weights are 64-bit fixed-point numbers, so sums do not depend on the order of threads and thread blocks. Several
// blocks share a row: each takes a slice of the vocabulary.
#pragma once

#include "device.h"
#include "tiles.h"

#define SAMPLE_WARPS (SAMPLE_THREADS / 32)
#define MASS_ONE 4398046511104.0f // 2^42: a million tokens of weight 1 stay below 2^63
#define STEPS_PER_UNIT 32.0f // steps per factor e of a weight; weights after the last step are below 2^-42

// Layout as written by the Java side: 24 bytes.
struct SampleChoice {
    float temperature;
    float topP;  // all if at least 1
    int topK;    // all if at most 0
    int greedy;  // likeliest token if not 0
    double uniform; // in [0, 1)
};
static_assert(sizeof(SampleChoice) == 24, "24 bytes");

typedef unsigned long long Mass;

// The buffers of the three kernels, for a grid of (blocks of a row, rows).
struct Sampling {
    const float* logits;          // [rows][stride]
    const SampleChoice* choice;   // [rows]
    int* tokens;                  // [rows]
    float* largest;               // [rows]
    unsigned long long* slices;   // [rows][blocks]: key of the likeliest token, then sum of the masses
    unsigned* arrivals;           // [rows], zero between launches
    unsigned long long* stepMass; // [rows][SAMPLE_STEPS], zero between steps of the model
    unsigned* stepCount;          // [rows][SAMPLE_STEPS], zero between steps of the model
    unsigned* places;             // [rows][blocks][SAMPLE_STEPS]: where a block's tokens begin among those of a step
    int* candidates;              // [rows][stride]: ids by step, unordered within one
    int stride;
    int vocabulary;
};

// Bits with the order of the numbers, NaN first; both zeros are equal.
DEVICE unsigned orderOf(float logit) {
    const unsigned bits = __float_as_uint(logit + 0.0f);
    if ((bits & 0x7fffffffu) > 0x7f800000u) {
        return 0;
    }
    return (bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u;
}

// A number for each token, the larger the higher its rank; never zero.
DEVICE Mass keyOf(float logit, int id) {
    return static_cast<Mass>(orderOf(logit)) << 32 | (0xffffffffu - static_cast<unsigned>(id));
}

DEVICE int idOf(Mass key) { return static_cast<int>(0xffffffffu - static_cast<unsigned>(key)); }

struct Distribution {
    const float* logits; // [vocabulary]
    int vocabulary;
    float largest;
    float inverse; // 1 / temperature
};

DEVICE Distribution distributionOf(const Sampling& s, int row, const SampleChoice& choice) {
    return {s.logits + static_cast<long long>(row) * s.stride, s.vocabulary, s.largest[row],
            fminf(1.0f / choice.temperature, 3.402823466e38f)};
}

// Whether the row's token is drawn. If not, it is the likeliest one: greedy, or all logits are NaN.
DEVICE bool isDrawn(const SampleChoice& choice, const Distribution& d) {
    return choice.greedy == 0 && d.largest == d.largest;
}

// Whether neither top-k nor top-p applies; tokens are then ordered by id, else by rank.
DEVICE bool isUnlimited(const SampleChoice& choice) { return choice.topK <= 0 && choice.topP >= 1.0f; }

// e^((logit − largest) / temperature), in units of 2^-42.
DEVICE Mass massOf(const Distribution& d, float logit) {
    if (logit == d.largest) {
        return static_cast<Mass>(MASS_ONE);
    }
    const float weight = expf((logit - d.largest) * d.inverse);
    return weight > 0.0f ? static_cast<Mass>(weight * MASS_ONE) : 0; // NaN is not above zero
}

// The distance of a logit from the largest, in steps; monotonic. NaN is in the last step.
DEVICE int stepOf(const Distribution& d, float logit) {
    const float steps = logit == d.largest ? 0.0f : (d.largest - logit) * d.inverse * STEPS_PER_UNIT;
    return steps < static_cast<float>(SAMPLE_STEPS - 1) ? static_cast<int>(steps) : SAMPLE_STEPS - 1;
}

// The number below `whole` at the position `share` of it.
DEVICE Mass partOf(double share, Mass whole) {
    const Mass part = static_cast<Mass>(share * static_cast<double>(whole));
    return part < whole ? part : whole - 1;
}

// Ids of one block: from begin to end - 1, none if the vocabulary is too small for all blocks.
struct Slice {
    int begin;
    int end;
};

DEVICE Slice ownSlice(int vocabulary) {
    const int blocks = static_cast<int>(gridDim.x);
    const int each = roundUp((vocabulary + blocks - 1) / blocks, 32);
    const int begin = least(each * static_cast<int>(blockIdx.x), vocabulary);
    return {begin, least(begin + each, vocabulary)};
}

// Calls f(id, logit) for ids from `first` to end - 1, each on one thread; several loads are in flight.
template <typename F>
DEVICE void forEachLogit(const float* logits, int first, int end, int stride, F f) {
    for (int id = first; id < end; id += 4 * stride) {
        float batch[4];
        UNROLL
        for (int i = 0; i < 4; i++) {
            batch[i] = id + i * stride < end ? logits[id + i * stride] : 0.0f;
        }
        UNROLL
        for (int i = 0; i < 4; i++) {
            if (id + i * stride < end) {
                f(id + i * stride, batch[i]);
            }
        }
    }
}

template <typename F>
DEVICE void forEachOfSlice(const float* logits, Slice slice, F f) {
    forEachLogit(logits, slice.begin + static_cast<int>(threadIdx.x), slice.end, SAMPLE_THREADS, f);
}

DEVICE Mass warpTotal(Mass v) {
    for (int mask = 16; mask > 0; mask >>= 1) {
        v += shuffleXor(v, mask);
    }
    return v;
}

DEVICE Mass warpLargest(Mass v) {
    for (int mask = 16; mask > 0; mask >>= 1) {
        const Mass other = shuffleXor(v, mask);
        v = other > v ? other : v;
    }
    return v;
}

// The sum over the lanes up to this one.
template <typename T>
DEVICE T warpPrefix(T v) {
    const int lane = laneOf(static_cast<int>(threadIdx.x));
    for (int distance = 1; distance < 32; distance *= 2) {
        const T below = shuffleUp(v, distance);
        v += lane >= distance ? below : 0;
    }
    return v;
}
