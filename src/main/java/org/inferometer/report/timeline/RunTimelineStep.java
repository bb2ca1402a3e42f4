package org.inferometer.report.timeline;

import java.util.List;
import java.util.OptionalInt;

/// One step as the timeline tells of it; instants in nanoseconds since the run's anchor.
///
/// @param kernelNanos time in matrix and attention kernels
/// @param decisionNanos time the decision took before the step
/// @param paddingRows positions computed for nothing
/// @param poolBlocks blocks of the lane's pool, where that is known
/// @param reason why this work
/// @param parts what was computed, or copied, of which requests
public record RunTimelineStep(long number, String lane, Kind kind, long startNanos, long endNanos, long kernelNanos,
        long decisionNanos, int prefillPositions, int decodeRows, int paddingRows, long movedBytes, int running,
        int waiting, int kvBlocksHeld, OptionalInt poolBlocks, String reason, List<Part> parts) {

    /// What a step did.
    public enum Kind {
        /// Contexts only.
        PREFILL,
        /// Generations only.
        DECODE,
        /// Both.
        MIXED,
        /// Copied keys and values between pools.
        TRANSFER
    }

    /// @param from the first position
    /// @param count positions
    public record Part(int request, int from, int count) {}

    /// How long it took.
    public long lengthNanos() {
        return endNanos - startNanos;
    }

    /// Share of its positions that were computed for nothing; 0 for a step that computed none.
    public double paddingShare() {
        return paddingShare(prefillPositions, decodeRows, paddingRows);
    }

    static double paddingShare(int prefillPositions, int decodeRows, int paddingRows) {
        double all = (double) prefillPositions + decodeRows + paddingRows;
        return all == 0 ? 0 : paddingRows / all;
    }
}
