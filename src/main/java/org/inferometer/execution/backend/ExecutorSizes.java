package org.inferometer.execution.backend;

import org.inferometer.scheduling.Limits;
/// Sizes of an executor.
///
/// @param kvBytes memory for the KV cache, rounded down to whole blocks
/// @param maxStepPositions most positions of a step, padding included
/// @param maxSequencePositions most positions of one request, prompt and output together
/// @param maxSampledRows most rows of a step from which a token is chosen
public record ExecutorSizes(long kvBytes, int maxStepPositions, int maxSequencePositions, int maxSampledRows) {
    /// Sizes for the limits of a run.
    public static ExecutorSizes of(long kvBytes, Limits limits) {
        return new ExecutorSizes(kvBytes, limits.maxStepPositions(), limits.maxSequencePositions(),
                limits.maxBatchRows());
    }
}
