package org.inferometer.record;

import org.inferometer.scheduling.LaneId;

/// One finished step, for the record.
///
/// @param kernelNanos time in matrix and attention kernels
/// @param decisionNanos time the scheduler and the ledger took before the step
/// @param slices computed positions by request; for a transfer, the copied positions
/// @param prefillPositions useful positions of contexts
/// @param decodeRows useful rows of generations
/// @param paddingRows positions computed for nothing
/// @param movedBytes bytes of keys and values that a transfer copied; 0 for a step that computes
/// @param running requests admitted at the start of the step
/// @param waiting requests waiting at the start of the step
/// @param kvBlocksHeld blocks held in the lane's pool during the step
/// @param reason why this work
public record StepReport(long number, LaneId lane, long startNanos, long endNanos, long kernelNanos, long decisionNanos,
        StepSlices slices, int prefillPositions, int decodeRows, int paddingRows, long movedBytes, int running,
        int waiting, int kvBlocksHeld, String reason) {}
