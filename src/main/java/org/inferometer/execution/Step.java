package org.inferometer.execution;

import java.util.List;

/// One forward pass over a batch of slices, prefill and decode mixed.
///
/// @param number counts steps and transfers of the engine
/// @param paddingRows rows that are computed without attention and yield nothing
/// @param wantLogits whether the outcome has the logits of sampled rows, for tests and checks
/// @param repeats whether it has the slices of the lane's step before, each of one position, one position later. Then the
///     token of each slice is the one that the step before samples for it, and `tokens` has a zero in its place
public record Step(long number, List<StepSlice> slices, int paddingRows, boolean wantLogits,
        boolean repeats) implements LaneJob {
    /// A step whose tokens are all known.
    public Step(long number, List<StepSlice> slices, int paddingRows, boolean wantLogits) {
        this(number, slices, paddingRows, wantLogits, false);
    }

    /// Computed positions, including padding.
    public int rows() {
        int sum = paddingRows;
        for (StepSlice slice : slices) {
            sum += slice.tokens().length;
        }
        return sum;
    }
}
