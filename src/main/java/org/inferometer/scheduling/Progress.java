package org.inferometer.scheduling;

import org.inferometer.workload.Request;

/// How far a request is, as the ledger's books say at the instant of a decision. Immutable.
///
/// @param known tokens whose ids are known: the prompt and what was generated
/// @param computed positions whose keys and values are in the cache (or are being computed, while in flight)
/// @param admittedWith `known` when it was (last) admitted: the positions that count as its context; 0 while waiting
/// @param generated tokens generated so far
/// @param inFlight whether a step that contains it is running
/// @param lane the lane that (last) ran it; meaningless while waiting and never run
/// @param pool the pool that holds its blocks
/// @param arrivedNanos when it reached the engine; age decides every conflict
/// @param admission counts admissions of the run; orders running requests by when they were admitted
public record Progress(Request request, int known, int computed, int admittedWith, int generated, boolean inFlight,
        LaneId lane, PoolId pool, long arrivedNanos, long admission) {

    /// Whether it holds no blocks: never admitted, or evicted.
    public boolean isWaiting() {
        return admittedWith == 0;
    }

    /// Whether it arrived earlier; of requests that arrived at one instant the lower id is the older.
    public boolean isOlderThan(Progress other) {
        return arrivedNanos != other.arrivedNanos ? arrivedNanos < other.arrivedNanos
                : request.id().index() < other.request.id().index();
    }

    /// Positions that can be computed now: many for a prefill, one for a decode.
    public int pending() {
        return known - computed;
    }

    /// Whether it needs no further block for what is pending: a single position of a block that it began. Spares a look into the pool.
    public boolean fillsBegunBlock(int blockTokens) {
        return admittedWith > 0 && known - computed == 1 && computed % blockTokens != 0;
    }

    /// Whether part of the context that it was admitted with is still to be computed.
    public boolean inContext() {
        return computed < admittedWith;
    }

    /// Tokens still to generate.
    public int remaining() {
        return request.outputTokens() - generated;
    }
}
