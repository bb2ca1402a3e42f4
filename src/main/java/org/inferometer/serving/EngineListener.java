package org.inferometer.serving;

import org.inferometer.record.StepReport;
import org.inferometer.scheduling.LaneId;
import org.inferometer.scheduling.PoolId;
import org.inferometer.workload.RequestId;

/// Receives the events of the engine besides those of requests; same rules as for [RequestListener].
public interface EngineListener {
    /// A step ended.
    void stepEnded(StepReport step);

    /// A waiting request was admitted and holds blocks.
    ///
    /// @param again whether it was admitted before and preempted
    /// @param cachedPositions positions at its start that are cached and not computed again
    default void admitted(RequestId request, LaneId lane, long nanos, boolean again, int cachedPositions) {}

    /// The keys and values of a request were copied to another pool.
    default void transferred(RequestId request, PoolId from, PoolId to, int positions, long bytes, long startNanos,
            long endNanos) {}

    /// A running request was preempted; `lostPositions` are computed again.
    void preempted(RequestId request, long nanos, int lostPositions);

    /// The engine failed; every request has ended as failed.
    void engineFailed(long nanos, String sentence);
}
