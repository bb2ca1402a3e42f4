package org.inferometer.serving;

import org.inferometer.execution.LaneJob;
import org.inferometer.execution.LaneJob.KvTransfer;
import org.inferometer.execution.LaneJob.Step;
import org.inferometer.execution.LaneJob.StepSlice;
import org.inferometer.execution.StepOutcome;
import org.inferometer.scheduling.Lane;

/// A cost model in place of an executor, for virtual time.
public interface StepModel {
    /// The outcome of a step, including its end.
    StepOutcome run(Lane lane, Step step, long startNanos);

    /// The outcome of a transfer, including its end; by default it takes no time and copies nothing.
    default StepOutcome transfer(Lane lane, KvTransfer transfer, long startNanos) {
        return new StepOutcome.Transferred(0, startNanos, startNanos);
    }

    /// The outcome of a step or a transfer, including its end.
    default StepOutcome outcome(Lane lane, LaneJob job, long startNanos) {
        return switch (job) {
            case Step step -> run(lane, step, startNanos);
            case KvTransfer transfer -> transfer(lane, transfer, startNanos);
        };
    }

    /// A step takes a fixed time and a time per row, including padding; the sampled token is its position. A transfer takes the
    /// fixed time.
    static StepModel affine(long fixedNanos, long rowNanos) {
        return new Affine(fixedNanos, rowNanos, 0);
    }

    /// @param copyNanos time per position of a transfer, on top of the fixed time
    record Affine(long fixedNanos, long rowNanos, long copyNanos) implements StepModel {
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
}
