package org.inferometer.serving;

import java.util.List;
import org.inferometer.execution.Step;
import org.inferometer.execution.StepOutcome;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.Work;

/// A step that runs on a lane, and what its report will need.
///
/// @param riders the requests in it, in slice order
/// @param running requests admitted when it started
/// @param waiting requests waiting when it started
/// @param heldBlocks blocks held in the lane's pool
record Flight(
        Lane lane,
        Work.Compute work,
        Step step,
        List<LiveRequest> riders,
        StepAssembly.Counts counts,
        int running,
        int waiting,
        int heldBlocks,
        String reason) {
    StepReport report(StepOutcome.Completed done, long decisionNanos) {
        return new StepReport(
                step.number(),
                lane.id(),
                done.startNanos(),
                done.endNanos(),
                done.kernelNanos(),
                decisionNanos,
                StepSlices.of(work.slices()),
                counts.prefillPositions(),
                counts.decodeRows(),
                work.paddingRows(),
                0,
                running,
                waiting,
                heldBlocks,
                reason);
    }
}
