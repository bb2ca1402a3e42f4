package org.inferometer.execution;

import java.util.List;

/// One pass through the model over a batch of slices, prefill and decode mixed.
///
/// @param number counts the steps of the engine
/// @param paddingRows rows that go through every matrix like the others, attend to nothing and yield nothing
/// @param wantLogits whether the outcome carries the logits of the sampled rows (tests and quality checks)
public record Step(long number, List<StepSlice> slices, int paddingRows, boolean wantLogits) implements LaneJob {
    /// Positions computed, padding included.
    public int rows() {
        int sum = paddingRows;
        for (StepSlice slice : slices) {
            sum += slice.tokens().length;
        }
        return sum;
    }
}
