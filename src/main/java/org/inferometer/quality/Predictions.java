package org.inferometer.quality;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.LaneJob.Step;
import org.inferometer.execution.LaneJob.StepSlice;
import org.inferometer.prompting.SingleLane;
import org.inferometer.workload.Sampling;

/// The logits of an engine before each counted token of a window, in parts. One thread.
final class Predictions {
    /// Positions whose logits are computed together.
    static final int PART = 32;

    private final SingleLane lane;
    private final int[] tokens;
    private final ScoredWindow window;
    private int next; // position of the next prediction, by the text

    Predictions(SingleLane lane, int[] tokens, ScoredWindow window) {
        this.lane = lane;
        this.tokens = tokens;
        this.window = window;
        this.next = window.scored() - 1;
    }

    /// Reads the context.
    void readContext() throws ExecutorException, InterruptedException {
        for (int at = window.begin(); at < next; at += SingleLane.STEP_POSITIONS) {
            int end = Math.min(next, at + SingleLane.STEP_POSITIONS);
            lane.compute(new Step(lane.nextStep(), List.of(slice(at, end, false)), 0, false));
        }
    }

    /// The logits before the next counted tokens, `[positions][vocabulary]`; empty at the end.
    float[][] next() throws ExecutorException, InterruptedException {
        int end = Math.min(window.end() - 1, next + PART);
        if (next >= end) {
            return new float[0][];
        }
        // All keys of a step are written before its attention, so positions of one sequence can be slices of one step.
        List<StepSlice> slices = new ArrayList<>();
        for (int at = next; at < end; at++) {
            slices.add(slice(at, at + 1, true));
        }
        next = end;
        return lane.compute(new Step(lane.nextStep(), slices, 0, true)).logits();
    }

    private StepSlice slice(int from, int to, boolean sample) {
        return new StepSlice(from - window.begin(), Arrays.copyOfRange(tokens, from, to), lane.blocks(), sample,
                Sampling.GREEDY);
    }
}
