package org.inferometer.serving;

import org.inferometer.workload.RequestId;

/// Hears what the engine does, beside the requests' own instants. Same promises as [RequestListener].
public interface EngineListener {
    /// A step ended.
    void stepEnded(StepReport step);

    /// A running request lost its blocks; `lostPositions` will be computed again.
    void preempted(RequestId request, long nanos, int lostPositions);

    /// The engine cannot go on; every request has been ended as failed.
    void engineFailed(long nanos, String sentence);
}
