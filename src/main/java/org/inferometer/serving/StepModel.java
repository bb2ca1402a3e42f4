package org.inferometer.serving;

import org.inferometer.execution.KvTransfer;
import org.inferometer.execution.Step;
import org.inferometer.execution.StepOutcome;
import org.inferometer.execution.StepSlice;
import org.inferometer.scheduling.Lane;

/// Stands in for an executor in virtual time: says how a step that starts at an instant would go.
public interface StepModel {
    /// The outcome of a step, its end included.
    StepOutcome run(Lane lane, Step step, long startNanos);

    /// The outcome of a copy between pools, its end included; takes no time and copies nothing unless a model says otherwise.
    default StepOutcome transfer(Lane lane, KvTransfer transfer, long startNanos) {
        return new StepOutcome.Moved(0, startNanos, startNanos);
    }

    /// A step costs a fixed time and a time for each row, padding included; the token chosen is the position it stands at.
    static StepModel affine(long fixedNanos, long rowNanos) {
        return (lane, step, startNanos) -> {
            int sampled = 0;
            for (StepSlice slice : step.slices()) {
                sampled += slice.sample() ? 1 : 0;
            }
            int[] tokens = new int[sampled];
            int next = 0;
            for (StepSlice slice : step.slices()) {
                if (slice.sample()) {
                    tokens[next++] = slice.firstPosition() + slice.tokens().length;
                }
            }
            long nanos = fixedNanos + rowNanos * step.rows();
            return new StepOutcome.Completed(tokens, startNanos, startNanos + nanos, nanos, new float[0][]);
        };
    }
}
