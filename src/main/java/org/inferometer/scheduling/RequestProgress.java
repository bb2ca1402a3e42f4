package org.inferometer.scheduling;

import org.inferometer.workload.Request;

/// The progress of a request at the instant of a decision. Immutable.
///
/// @param known prompt tokens plus generated tokens
/// @param computed positions whose keys and values are in the cache, or are being computed while in flight
/// @param admittedWith `known` at the last admission, the positions of its context; 0 while waiting
/// @param generated tokens generated so far
/// @param inFlight whether a running step contains it
/// @param lane the lane that ran it last; undefined if it never ran
/// @param pool the pool of its blocks
/// @param arrivedNanos arrival at the engine; the older request wins every conflict
/// @param admission counts the admissions of the run
public record RequestProgress(Request request, int known, int computed, int admittedWith, int generated,
        boolean inFlight, LaneId lane, PoolId pool, long arrivedNanos, long admission) {

    /// Whether it holds no blocks: never admitted, or preempted.
    public boolean isWaiting() {
        return admittedWith == 0;
    }

    /// Whether it arrived earlier; ties go to the lower id.
    public boolean isOlderThan(RequestProgress other) {
        return arrivedNanos != other.arrivedNanos ? arrivedNanos < other.arrivedNanos
                : request.id().index() < other.request.id().index();
    }

    /// Known positions that are not computed: many for a prefill, one for a decode.
    public int pending() {
        return known - computed;
    }

    /// Whether its one pending position is in a block that it holds. Avoids a pool look-up.
    public boolean fillsBegunBlock(int blockTokens) {
        return admittedWith > 0 && known - computed == 1 && computed % blockTokens != 0;
    }

    /// Whether a part of its context is not computed.
    public boolean inContext() {
        return computed < admittedWith;
    }

    /// Tokens left to generate, at most.
    public int remaining() {
        return request.outputTokens() - generated;
    }
}
