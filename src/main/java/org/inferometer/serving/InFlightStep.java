package org.inferometer.serving;

import java.util.List;
import org.inferometer.execution.KvTransfer;
import org.inferometer.execution.Step;
import org.inferometer.execution.StepOutcome;
import org.inferometer.record.StepReport;
import org.inferometer.record.StepSlices;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.Work;

/// What runs on a lane, and what its report will need.
sealed interface InFlightStep {
    Lane lane();

    /// The requests in it, in slice order.
    List<LiveRequest> riders();

    /// The engine's state when a flight started.
    ///
    /// @param running requests admitted
    /// @param waiting requests waiting
    /// @param heldBlocks blocks held in the lane's pool
    record Scene(int running, int waiting, int heldBlocks) {}

    /// A step that computes.
    record Computing(Lane lane, Work.Compute work, Step step, List<LiveRequest> riders, StepAssembly.Counts counts,
            Scene scene, String reason) implements InFlightStep {
        StepReport report(StepOutcome.Completed done, long decisionNanos) {
            return new StepReport(step.number(), lane.id(), done.startNanos(), done.endNanos(), done.kernelNanos(),
                    decisionNanos, StepSlices.of(work.slices()), counts.prefillPositions(), counts.decodeRows(),
                    work.paddingRows(), 0, scene.running(), scene.waiting(), scene.heldBlocks(), reason);
        }
    }

    /// A copy of a request's keys and values; no kernel runs in it.
    record Moving(Lane lane, Work.Move work, KvTransfer transfer, LiveRequest rider, Scene scene,
            String reason) implements InFlightStep {
        @Override
        public List<LiveRequest> riders() {
            return List.of(rider);
        }

        StepReport report(StepOutcome.Moved done, long decisionNanos) {
            return new StepReport(transfer.number(), lane.id(), done.startNanos(), done.endNanos(), 0, decisionNanos,
                    StepSlices.of(work.request(), 0, transfer.positions()), 0, 0, 0, done.bytes(), scene.running(),
                    scene.waiting(), scene.heldBlocks(), reason);
        }
    }
}
