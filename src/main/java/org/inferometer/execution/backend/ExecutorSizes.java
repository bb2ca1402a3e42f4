package org.inferometer.execution.backend;

import org.inferometer.scheduling.Limits;
/// Sizes of an executor.
///
/// @param kvBytes memory for the KV cache, rounded down to whole blocks
/// @param maxStepPositions positions of the largest step, including padding
/// @param maxSequencePositions positions of the longest request, prompt and output
/// @param maxSampledRows sampled rows of the largest step
public record ExecutorSizes(long kvBytes, int maxStepPositions, int maxSequencePositions, int maxSampledRows) {
    /// Sizes for the limits of a run.
    public static ExecutorSizes of(long kvBytes, Limits limits) {
        return new ExecutorSizes(kvBytes, limits.maxStepPositions(), limits.maxSequencePositions(),
                limits.maxBatchRows());
    }
}
