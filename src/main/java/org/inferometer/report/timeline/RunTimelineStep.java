package org.inferometer.report.timeline;

import java.util.List;
import java.util.OptionalInt;

/// One step of the timeline; instants in nanoseconds since the run's anchor.
///
/// @param kernelNanos time in matrix and attention kernels
/// @param decisionNanos time of the decision before the step
/// @param paddingRows padded positions
/// @param poolBlocks blocks of the lane's pool, if known
/// @param reason the scheduler's reason
/// @param parts the computed or copied positions by request
public record RunTimelineStep(long number, String lane, Kind kind, long startNanos, long endNanos, long kernelNanos,
        long decisionNanos, int prefillPositions, int decodeRows, int paddingRows, long movedBytes, int running,
        int waiting, int kvBlocksHeld, OptionalInt poolBlocks, String reason, List<Part> parts) {

    /// The kind of work of a step.
    public enum Kind {
        /// Prefill only.
        PREFILL,
        /// Decode only.
        DECODE,
        /// Both.
        MIXED,
        /// A KV transfer between pools.
        TRANSFER
    }

    /// @param from the first position
    /// @param count positions
    public record Part(int request, int from, int count) {}

    /// Its duration.
    public long lengthNanos() {
        return endNanos - startNanos;
    }

    /// Padding / positions; 0 for a step without positions.
    public double paddingShare() {
        return paddingShare(prefillPositions, decodeRows, paddingRows);
    }

    static double paddingShare(int prefillPositions, int decodeRows, int paddingRows) {
        double all = (double) prefillPositions + decodeRows + paddingRows;
        return all == 0 ? 0 : paddingRows / all;
    }
}
