package org.inferometer.scheduling;

/// The limits every scheduler obeys in a run.
///
/// @param maxBatchRows requests in one step
/// @param maxStepPositions positions in one step, padding included
/// @param maxSequencePositions positions a single request may reach
public record Limits(int maxBatchRows, int maxStepPositions, int maxSequencePositions) {}
