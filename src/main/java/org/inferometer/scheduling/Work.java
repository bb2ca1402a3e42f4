package org.inferometer.scheduling;

import java.util.List;
import org.inferometer.workload.RequestId;

/// What a lane is given to do in one step.
public sealed interface Work {
    /// Compute positions.
    ///
    /// @param slices at most one per request, in execution order
    /// @param paddingRows positions computed for nothing, as a padded batch does: they cost and yield nothing
    record Compute(List<Slice> slices, int paddingRows) implements Work {
        /// Positions that yield something.
        public int usefulPositions() {
            int sum = 0;
            for (Slice slice : slices) {
                sum += slice.count();
            }
            return sum;
        }
    }

    /// Copy a request's keys and values to another pool.
    record Transfer(RequestId request, PoolId from, PoolId to) implements Work {}
}
