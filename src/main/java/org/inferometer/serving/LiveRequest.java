package org.inferometer.serving;

import java.util.Arrays;
import java.util.Objects;
import org.inferometer.scheduling.LaneId;
import org.inferometer.scheduling.PoolId;
import org.inferometer.scheduling.Progress;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestId;
import org.jspecify.annotations.Nullable;

/// One request's page in the ledger. Mutable; touched by the loop's thread only.
final class LiveRequest {
    private static final int[] NONE = {};

    final Request request;
    /// The index of its id, at hand for look-ups.
    final int index;
    final long arrivedNanos;
    /// Numbers the live requests densely, so that a trial can keep its notes in arrays.
    final int slot;

    LaneId lane;
    PoolId home;
    boolean running;
    boolean inFlight;
    /// Whether its end was told; it may still be in flight then.
    boolean ended;
    boolean admissionTold;
    boolean prefillTold;
    /// What it holds in its home.
    BlockTable blocks = new BlockTable();
    /// Where it is moving to; null while it does not move.
    @Nullable
    Destination destination;

    /// Once this many positions are computed, another block is full that an index does not know yet.
    int nextFullPositions;

    private @Nullable PrefixPath path;

    @Nullable
    LiveRequest previousWaiting;
    @Nullable
    LiveRequest nextWaiting;

    private int[] generatedTokens = NONE; // [outputTokens], taken on first admission
    private int generated;
    private int newestToken;
    private int computed;
    private int admittedWith;
    private long admission;
    private @Nullable Progress progress;

    LiveRequest(Request request, long arrivedNanos, int slot, LaneId lane, PoolId home) {
        this.request = request;
        this.index = request.id().index();
        this.arrivedNanos = arrivedNanos;
        this.slot = slot;
        this.lane = lane;
        this.home = home;
    }

    RequestId id() {
        return request.id();
    }

    int known() {
        return request.promptTokens().length + generated;
    }

    int computed() {
        return computed;
    }

    boolean inContext() {
        return computed < admittedWith;
    }

    boolean isComplete() {
        return generated == request.outputTokens();
    }

    boolean isOlderThan(LiveRequest other) {
        return arrivedNanos != other.arrivedNanos ? arrivedNanos < other.arrivedNanos : index < other.index;
    }

    /// What schedulers see; made anew only after a change.
    Progress progress() {
        Progress seen = progress;
        if (seen == null) {
            seen = new Progress(request, known(), computed, admittedWith, generated, inFlight, lane, home, arrivedNanos,
                    admission);
            progress = seen;
        }
        return seen;
    }

    /// @param cachedPositions positions whose keys and values were found in its blocks
    void admit(LaneId byLane, PoolId pool, long number, int cachedPositions) {
        if (generatedTokens.length == 0) {
            generatedTokens = new int[request.outputTokens()];
        }
        lane = byLane;
        home = pool;
        admission = number;
        admittedWith = known();
        computed = cachedPositions;
        running = true;
        progress = null;
    }

    /// The evicted request has lost its blocks; everything known will be computed again.
    void backToWaiting() {
        computed = 0;
        admittedWith = 0;
        nextFullPositions = 0;
        if (path != null) {
            path.written = 0;
        }
        running = false;
        progress = null;
    }

    void takeOff(LaneId byLane, int count) {
        lane = byLane;
        inFlight = true;
        computed += count;
        progress = null;
    }

    void land() {
        inFlight = false;
        progress = null;
    }

    /// Puts the whole request in flight to another pool.
    void startMove(LaneId byLane, Destination to) {
        lane = byLane;
        inFlight = true;
        destination = to;
        progress = null;
    }

    /// The request lives at its destination from now on; returns what it held before.
    BlockTable endMove() {
        Destination reached = Objects.requireNonNull(destination);
        BlockTable left = blocks;
        blocks = reached.blocks();
        home = reached.pool();
        destination = null;
        path = null;
        progress = null;
        return left;
    }

    void append(int token) {
        generatedTokens[generated++] = token;
        newestToken = token;
        progress = null;
    }

    /// What an index knows of this request's beginning; each index is asked afresh.
    PrefixPath pathIn(PrefixIndex index) {
        PrefixPath known = path;
        if (known == null || known.index != index) {
            known = index.newPath();
            path = known;
        }
        return known;
    }

    /// The id at a position that is known.
    int token(int position) {
        int[] prompt = request.promptTokens();
        return position < prompt.length ? prompt[position] : generatedTokens[position - prompt.length];
    }

    /// The ids at `from` .. `from + count − 1`, all of them known.
    int[] tokens(int from, int count) {
        int[] prompt = request.promptTokens();
        if (from >= prompt.length) {
            int first = from - prompt.length;
            // A decode feeds the newest token back; reading it here spares the step path an array that is not in the cache.
            return first == generated - 1 ? new int[]{newestToken}
                    : Arrays.copyOfRange(generatedTokens, first, first + count);
        }
        int[] tokens = Arrays.copyOfRange(prompt, from, from + count);
        int ofPrompt = prompt.length - from;
        if (count > ofPrompt) {
            System.arraycopy(generatedTokens, 0, tokens, ofPrompt, count - ofPrompt);
        }
        return tokens;
    }

    /// What a moving request holds in the pool it moves to.
    record Destination(PoolId pool, BlockTable blocks) {}
}
