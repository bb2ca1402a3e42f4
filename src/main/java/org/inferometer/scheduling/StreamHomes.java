package org.inferometer.scheduling;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.workload.RequestId;

/// Keeps requests on the stream that last ran them, for streams that go on alone and for `runtime`.
///
/// - A new request goes by its number modulo the streams (round_robin, smart) or onto the lightest stream, the heaviest first.
/// - `runtime`: whenever every stream with requests has run since the last look, the stream that was busiest since gives requests to
///   the one that was least busy: half of what it had more, by the estimate of [StreamSplit#workload], the youngest first, and never
///   its last. Differences below a tenth are left alone.
/// - An idle stream without requests takes the first half of the fullest, as far as those are not in flight.
///
/// Where a request belongs follows from the view and from earlier looks, not from the stream that asks: otherwise two idle streams
/// could each leave a request to the other.
final class StreamHomes {
    private static final double NOISE = 0.1;

    private final BalancingStrategy strategy;
    private final int streams;
    private final StreamSplit split;
    private final long[] loads; // [streams], in half tokens
    private final int[] sizes; // [streams]
    private final Map<RequestId, Integer> moved = new HashMap<>();
    private long[] seenBusyNanos; // [streams]
    private int[] homes = {}; // [requests]

    StreamHomes(BalancingStrategy strategy, int streams) {
        this.strategy = strategy;
        this.streams = streams;
        this.split = new StreamSplit(strategy, streams);
        this.loads = new long[streams];
        this.sizes = new int[streams];
        this.seenBusyNanos = new long[streams];
    }

    /// The stream of each request, by its place in the list; valid until the next call.
    ///
    /// @param together whether all that are not in flight belong to stream 0
    /// @param busy the streams that compute
    int[] assign(List<Progress> requests, EngineView view, boolean together, boolean[] busy) {
        if (homes.length < requests.size()) {
            homes = new int[requests.size() * 2];
        }
        Arrays.fill(loads, 0);
        Arrays.fill(sizes, 0);
        for (int i = 0; i < requests.size(); i++) {
            Progress progress = requests.get(i);
            homes[i] = progress.inFlight() ? progress.lane().index() : together ? 0 : home(progress);
            if (homes[i] >= 0) {
                loads[homes[i]] += StreamSplit.workload(progress);
            }
        }
        if (!together) {
            split.heaviestFirst(requests, homes, loads);
            for (int i = 0; i < requests.size(); i++) {
                sizes[homes[i]]++;
            }
            if (strategy == BalancingStrategy.RUNTIME) {
                followBusyTime(requests, view.laneBusyNanos());
            }
            fillEmptyStreams(requests, busy);
        }
        return homes;
    }

    /// −1 for a new request that is to go by weight.
    private int home(Progress progress) {
        if (!moved.isEmpty()) {
            Integer other = moved.get(progress.request().id());
            if (other != null) {
                return other;
            }
        }
        if (!progress.isWaiting()) {
            return progress.lane().index();
        }
        return switch (strategy) {
            case ROUND_ROBIN, SMART -> Math.floorMod(progress.request().id().index(), streams);
            case BALANCED, RUNTIME -> -1;
        };
    }

    private void followBusyTime(List<Progress> requests, long[] busyNanos) {
        int most = 0;
        int least = 0;
        long[] since = new long[streams];
        for (int stream = 0; stream < streams; stream++) {
            since[stream] = busyNanos[stream] - seenBusyNanos[stream];
            if (sizes[stream] > 0 && since[stream] == 0) {
                return;
            }
            most = since[stream] > since[most] ? stream : most;
            least = since[stream] < since[least] ? stream : least;
        }
        seenBusyNanos = busyNanos;
        moved.clear();
        if (since[most] - since[least] <= NOISE * since[most]) {
            return;
        }
        double surplus = loads[most] * ((since[most] - since[least]) / (2.0 * since[most]));
        for (int i = requests.size() - 1; i >= 0 && sizes[most] > 1; i--) {
            Progress progress = requests.get(i);
            long workload = StreamSplit.workload(progress);
            if (homes[i] == most && !progress.inFlight() && workload <= surplus) {
                surplus -= workload;
                give(i, most, least);
                moved.put(progress.request().id(), least);
            }
        }
    }

    private void fillEmptyStreams(List<Progress> requests, boolean[] busy) {
        for (int empty = 0; empty < streams; empty++) {
            if (sizes[empty] > 0 || busy[empty]) {
                continue;
            }
            int fullest = 0;
            for (int stream = 1; stream < streams; stream++) {
                fullest = sizes[stream] > sizes[fullest] ? stream : fullest;
            }
            int half = sizes[fullest] / 2;
            for (int i = 0; i < requests.size() && half > 0; i++) {
                if (homes[i] == fullest && !requests.get(i).inFlight()) {
                    give(i, fullest, empty);
                    half--;
                }
            }
        }
    }

    private void give(int request, int from, int to) {
        homes[request] = to;
        sizes[from]--;
        sizes[to]++;
    }
}
