package org.inferometer.serving;

import org.inferometer.execution.LaneJob.KvTransfer;
import org.inferometer.execution.LaneJob.Step;
import org.inferometer.execution.LaneJob.StepSlice;
import org.inferometer.execution.StepOutcome;
import org.inferometer.scheduling.Lane;

/// A step takes a fixed time and a time per row, including padding; the sampled token is its position. A transfer takes the fixed
/// time.
///
/// @param copyNanos time per position of a transfer, on top of the fixed time
public record AffineSteps(long fixedNanos, long rowNanos, long copyNanos) implements StepModel {
    /// Transfers that take the fixed time.
    public AffineSteps(long fixedNanos, long rowNanos) {
        this(fixedNanos, rowNanos, 0);
    }

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
