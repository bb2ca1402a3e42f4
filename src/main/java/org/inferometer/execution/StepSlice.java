package org.inferometer.execution;

import org.inferometer.workload.Sampling;

/// The positions of one request that a step computes.
///
/// @param firstPosition position of the first token in its sequence
/// @param tokens `[count]` input token ids
/// @param promptTokens how many of the tokens are of the request's prompt; they come first. A backend may compute them
///     by faster products of many rows, whatever it computes beside them
/// @param blockTable block ids of the request's pool for at least `firstPosition + count` positions, in order; may be
///     longer; unchanged while the step runs
/// @param sample whether to sample a token after the last position
public record StepSlice(int firstPosition, int[] tokens, int promptTokens, int[] blockTable, boolean sample,
        Sampling sampling) {
    /// Tokens after the prompt.
    public StepSlice(int firstPosition, int[] tokens, int[] blockTable, boolean sample, Sampling sampling) {
        this(firstPosition, tokens, 0, blockTable, sample, sampling);
    }
}
