package org.inferometer.report.timeline;

import java.util.OptionalInt;
import org.inferometer.record.StepReport;

/// One step of the timeline.
///
/// @param lane label of its lane
/// @param poolBlocks blocks of the lane's pool, if known
public record RunTimelineStep(StepReport report, String lane, Kind kind, OptionalInt poolBlocks) {

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

    /// Its duration.
    public long lengthNanos() {
        return report.endNanos() - report.startNanos();
    }

    /// Padding / positions; 0 for a step without positions.
    public double paddingShare() {
        return paddingShare(report);
    }

    static double paddingShare(StepReport step) {
        double all = (double) step.prefillPositions() + step.decodeRows() + step.paddingRows();
        return all == 0 ? 0 : step.paddingRows() / all;
    }
}
