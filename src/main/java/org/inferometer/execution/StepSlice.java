package org.inferometer.execution;

import org.inferometer.workload.Sampling;

/// The positions of one request that a step computes.
///
/// @param firstPosition position of the first token in its sequence
/// @param tokens `[count]` token ids fed in
/// @param blockTable block ids of the request's pool, in order of positions; covers `firstPosition + count` positions; may be
///     longer; not changed while the step runs
/// @param sample whether a token is to be chosen from the logits after the last position
public record StepSlice(int firstPosition, int[] tokens, int[] blockTable, boolean sample, Sampling sampling) {}
