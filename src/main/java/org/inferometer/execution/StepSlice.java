package org.inferometer.execution;

import org.inferometer.workload.Sampling;

/// The positions of one request that a step computes.
///
/// @param firstPosition position of the first token in its sequence
/// @param tokens `[count]` input token ids
/// @param blockTable block ids of the request's pool for at least `firstPosition + count` positions, in order; may be
///     longer; unchanged while the step runs
/// @param sample whether to sample a token after the last position
public record StepSlice(int firstPosition, int[] tokens, int[] blockTable, boolean sample, Sampling sampling) {}
