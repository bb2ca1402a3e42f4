package org.inferometer.scheduling;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.workload.RequestId;

/// Keeps requests on the stream that ran them last, for streams without synchronization and for `runtime`.
///
/// - A new request goes to its number modulo the streams (round_robin, smart) or to the stream with the least work,
///   heaviest first.
/// - `runtime`: once every stream with requests has run, the stream with the most busy time per share gives requests to
///   the one with the least. It gives the youngest first and never its last, until both would be equal. A request costs
///   its estimate ([StreamBalancer#workload]) times the measured busy time per estimate. Differences below 10 % are
///   ignored.
/// - An idle stream without requests takes the first half of the requests of the fullest stream that are not in flight.
///
/// The assignment follows from the view and the history, not from the asking stream: otherwise two idle streams could
/// each leave a request to the other.
final class StreamAffinity {
    private static final double NOISE = 0.1;
    /// At most half of the difference may remain in the other direction, or two streams would swap a request for ever.
    private static final double MOST_OF_DIFFERENCE = 1.5;

    private final BalancingStrategy strategy;
    private final int streams;
    private final StreamBalancer split;
    private final long[] loads; // [streams], in half tokens
    private final long[] ranLoads; // [streams], without new requests
    private final int[] sizes; // [streams]
    private final Map<RequestId, Integer> moved = new HashMap<>();
    private long[] seenBusyNanos; // [streams]
    private final int[] shares; // [streams], ended since the last look
    private int[] homes = {}; // [requests]

    StreamAffinity(BalancingStrategy strategy, int streams) {
        this.strategy = strategy;
        this.streams = streams;
        this.split = new StreamBalancer(strategy, streams);
        this.loads = new long[streams];
        this.ranLoads = new long[streams];
        this.sizes = new int[streams];
        this.seenBusyNanos = new long[streams];
        this.shares = new int[streams];
    }

    /// Counts a share that a stream has run.
    void shareEnded(int stream) {
        shares[stream]++;
    }

    /// The stream of each request, by its place in the list; valid until the next call.
    ///
    /// @param together whether all requests that are not in flight go to stream 0
    /// @param busy streams that compute
    int[] assign(List<RequestProgress> requests, EngineView view, boolean together, boolean[] busy) {
        if (homes.length < requests.size()) {
            homes = new int[requests.size() * 2];
        }
        Arrays.fill(loads, 0);
        Arrays.fill(sizes, 0);
        for (int i = 0; i < requests.size(); i++) {
            RequestProgress progress = requests.get(i);
            homes[i] = progress.inFlight() ? progress.lane().index() : together ? 0 : home(progress);
            if (homes[i] >= 0) {
                loads[homes[i]] += StreamBalancer.workload(progress);
            }
        }
        if (!together) {
            System.arraycopy(loads, 0, ranLoads, 0, streams);
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

    /// The stream of a request; −1 for a new one that is assigned by weight.
    private int home(RequestProgress progress) {
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

    private void followBusyTime(List<RequestProgress> requests, long[] busyNanos) {
        int most = 0;
        int least = 0;
        double[] since = new double[streams];
        for (int stream = 0; stream < streams; stream++) {
            if (sizes[stream] > 0 && shares[stream] == 0) {
                return;
            }
            since[stream] = (busyNanos[stream] - seenBusyNanos[stream]) / (double) Math.max(1, shares[stream]);
            most = since[stream] > since[most] ? stream : most;
            least = since[stream] < since[least] ? stream : least;
        }
        seenBusyNanos = busyNanos;
        Arrays.fill(shares, 0);
        moved.clear();
        if (since[most] - since[least] <= NOISE * since[most]) {
            return;
        }
        double difference = since[most] - since[least];
        double costThere = since[most] / Math.max(1, ranLoads[most]);
        double costHere = ranLoads[least] > 0 ? since[least] / ranLoads[least] : costThere;
        for (int i = requests.size() - 1; i >= 0 && sizes[most] > 1; i--) {
            RequestProgress progress = requests.get(i);
            double change = StreamBalancer.workload(progress) * (costThere + costHere);
            if (homes[i] == most && !progress.inFlight() && change <= MOST_OF_DIFFERENCE * difference) {
                difference -= change;
                give(i, most, least);
                moved.put(progress.request().id(), least);
            }
        }
    }

    private void fillEmptyStreams(List<RequestProgress> requests, boolean[] busy) {
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
