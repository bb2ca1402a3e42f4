// Samples a token of each row in up to three launches: the likeliest token; if a row is drawn, masses; then the draw.
#include "sample_ranked.h"

// The largest key of the block's threads, on each of them.
DEVICE Mass blockLargest(Mass* warps, Mass key) {
    const int thread = static_cast<int>(threadIdx.x);
    const Mass ofWarp = warpLargest(key);
    if (laneOf(thread) == 0) {
        warps[warpOf(thread)] = ofWarp;
    }
    barrier();
    const Mass largest = warpLargest(warps[laneOf(thread) % SAMPLE_WARPS]);
    barrier();
    return largest;
}

DEVICE Mass blockTotal(Mass* warps, Mass v) {
    const int thread = static_cast<int>(threadIdx.x);
    const Mass ofWarp = warpTotal(v);
    if (laneOf(thread) == 0) {
        warps[warpOf(thread)] = ofWarp;
    }
    barrier();
    const Mass total = warpTotal(laneOf(thread) < SAMPLE_WARPS ? warps[laneOf(thread)] : 0);
    barrier();
    return total;
}

// The id of a slice at which the sum of masses by id passes `target`, which is below their total.
DEVICE int findId(Mass* warps, const Distribution& d, Slice slice, Mass target) {
    const int thread = static_cast<int>(threadIdx.x);
    const int lane = laneOf(thread);
    int first = slice.begin;
    int length = slice.end - slice.begin;
    while (length > 32) { // one warp for each part of the remainder
        const int part = roundUp((length + SAMPLE_WARPS - 1) / SAMPLE_WARPS, 32);
        const int begin = first + part * warpOf(thread);
        Mass sum = 0;
        forEachLogit(d.logits, begin + lane, least(begin + part, first + length), 32,
                     [&](int, float logit) { sum += massOf(d, logit); });
        sum = warpTotal(sum);
        if (lane == 0) {
            warps[warpOf(thread)] = sum;
        }
        barrier();
        int at = 0;
        while (at < SAMPLE_WARPS - 1 && target >= warps[at]) {
            target -= warps[at];
            at++;
        }
        barrier();
        length = least(part, length - part * at);
        first += part * at;
    }
    const Mass upTo = warpPrefix(lane < length ? massOf(d, d.logits[first + lane]) : 0);
    const Mass passed = lane < length && upTo > target ? 32u - static_cast<unsigned>(lane) : 0u;
    return least(first + 32 - static_cast<int>(warpLargest(passed)), slice.end - 1);
}

// The token drawn from a row by id, in the block whose slice has it; -1 in the others.
DEVICE int drawById(Mass* warps, const Sampling& s, int row, const Distribution& d, const SampleChoice& choice) {
    const Mass* slices = s.slices + static_cast<long long>(row) * gridDim.x;
    Mass total = 0;
    Mass before = 0;
    for (unsigned i = static_cast<unsigned>(laneOf(static_cast<int>(threadIdx.x))); i < gridDim.x; i += 32) {
        total += slices[i];
        before += i < blockIdx.x ? slices[i] : 0;
    }
    before = warpTotal(before);
    const Mass target = partOf(choice.uniform, warpTotal(total));
    if (target < before || target - before >= slices[blockIdx.x]) {
        return -1;
    }
    return findId(warps, d, ownSlice(d.vocabulary), target - before);
}

// tokens[row], largest[row]: the lowest id among the largest logits. Grid (blocks of a row, rows).
KERNEL(sample_likeliest, SAMPLE_THREADS, const Sampling s) {
    followPredecessor();
    SHARED Mass warps[SAMPLE_WARPS];
    const int thread = static_cast<int>(threadIdx.x);
    const int row = static_cast<int>(blockIdx.y);
    const float* logits = s.logits + static_cast<long long>(row) * s.stride;
    Mass best = 0;
    forEachOfSlice(logits, ownSlice(s.vocabulary), [&](int id, float logit) {
        const Mass key = keyOf(logit, id);
        best = key > best ? key : best;
    });
    best = blockLargest(warps, best);
    Mass* slices = s.slices + static_cast<long long>(row) * gridDim.x;
    if (thread == 0) {
        slices[blockIdx.x] = best;
    }
    if (!arrivedLast(s.arrivals + row, gridDim.x)) {
        return;
    }
    for (unsigned i = threadIdx.x; i < gridDim.x; i += SAMPLE_THREADS) {
        const Mass key = loadFresh(slices + i);
        best = key > best ? key : best;
    }
    best = blockLargest(warps, best);
    if (thread == 0) {
        s.tokens[row] = idOf(best);
        s.largest[row] = logits[idOf(best)];
    }
}

// Masses of the rows that are drawn: of each slice if all tokens may be drawn, else with counts by step. Grid as above.
KERNEL(sample_masses, SAMPLE_THREADS, const Sampling s) {
    followPredecessor();
    SHARED Mass warps[SAMPLE_WARPS];
    SHARED Bins bins;
    const int thread = static_cast<int>(threadIdx.x);
    const int row = static_cast<int>(blockIdx.y);
    const long long block = static_cast<long long>(row) * gridDim.x + blockIdx.x;
    const SampleChoice choice = s.choice[row];
    const Distribution d = distributionOf(s, row, choice);
    if (!isDrawn(choice, d)) {
        return;
    }
    const Slice slice = ownSlice(d.vocabulary);
    if (isUnlimited(choice)) {
        Mass mass = 0;
        forEachOfSlice(d.logits, slice, [&](int, float logit) { mass += massOf(d, logit); });
        mass = blockTotal(warps, mass);
        if (thread == 0) {
            s.slices[block] = mass;
        }
        return;
    }
    clear(bins);
    barrier();
    // The last step has many tokens, so threads sum it.
    Amount far = {0, 0};
    forEachOfSlice(d.logits, slice, [&](int, float logit) {
        const int step = stepOf(d, logit);
        const Amount own = {massOf(d, logit), 1};
        if (step < SAMPLE_STEPS - 1) {
            add(bins, step, own);
        } else {
            far = plus(far, own);
        }
    });
    far = {warpTotal(far.mass), static_cast<unsigned>(warpTotal(far.count))};
    if (laneOf(thread) == 0) {
        add(bins, SAMPLE_STEPS - 1, far);
    }
    barrier();
    for (int step = thread; step < SAMPLE_STEPS; step += SAMPLE_THREADS) {
        const long long at = static_cast<long long>(row) * SAMPLE_STEPS + step;
        const Amount own = amountOf(bins, step);
        if (own.count > 0) {
            s.places[block * SAMPLE_STEPS + step] = atomicAddGlobal(s.stepCount + at, own.count);
            atomicAddGlobal(s.stepMass + at, own.mass);
        }
    }
}

// tokens[row] of the rows that are drawn. Grid as above.
KERNEL(sample_draw, SAMPLE_THREADS, const Sampling s) {
    followPredecessor();
    SHARED Mass warps[SAMPLE_WARPS];
    SHARED Search search;
    const int row = static_cast<int>(blockIdx.y);
    const SampleChoice choice = s.choice[row];
    const Distribution d = distributionOf(s, row, choice);
    if (!isDrawn(choice, d)) {
        return;
    }
    const int token = isUnlimited(choice) ? drawById(warps, s, row, d, choice) : drawRanked(search, s, row, d, choice);
    if (threadIdx.x == 0 && token >= 0) {
        s.tokens[row] = token;
    }
}
