package org.inferometer.serving;

import org.inferometer.record.StepReport;
import org.inferometer.scheduling.LaneId;
import org.inferometer.scheduling.PoolId;
import org.inferometer.workload.RequestId;

/// Hears what the engine does, beside the requests' own instants. Same promises as [RequestListener].
public interface EngineListener {
    /// A step ended.
    void stepEnded(StepReport step);

    /// A waiting request was let in and holds blocks from now on.
    ///
    /// @param again whether it had been let in before and was preempted
    /// @param cachedPositions positions at its start that need not be computed because the pool still has their keys and values
    default void admitted(RequestId request, LaneId lane, long nanos, boolean again, int cachedPositions) {}

    /// The keys and values of a request were copied to another pool.
    default void transferred(RequestId request, PoolId from, PoolId to, int positions, long bytes, long startNanos,
            long endNanos) {}

    /// A running request lost its blocks; `lostPositions` will be computed again.
    void preempted(RequestId request, long nanos, int lostPositions);

    /// The engine cannot go on; every request has been ended as failed.
    void engineFailed(long nanos, String sentence);
}
