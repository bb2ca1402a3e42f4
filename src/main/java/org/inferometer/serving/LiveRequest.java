package org.inferometer.serving;

import java.util.Arrays;
import java.util.Objects;
import org.inferometer.scheduling.LaneId;
import org.inferometer.scheduling.PoolId;
import org.inferometer.scheduling.RequestProgress;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestId;
import org.jspecify.annotations.Nullable;

/// A request and its progress. Mutable; used by the loop's thread only.
final class LiveRequest {
    private static final int[] NONE = {};

    final Request request;
    /// The index of its id.
    final int index;
    final long arrivedNanos;
    /// Numbers the live requests densely, so that a reservation can keep its entries in arrays.
    final int slot;

    LaneId lane;
    PoolId pool;
    boolean running;
    boolean inFlight;
    /// Whether its end was reported; it may still be in flight.
    boolean ended;
    boolean admissionReported;
    boolean prefillReported;
    /// Blocks in its pool.
    BlockTable blocks = new BlockTable();
    /// The target of a running transfer; null without one.
    @Nullable
    Destination destination;

    /// Computed positions at which the next block is full that the prefix index does not have yet.
    int nextFullPositions;

    private @Nullable PrefixPath path;

    @Nullable
    LiveRequest previousWaiting;
    @Nullable
    LiveRequest nextWaiting;

    private int[] generatedTokens = NONE; // [maxTokens], allocated at the first admission
    private int generated;
    private int newestToken;
    private boolean complete;
    private final StopCheck stop;
    private int computed;
    /// Tokens that a running step samples and that are taken as known, 0 or 1. Then a queued step may compute the last of
    /// `computed` positions.
    private int ahead;
    private int admittedWith;
    private long admission;
    private @Nullable RequestProgress progress;

    LiveRequest(Request request, StopCheck stop, long arrivedNanos, int slot, LaneId lane, PoolId pool) {
        this.request = request;
        this.stop = stop;
        this.index = request.id().index();
        this.arrivedNanos = arrivedNanos;
        this.slot = slot;
        this.lane = lane;
        this.pool = pool;
    }

    RequestId id() {
        return request.id();
    }

    int known() {
        return request.promptTokens().length + generated + ahead;
    }

    int computed() {
        return computed;
    }

    /// Computed positions without that of a queued step, once the running one has ended.
    int written() {
        return computed - ahead;
    }

    boolean inContext() {
        return computed < admittedWith;
    }

    boolean isComplete() {
        return complete;
    }

    boolean isOlderThan(LiveRequest other) {
        return arrivedNanos != other.arrivedNanos ? arrivedNanos < other.arrivedNanos : index < other.index;
    }

    /// The view of schedulers; a new object only after a change.
    RequestProgress progress() {
        RequestProgress seen = progress;
        if (seen == null) {
            seen = new RequestProgress(request, known(), computed, admittedWith, generated + ahead, inFlight, lane,
                    pool, arrivedNanos, admission);
            progress = seen;
        }
        return seen;
    }

    /// @param cachedPositions positions whose keys and values its blocks already hold
    void admit(LaneId byLane, PoolId inPool, long number, int cachedPositions) {
        if (generatedTokens.length == 0) {
            generatedTokens = new int[request.stop().maxTokens()];
        }
        lane = byLane;
        pool = inPool;
        admission = number;
        admittedWith = known();
        computed = cachedPositions;
        running = true;
        progress = null;
    }

    /// Returns to the waiting queue without blocks; everything known is computed again.
    void requeue() {
        computed = 0;
        admittedWith = 0;
        nextFullPositions = 0;
        if (path != null) {
            path.written = 0;
        }
        running = false;
        progress = null;
    }

    void schedule(LaneId byLane, int count) {
        lane = byLane;
        inFlight = true;
        computed += count;
        progress = null;
    }

    /// Whether the next token can be its last.
    boolean mayEndWithNextToken() {
        return !request.stop().early().isNone() || generated + 1 >= request.stop().maxTokens();
    }

    /// Shows the request as it will be when its running step has ended, with a token of unknown value.
    void lookAhead() {
        inFlight = false;
        ahead = 1;
        progress = null;
    }

    /// Reverts [#lookAhead].
    void lookBack() {
        inFlight = true;
        ahead = 0;
        progress = null;
    }

    void complete() {
        inFlight = false;
        progress = null;
    }

    /// Marks the request as in flight to another pool.
    void startTransfer(LaneId byLane, Destination to) {
        lane = byLane;
        inFlight = true;
        destination = to;
        progress = null;
    }

    /// Moves the request to its destination; returns the blocks that it held before.
    BlockTable endTransfer() {
        Destination reached = Objects.requireNonNull(destination);
        BlockTable left = blocks;
        blocks = reached.blocks();
        pool = reached.pool();
        destination = null;
        path = null;
        progress = null;
        return left;
    }

    /// Appends tokens until its stop rule ends the generation; returns how many were taken.
    int append(int[] tokens, int from, int until) {
        ahead = 0;
        int next = from;
        while (next < until && !complete) {
            newestToken = tokens[next++];
            generatedTokens[generated++] = newestToken;
            complete = stop.endsAfter(newestToken, generated);
        }
        progress = null;
        return next - from;
    }

    /// The prefixes of this request that an index knows; looked up again for another index.
    PrefixPath pathIn(PrefixIndex index) {
        PrefixPath known = path;
        if (known == null || known.index != index) {
            known = index.newPath();
            path = known;
        }
        return known;
    }

    /// The token at a known position.
    int token(int position) {
        int[] prompt = request.promptTokens();
        return position < prompt.length ? prompt[position] : generatedTokens[position - prompt.length];
    }

    /// The known tokens at `from` .. `from + count − 1`.
    int[] tokens(int from, int count) {
        int[] prompt = request.promptTokens();
        if (from >= prompt.length) {
            int first = from - prompt.length;
            // A decode feeds back the newest token; this field avoids reading an array that is not in the CPU cache.
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

    /// The blocks of a request in the pool that it is transferred to.
    record Destination(PoolId pool, BlockTable blocks) {}
}
