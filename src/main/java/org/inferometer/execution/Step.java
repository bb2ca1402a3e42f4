package org.inferometer.execution;

import java.util.List;

/// One forward pass over a batch of slices, prefill and decode mixed.
///
/// @param number counts steps and transfers of the engine
/// @param paddingRows rows that are computed without attention and yield nothing
/// @param wantLogits whether the outcome has the logits of sampled rows, for tests and checks
public record Step(long number, List<StepSlice> slices, int paddingRows, boolean wantLogits) implements LaneJob {
    /// Computed positions, including padding.
    public int rows() {
        int sum = paddingRows;
        for (StepSlice slice : slices) {
            sum += slice.tokens().length;
        }
        return sum;
    }
}
