// Samples a token from logits by the rule of the host's sampler: greedy, or by temperature, then top-k, then top-p.
// Equal logits rank by the lower id. NaN is chosen only if all logits are NaN.
//
// There is no sorting. Weights are 64-bit fixed-point numbers, so sums do not depend on the order of the threads.
// Histograms find the token at which a sum passes a target: over 1,024 steps of distance from the largest logit, then
// over the bits of the logits in that step, then by id among equals.
#include "device.h"
#include "tiles.h"

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

#define MASS_ONE 4398046511104.0f // 2^42: a million tokens of weight 1 stay below 2^63
#define STEPS 1024
#define STEPS_PER_UNIT 32.0f // steps per factor e of a weight; weights after the last step are below 2^-42
#define DIGIT_BINS 2048
#define GATHERED 4 // logits of one step that a thread keeps in shared memory

// Bits with the order of the numbers, NaN first; both zeros are equal.
DEVICE unsigned orderOf(float logit) {
    const unsigned bits = __float_as_uint(logit + 0.0f);
    if ((bits & 0x7fffffffu) > 0x7f800000u) {
        return 0;
    }
    return (bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u;
}

DEVICE float logitOf(unsigned order) {
    return __uint_as_float((order & 0x80000000u) != 0 ? order & 0x7fffffffu : ~order);
}

struct Distribution {
    const float* logits; // [vocabulary]
    int vocabulary;
    float largest;
    float inverse; // 1 / temperature
};

// e^((logit − largest) / temperature), in units of 2^-42.
DEVICE Mass massOf(const Distribution& d, float logit) {
    if (logit == d.largest) {
        return static_cast<Mass>(MASS_ONE);
    }
    const float weight = expf((logit - d.largest) * d.inverse);
    return weight > 0.0f ? static_cast<Mass>(weight * MASS_ONE) : 0; // NaN is not above zero
}

// The distance of a logit from the largest, in steps; monotonic.
DEVICE int stepOf(const Distribution& d, float logit) {
    const float steps = logit == d.largest ? 0.0f : (d.largest - logit) * d.inverse * STEPS_PER_UNIT;
    return steps < static_cast<float>(STEPS - 1) ? static_cast<int>(steps) : STEPS - 1;
}

struct Scratch {
    Mass stepMass[STEPS];
    unsigned stepCount[STEPS];
    Mass bins[DIGIT_BINS];
    Mass warps[SAMPLE_THREADS / 32];
    float gathered[GATHERED * SAMPLE_THREADS];
    Mass before; // result of findBin
    int bin;
    unsigned tooMany; // threads that found more logits than they can keep
};

// Calls f(id, logit) for ids from `first` to end - 1, each on one thread; several loads are in flight.
template <typename F>
DEVICE void forEachLogit(const float* logits, int first, int end, int step, F f) {
    for (int id = first; id < end; id += 4 * step) {
        float batch[4];
        UNROLL
        for (int i = 0; i < 4; i++) {
            batch[i] = id + i * step < end ? logits[id + i * step] : 0.0f;
        }
        UNROLL
        for (int i = 0; i < 4; i++) {
            if (id + i * step < end) {
                f(id + i * step, batch[i]);
            }
        }
    }
}

DEVICE Mass warpTotal(Mass v) {
    for (int mask = 16; mask > 0; mask >>= 1) {
        v += shuffleXor(v, mask);
    }
    return v;
}

// The sum over the lanes up to this one.
DEVICE Mass warpPrefix(Mass v) {
    const int lane = laneOf(static_cast<int>(threadIdx.x));
    for (int distance = 1; distance < 32; distance *= 2) {
        const Mass below = shuffleUp(v, distance);
        v += lane >= distance ? below : 0;
    }
    return v;
}

DEVICE Mass blockTotal(Scratch& scratch, Mass v) {
    const int thread = static_cast<int>(threadIdx.x);
    const Mass ofWarp = warpTotal(v);
    if (laneOf(thread) == 0) {
        scratch.warps[warpOf(thread)] = ofWarp;
    }
    barrier();
    const Mass total = warpTotal(scratch.warps[laneOf(thread)]);
    barrier();
    return total;
}

// Finds the first bin at which the sum passes `target`; writes it to scratch.bin and the sum before it to
// scratch.before. The target is below the total; `count` is a multiple of the threads.
template <typename T>
DEVICE void findBin(Scratch& scratch, const T* bins, int count, Mass target) {
    const int thread = static_cast<int>(threadIdx.x);
    const int each = count / SAMPLE_THREADS;
    Mass own = 0;
    for (int i = 0; i < each; i++) {
        own += bins[thread * each + i];
    }
    const Mass upTo = warpPrefix(own);
    if (laneOf(thread) == 31) {
        scratch.warps[warpOf(thread)] = upTo;
    }
    barrier();
    Mass before = upTo - own;
    for (int w = 0; w < warpOf(thread); w++) {
        before += scratch.warps[w];
    }
    if (before <= target && target < before + own) {
        int bin = thread * each;
        while (target >= before + bins[bin]) {
            before += bins[bin];
            bin++;
        }
        scratch.bin = bin;
        scratch.before = before;
    }
    barrier();
}

// The logits at which a sum by rank passes a target: all have these bits and rank by id.
struct Rank {
    unsigned order;
    Mass before; // mass of all that rank before them
    Mass each;   // mass of each of them
};

// Gathers the logits of a step, with NaN in the remaining places; returns whether all fit. Not for the last step, which
// contains NaN.
DEVICE bool gather(Scratch& scratch, const Distribution& d, int step) {
    const int thread = static_cast<int>(threadIdx.x);
    if (thread == 0) {
        scratch.tooMany = 0;
    }
    barrier();
    int found = 0;
    forEachLogit(d.logits, thread, d.vocabulary, SAMPLE_THREADS, [&](int, float logit) {
        if (stepOf(d, logit) == step) {
            if (found < GATHERED) {
                scratch.gathered[thread + SAMPLE_THREADS * found] = logit;
            }
            found++;
        }
    });
    for (int i = found; i < GATHERED; i++) {
        scratch.gathered[thread + SAMPLE_THREADS * i] = __uint_as_float(0x7fffffffu);
    }
    if (found > GATHERED) {
        atomicAddShared(&scratch.tooMany, 1u);
    }
    barrier();
    return scratch.tooMany == 0;
}

// Finds the rank at which the sum of masses (or of ones when counting) passes `target`: first by the steps' histogram,
// then by three digits of the logits' bits.
DEVICE Rank findRank(Scratch& scratch, const Distribution& d, bool counting, Mass target) {
    const int thread = static_cast<int>(threadIdx.x);
    if (counting) {
        findBin(scratch, scratch.stepCount, STEPS, target);
    } else {
        findBin(scratch, scratch.stepMass, STEPS, target);
    }
    const int step = scratch.bin;
    Mass before = scratch.before;
    // Usually few logits are in one step, so one search of all of them suffices.
    const bool few = step < STEPS - 1 && gather(scratch, d, step);
    const float* logits = few ? scratch.gathered : d.logits;
    const int among = few ? GATHERED * SAMPLE_THREADS : d.vocabulary;
    unsigned known = 0; // the high bits found so far
    unsigned mask = 0;
    for (int digit = 0; digit < 3; digit++) {
        const int shift = digit == 0 ? 21 : digit == 1 ? 10 : 0;
        const unsigned digits = digit == 2 ? 0x3ffu : 0x7ffu;
        barrier();
        for (int i = thread; i < DIGIT_BINS; i += SAMPLE_THREADS) {
            scratch.bins[i] = 0;
        }
        barrier();
        forEachLogit(logits, thread, among, SAMPLE_THREADS, [&](int, float logit) {
            const unsigned order = orderOf(logit);
            if (stepOf(d, logit) == step && (order & mask) == known) {
                const Mass amount = counting ? 1 : massOf(d, logit);
                // Bins are in order of rank: the largest digit first.
                atomicAddShared(&scratch.bins[digits - ((order >> shift) & digits)], amount);
            }
        });
        barrier();
        findBin(scratch, scratch.bins, DIGIT_BINS, target - before);
        known |= (digits - static_cast<unsigned>(scratch.bin)) << shift;
        mask |= digits << shift;
        before += scratch.before;
    }
    const Rank rank = {known, before, counting ? 1 : massOf(d, logitOf(known))};
    barrier();
    return rank;
}

// The id at which the sum of amount(logit) by id passes `target`, which is below the total.
template <typename F>
DEVICE int findId(Scratch& scratch, const Distribution& d, Mass target, F amount) {
    const int thread = static_cast<int>(threadIdx.x);
    const int lane = laneOf(thread);
    int first = 0;
    int length = d.vocabulary;
    while (length > 32) { // one warp for each of 32 parts of the remainder
        const int part = roundUp((length + 31) / 32, 32);
        const int begin = first + part * warpOf(thread);
        Mass sum = 0;
        forEachLogit(d.logits, begin + lane, least(begin + part, first + length), 32,
                     [&](int, float logit) { sum += amount(logit); });
        sum = warpTotal(sum);
        if (lane == 0) {
            scratch.warps[warpOf(thread)] = sum;
        }
        barrier();
        int at = 0;
        while (at < 31 && target >= scratch.warps[at]) {
            target -= scratch.warps[at];
            at++;
        }
        barrier();
        length = least(part, length - part * at);
        first += part * at;
    }
    const Mass upTo = warpPrefix(lane < length ? amount(d.logits[first + lane]) : 0);
    unsigned passed = lane < length && upTo > target ? static_cast<unsigned>(lane) : 31u;
    for (int mask = 16; mask > 0; mask >>= 1) {
        const unsigned other = shuffleXor(passed, mask);
        passed = other < passed ? other : passed;
    }
    return least(first + static_cast<int>(passed), d.vocabulary - 1);
}

// The lowest id among the largest logits.
DEVICE int likeliest(Scratch& scratch, const float* logits, int vocabulary) {
    const int thread = static_cast<int>(threadIdx.x);
    Mass best = 0; // order of the logit, then the lower id
    forEachLogit(logits, thread, vocabulary, SAMPLE_THREADS, [&](int id, float logit) {
        const Mass candidate = static_cast<Mass>(orderOf(logit)) << 32 | (0xffffffffu - static_cast<unsigned>(id));
        best = candidate > best ? candidate : best;
    });
    for (int round = 0; round < 2; round++) {
        for (int mask = 16; mask > 0; mask >>= 1) {
            const Mass other = shuffleXor(best, mask);
            best = other > best ? other : best;
        }
        if (round == 0) {
            if (laneOf(thread) == 0) {
                scratch.warps[warpOf(thread)] = best;
            }
            barrier();
            best = scratch.warps[laneOf(thread)];
        }
    }
    barrier();
    return static_cast<int>(0xffffffffu - static_cast<unsigned>(best & 0xffffffffu));
}

// Fills the histograms over steps and returns the sum of all masses. The last step has almost no mass, and its count is
// the remainder.
DEVICE Mass countSteps(Scratch& scratch, const Distribution& d) {
    const int thread = static_cast<int>(threadIdx.x);
    for (int i = thread; i < STEPS; i += SAMPLE_THREADS) {
        scratch.stepMass[i] = 0;
        scratch.stepCount[i] = 0;
    }
    barrier();
    Mass near = 0;
    Mass nearMass = 0;
    Mass farMass = 0;
    forEachLogit(d.logits, thread, d.vocabulary, SAMPLE_THREADS, [&](int, float logit) {
        const int step = stepOf(d, logit);
        const Mass mass = massOf(d, logit);
        if (step < STEPS - 1) {
            atomicAddShared(&scratch.stepCount[step], 1u);
            atomicAddShared(&scratch.stepMass[step], mass);
            near++;
            nearMass += mass;
        } else {
            farMass += mass;
        }
    });
    near = blockTotal(scratch, near);
    nearMass = blockTotal(scratch, nearMass);
    farMass = blockTotal(scratch, farMass);
    if (thread == 0) {
        scratch.stepCount[STEPS - 1] = static_cast<unsigned>(d.vocabulary) - static_cast<unsigned>(near);
        scratch.stepMass[STEPS - 1] = farMass;
    }
    barrier();
    return nearMass + farMass;
}

// The number below `whole` at the position `share` of it.
DEVICE Mass partOf(double share, Mass whole) {
    const Mass part = static_cast<Mass>(share * static_cast<double>(whole));
    return part < whole ? part : whole - 1;
}

// The likeliest token has a mass, so one can be drawn.
DEVICE int drawRanked(Scratch& scratch, const Distribution& d, const SampleChoice& choice) {
    const int thread = static_cast<int>(threadIdx.x);
    Mass mass = countSteps(scratch, d);
    if (choice.topK > 0 && choice.topK < d.vocabulary) {
        const Mass last = static_cast<Mass>(choice.topK) - 1;
        const Rank rank = findRank(scratch, d, true, last);
        Mass above = 0;
        forEachLogit(d.logits, thread, d.vocabulary, SAMPLE_THREADS,
                     [&](int, float logit) { above += orderOf(logit) > rank.order ? massOf(d, logit) : 0; });
        mass = blockTotal(scratch, above) + (last - rank.before + 1) * massOf(d, logitOf(rank.order));
    }
    Mass nucleus = mass;
    if (choice.topP < 1.0f) {
        // The smallest sum of at least topP of the mass passes the largest integer below it.
        const double wanted = static_cast<double>(choice.topP) * static_cast<double>(mass);
        Mass target = wanted > 0.0 ? static_cast<Mass>(wanted) : 0;
        target -= target > 0 && static_cast<double>(target) == wanted ? 1 : 0;
        target = target < mass ? target : mass - 1;
        const Rank rank = findRank(scratch, d, false, target);
        nucleus = rank.before + ((target - rank.before) / rank.each + 1) * rank.each;
    }
    const Mass target = partOf(choice.uniform, nucleus);
    const Rank rank = findRank(scratch, d, false, target);
    const Mass among = (target - rank.before) / rank.each;
    return findId(scratch, d, among, [&](float logit) { return static_cast<Mass>(orderOf(logit) == rank.order ? 1 : 0); });
}

struct Sampling {
    const float* logits;        // [rows][stride]
    const SampleChoice* choice; // [rows]
    int* tokens;                // [rows]
    int stride;
    int vocabulary;
};

// tokens[i] from logits [i][stride] by choice[i]. Grid (rows).
KERNEL(sample, SAMPLE_THREADS, const Sampling s) {
    SHARED Scratch scratch;
    const int vocabulary = s.vocabulary;
    const SampleChoice chosen = s.choice[blockIdx.x];
    const float* row = s.logits + static_cast<long long>(blockIdx.x) * s.stride;
    int token = likeliest(scratch, row, vocabulary);
    if (chosen.greedy == 0) {
        const Distribution d = {row, vocabulary, row[token], fminf(1.0f / chosen.temperature, 3.402823466e38f)};
        if (!(d.largest == d.largest)) {
            // All logits are NaN.
        } else if (chosen.topK <= 0 && chosen.topP >= 1.0f) {
            Mass mass = 0;
            forEachLogit(row, static_cast<int>(threadIdx.x), vocabulary, SAMPLE_THREADS,
                         [&](int, float logit) { mass += massOf(d, logit); });
            const Mass total = blockTotal(scratch, mass);
            token = findId(scratch, d, partOf(chosen.uniform, total), [&](float logit) { return massOf(d, logit); });
        } else {
            token = drawRanked(scratch, d, chosen);
        }
    }
    if (threadIdx.x == 0) {
        s.tokens[blockIdx.x] = token;
    }
}
