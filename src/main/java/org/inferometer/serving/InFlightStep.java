package org.inferometer.serving;

import java.util.List;
import org.inferometer.execution.LaneJob;
import org.inferometer.record.StepReport;
import org.inferometer.record.StepSlices;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.Work;

/// A step or a transfer that runs on a lane, with the data for its report.
///
/// @param number counts steps and transfers together
/// @param job what the lane runs
/// @param requests in slice order
/// @param slices what is computed; of a transfer, the positions that are copied
/// @param reason why the scheduler chose this work
record InFlightStep(long number, Lane lane, Work work, LaneJob job, List<LiveRequest> requests, StepSlices slices,
        Counts counts, Occupancy occupancy, String reason) {
    /// What a step consists of.
    ///
    /// @param sampledSlices slices after which tokens are chosen
    record Counts(int prefillPositions, int decodeRows, int paddingRows, int sampledSlices) {
        /// A transfer computes nothing.
        static final Counts NONE = new Counts(0, 0, 0, 0);

        /// Whether each of this many slices is one position after which a token is chosen.
        boolean onlyDecodes(int slices) {
            return prefillPositions == 0 && decodeRows == slices && sampledSlices == slices;
        }
    }

    /// The engine's state when the step started.
    ///
    /// @param running requests admitted
    /// @param waiting requests waiting
    /// @param heldBlocks blocks held in the lane's pool
    record Occupancy(int running, int waiting, int heldBlocks) {}

    /// The same with the engine's state at another instant.
    InFlightStep with(Occupancy other) {
        return new InFlightStep(number, lane, work, job, requests, slices, counts, other, reason);
    }

    StepReport report(long startNanos, long endNanos, long kernelNanos, long decisionNanos, long copiedBytes) {
        return new StepReport(number, lane.id(), startNanos, endNanos, kernelNanos, decisionNanos, slices,
                counts.prefillPositions, counts.decodeRows, counts.paddingRows, copiedBytes, occupancy.running,
                occupancy.waiting, occupancy.heldBlocks, reason);
    }
}
