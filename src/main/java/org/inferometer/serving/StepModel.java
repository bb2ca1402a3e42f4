package org.inferometer.serving;

import org.inferometer.execution.KvTransfer;
import org.inferometer.execution.Step;
import org.inferometer.execution.StepOutcome;
import org.inferometer.scheduling.Lane;

/// Stands in for an executor in virtual time: says how a step that starts at an instant would go.
public interface StepModel {
    /// The outcome of a step, its end included.
    StepOutcome run(Lane lane, Step step, long startNanos);

    /// The outcome of a copy between pools, its end included; takes no time and copies nothing unless a model says otherwise.
    default StepOutcome transfer(Lane lane, KvTransfer transfer, long startNanos) {
        return new StepOutcome.Transferred(0, startNanos, startNanos);
    }

    /// A step costs a fixed time and a time for each row, padding included; the token chosen is the position it stands at. A
    /// transfer costs the fixed time alone.
    static StepModel affine(long fixedNanos, long rowNanos) {
        return affine(fixedNanos, rowNanos, 0);
    }

    /// The same with transfers that cost the fixed time and `copyNanos` for each position, of one byte.
    static StepModel affine(long fixedNanos, long rowNanos, long copyNanos) {
        return new AffineStepModel(fixedNanos, rowNanos, copyNanos);
    }
}
