package org.inferometer.simulation;

import java.util.Arrays;
import org.inferometer.execution.LaneJob;
import org.inferometer.execution.LaneJob.KvTransfer;
import org.inferometer.execution.LaneJob.Step;
import org.inferometer.execution.LaneJob.StepSlice;
import org.inferometer.execution.StepOutcome;
import org.inferometer.scheduling.Lane;
import org.inferometer.serving.StepModel;

/// Steps of a simulated run: their times come from measured ones, their tokens mean nothing. One thread.
final class TimedSteps implements StepModel {
    private static final float[][] NO_LOGITS = {};

    private final ServingTimes times;
    private final BlockDraw unexplained;
    private long[] laneEndNanos = {}; // [lanes] of computing lanes

    TimedSteps(ServingTimes times, BlockDraw unexplained) {
        this.times = times;
        this.unexplained = unexplained;
    }

    @Override
    public long startDelayNanos(Lane lane, LaneJob job) {
        unexplained.next();
        return unexplained.startDelayNanos();
    }

    @Override
    public long deliveryDelayNanos(Lane lane, LaneJob job) {
        return unexplained.deliveryNanos();
    }

    @Override
    public StepOutcome run(Lane lane, Step step, long startNanos) {
        int[] tokens = new int[(int) step.slices().stream().filter(StepSlice::sample).count()];
        double nanos = times.steps().nanos(StepWork.of(step), otherLanes(startNanos)) * unexplained.ratio();
        long end = startNanos + Math.max(1, Math.round(nanos));
        occupied(lane.id().index(), end);
        return new StepOutcome.Completed(tokens, startNanos, end, end - startNanos, NO_LOGITS);
    }

    @Override
    public StepOutcome transfer(Lane lane, KvTransfer transfer, long startNanos) {
        long nanos = Math.round(times.copyNanos(transfer.positions()));
        return new StepOutcome.Transferred(0, startNanos, startNanos + nanos);
    }

    /// Computing lanes that are busy now.
    private int otherLanes(long nanos) {
        int busy = 0;
        for (long end : laneEndNanos) {
            busy += end > nanos ? 1 : 0;
        }
        return busy;
    }

    private void occupied(int lane, long endNanos) {
        if (lane >= laneEndNanos.length) {
            laneEndNanos = Arrays.copyOf(laneEndNanos, lane + 1);
        }
        laneEndNanos[lane] = endNanos;
    }
}
