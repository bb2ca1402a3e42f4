package org.inferometer.serving;

import org.inferometer.execution.KvTransfer;
import org.inferometer.execution.Step;
import org.inferometer.execution.StepOutcome;
import org.inferometer.execution.StepSlice;
import org.inferometer.scheduling.Lane;

/// A fixed time for each step and each transfer, and a time for each row or copied position on top.
record AffineStepModel(long fixedNanos, long rowNanos, long copyNanos) implements StepModel {
    @Override
    public StepOutcome run(Lane lane, Step step, long startNanos) {
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
    }

    @Override
    public StepOutcome transfer(Lane lane, KvTransfer transfer, long startNanos) {
        long nanos = fixedNanos + copyNanos * transfer.positions();
        return new StepOutcome.Transferred(transfer.positions(), startNanos, startNanos + nanos);
    }
}
