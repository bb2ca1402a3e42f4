package org.inferometer.execution;

/// What came of a step.
public sealed interface StepOutcome {
    /// The step ran.
    ///
    /// @param tokens the chosen token of each slice with `sample`, in slice order
    /// @param startNanos when the lane began
    /// @param endNanos when the lane was done
    /// @param kernelNanos of that, time in the matrix and attention kernels (the rest is the share outside them)
    /// @param logits `[sampled slices][vocabulary]` on request, else empty
    record Completed(int[] tokens, long startNanos, long endNanos, long kernelNanos,
            float[][] logits) implements StepOutcome {}

    /// A transfer ran.
    ///
    /// @param bytes copied
    record Moved(long bytes, long startNanos, long endNanos) implements StepOutcome {}

    /// The step failed; the run ends with a record that says so.
    record Failed(ExecutorException cause) implements StepOutcome {}
}
