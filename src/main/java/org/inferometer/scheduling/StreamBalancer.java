package org.inferometer.scheduling;

import java.util.Arrays;
import java.util.List;

/// Divides requests among streams again, with the strategies of TensorRT-LLM's ParallelStreamScheduler extended to more
/// than two streams.
///
/// - round_robin: the place in the list modulo the streams.
/// - smart: contexts and generations separately, each round robin from stream 0 on. An empty stream takes the first half
///   of the fullest one, contexts first.
/// - balanced: the heaviest first, each to the stream with the least work, ties to the lower number (Graham's
///   longest-processing-time rule).
///
/// A stream keeps the order of the list, where the original's `balanced` orders by weight, so that limits never skip the
/// oldest.
final class StreamBalancer {
    private static final int INDEX_BITS = 20;
    private static final long INDEX_MASK = (1L << INDEX_BITS) - 1;

    private final BalancingStrategy strategy;
    private final int streams;
    private final long[] loads; // [streams], in half tokens
    private final int[] sizes; // [streams]
    private int[] split = {}; // [requests]
    private long[] keys = {}; // [requests]

    StreamBalancer(BalancingStrategy strategy, int streams) {
        this.strategy = strategy;
        this.streams = streams;
        this.loads = new long[streams];
        this.sizes = new int[streams];
    }

    /// The original's estimate of a request's work, in half tokens: prompt tokens × 2 in its context, × 1 while
    /// generating, × ½ for the last token. Beams and draft tokens do not exist. For a preempted request, generated tokens
    /// count as prompt.
    static long workload(RequestProgress progress) {
        long tokens = progress.isWaiting() ? progress.known() : progress.admittedWith();
        if (StepBuilder.isContext(progress) || progress.generated() == 0) {
            return tokens * 4;
        }
        return progress.remaining() <= 1 ? tokens : tokens * 2;
    }

    /// The stream of each request, by its place in the list; valid until the next call.
    int[] split(List<RequestProgress> requests) {
        if (split.length < requests.size()) {
            split = new int[requests.size() * 2];
        }
        switch (strategy) {
            case ROUND_ROBIN -> byTurns(requests);
            case SMART -> byKind(requests);
            case BALANCED, RUNTIME -> {
                Arrays.fill(split, 0, requests.size(), -1);
                Arrays.fill(loads, 0);
                heaviestFirst(requests, split, loads);
            }
        }
        return split;
    }

    /// Assigns each request whose stream is −1 to the stream with the least work, heaviest first, and adds its work to
    /// the loads.
    void heaviestFirst(List<RequestProgress> requests, int[] streamOf, long[] streamLoads) {
        if (keys.length < requests.size()) {
            keys = new long[requests.size() * 2];
        }
        int open = 0;
        for (int i = 0; i < requests.size(); i++) {
            if (streamOf[i] < 0) {
                // Sorted ascending and read from the end; of equal weights the earlier place comes first.
                keys[open++] = workload(requests.get(i)) << INDEX_BITS | (INDEX_MASK - i);
            }
        }
        Arrays.sort(keys, 0, open);
        for (int k = open - 1; k >= 0; k--) {
            int lightest = 0;
            for (int stream = 1; stream < streams; stream++) {
                if (streamLoads[stream] < streamLoads[lightest]) {
                    lightest = stream;
                }
            }
            streamOf[(int) (INDEX_MASK - (keys[k] & INDEX_MASK))] = lightest;
            streamLoads[lightest] += keys[k] >>> INDEX_BITS;
        }
    }

    private void byTurns(List<RequestProgress> requests) {
        for (int i = 0; i < requests.size(); i++) {
            split[i] = i % streams;
        }
    }

    private void byKind(List<RequestProgress> requests) {
        Arrays.fill(sizes, 0);
        int contexts = 0;
        int generations = 0;
        for (int i = 0; i < requests.size(); i++) {
            split[i] = (StepBuilder.isContext(requests.get(i)) ? contexts++ : generations++) % streams;
            sizes[split[i]]++;
        }
        for (int empty = 0; empty < streams; empty++) {
            if (sizes[empty] == 0) {
                takeHalfOfTheFullest(requests, empty);
            }
        }
    }

    private void takeHalfOfTheFullest(List<RequestProgress> requests, int empty) {
        int fullest = 0;
        for (int stream = 1; stream < streams; stream++) {
            if (sizes[stream] > sizes[fullest]) {
                fullest = stream;
            }
        }
        int half = sizes[fullest] / 2;
        int taken = take(requests, fullest, empty, true, half);
        taken += take(requests, fullest, empty, false, half - taken);
        sizes[fullest] -= taken;
        sizes[empty] += taken;
    }

    private int take(List<RequestProgress> requests, int from, int to, boolean contexts, int most) {
        int taken = 0;
        for (int i = 0; i < requests.size() && taken < most; i++) {
            if (split[i] == from && StepBuilder.isContext(requests.get(i)) == contexts) {
                split[i] = to;
                taken++;
            }
        }
        return taken;
    }
}
