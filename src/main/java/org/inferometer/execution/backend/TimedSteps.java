package org.inferometer.execution.backend;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.inferometer.execution.Step;
import org.inferometer.execution.StepSlice;
import org.inferometer.workload.Sampling;

/// Steps that are worth timing, for [StepTurns].
public final class TimedSteps {
    private TimedSteps() {}

    /// Decode steps, one for each lane, over contexts that nobody computed: their cost is the same.
    ///
    /// @param context positions before the one that is computed
    public static List<Step> decode(int lanes, int sequencesEach, int context, int blockTokens) {
        int blocksEach = Math.ceilDiv(context + 1, blockTokens);
        List<Step> steps = new ArrayList<>();
        for (int lane = 0; lane < lanes; lane++) {
            List<StepSlice> slices = new ArrayList<>();
            for (int i = 0; i < sequencesEach; i++) {
                int first = (lane * sequencesEach + i) * blocksEach;
                slices.add(new StepSlice(context, new int[]{i}, blocks(first, blocksEach), true, Sampling.GREEDY));
            }
            steps.add(new Step(0, slices, 0, false));
        }
        return steps;
    }

    /// A step that takes a whole prompt in.
    public static Step prefill(int tokens, int blockTokens) {
        int[] blocks = blocks(0, Math.ceilDiv(tokens, blockTokens));
        return new Step(0, List.of(new StepSlice(0, new int[tokens], blocks, true, Sampling.GREEDY)), 0, false);
    }

    private static int[] blocks(int first, int count) {
        int[] blocks = new int[count];
        Arrays.setAll(blocks, block -> first + block);
        return blocks;
    }
}
