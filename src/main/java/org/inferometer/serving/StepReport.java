package org.inferometer.serving;

import org.inferometer.scheduling.LaneId;

/// One finished step, for the record.
///
/// @param kernelNanos time in matrix and attention kernels
/// @param decisionNanos time the scheduler and the ledger took before the step
/// @param prefillPositions useful positions of contexts
/// @param decodeRows useful rows of generations
/// @param paddingRows positions computed for nothing
/// @param slices requests in the step
/// @param running requests admitted at the start of the step
/// @param waiting requests waiting at the start of the step
/// @param kvBlocksHeld blocks held in the lane's pool during the step
/// @param reason why this work
public record StepReport(
        long number,
        LaneId lane,
        long startNanos,
        long endNanos,
        long kernelNanos,
        long decisionNanos,
        int slices,
        int prefillPositions,
        int decodeRows,
        int paddingRows,
        int running,
        int waiting,
        int kvBlocksHeld,
        String reason) {}
