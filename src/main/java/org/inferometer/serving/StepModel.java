package org.inferometer.serving;

import org.inferometer.execution.LaneJob;
import org.inferometer.execution.LaneJob.KvTransfer;
import org.inferometer.execution.LaneJob.Step;
import org.inferometer.execution.StepOutcome;
import org.inferometer.scheduling.Lane;

/// A cost model in place of an executor, for virtual time. Called from one thread, in the order of virtual time.
public interface StepModel {
    /// The outcome of a step, including its end.
    StepOutcome run(Lane lane, Step step, long startNanos);

    /// The outcome of a transfer, including its end; by default it takes no time and copies nothing.
    default StepOutcome transfer(Lane lane, KvTransfer transfer, long startNanos) {
        return new StepOutcome.Transferred(0, startNanos, startNanos);
    }

    /// How long a job waits on its idle lane before it starts: the decision, and the way to the lane.
    default long startDelayNanos(Lane lane, LaneJob job) {
        return 0;
    }

    /// How long it takes from the end of a job until its tokens are delivered.
    default long deliveryDelayNanos(Lane lane, LaneJob job) {
        return 0;
    }

    /// The outcome of a step or a transfer, including its end.
    default StepOutcome outcome(Lane lane, LaneJob job, long startNanos) {
        return switch (job) {
            case Step step -> run(lane, step, startNanos);
            case KvTransfer transfer -> transfer(lane, transfer, startNanos);
        };
    }
}
