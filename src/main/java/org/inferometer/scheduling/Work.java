package org.inferometer.scheduling;

import java.util.List;
import org.inferometer.workload.RequestId;

/// The work of a lane in one step.
public sealed interface Work {
    /// @param slices at most one per request, in execution order
    /// @param paddingRows padding positions, which cost time and yield nothing
    record Compute(List<Slice> slices, int paddingRows) implements Work {}

    /// Copies a request's keys and values to another pool.
    record Transfer(RequestId request, PoolId from, PoolId to) implements Work {}
}
