package org.inferometer.simulation;

import java.util.function.IntUnaryOperator;
import org.inferometer.execution.LaneJob.Step;
import org.inferometer.execution.LaneJob.StepSlice;
import org.inferometer.record.StepReport;
import org.inferometer.record.StepSlices;

/// What a step computes, as far as its time depends on it.
///
/// @param rows positions of all slices and padding
/// @param readPositions earlier positions that slices of one position read, all together
/// @param attendedPairs pairs of a position of a longer slice and one that it reads
/// @param slices requests in the step
/// @param sampledSlices slices that yield a token
public record StepWork(int rows, long readPositions, long attendedPairs, int slices, int sampledSlices) {
    // Ends of the parts of a number of rows; within a part, each row takes equally long. Kernels change at such numbers.
    private static final int[] ROW_ENDS = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 512, 1024};
    private static final int OTHER_TERMS = 5;

    /// Terms of the time of a step.
    static final int TERMS = ROW_ENDS.length + OTHER_TERMS;

    /// The work of a recorded step.
    ///
    /// @param promptTokens of a request, by its index
    public static StepWork of(StepReport step, IntUnaryOperator promptTokens) {
        StepSlices slices = step.slices();
        Counter counter = new Counter(step.paddingRows());
        for (int i = 0; i < slices.size(); i++) {
            int end = slices.from(i) + slices.count(i);
            counter.add(slices.from(i), slices.count(i), end >= promptTokens.applyAsInt(slices.request(i)));
        }
        return counter.work();
    }

    /// The work of a step that is about to run.
    static StepWork of(Step step) {
        Counter counter = new Counter(step.paddingRows());
        for (StepSlice slice : step.slices()) {
            counter.add(slice.firstPosition(), slice.tokens().length, slice.sample());
        }
        return counter.work();
    }

    /// Writes the values of the terms, none negative.
    ///
    /// @param into `[TERMS]`
    void terms(double[] into) {
        int at = 0;
        into[at++] = 1;
        int from = ROW_ENDS[0];
        for (int i = 1; i <= ROW_ENDS.length; i++) {
            int end = i < ROW_ENDS.length ? ROW_ENDS[i] : Integer.MAX_VALUE;
            into[at++] = Math.clamp((long) rows - from, 0, end - from);
            from = end;
        }
        into[at++] = readPositions;
        into[at++] = attendedPairs;
        into[at++] = slices;
        into[at] = sampledSlices;
    }

    private static final class Counter {
        private int rows;
        private long read;
        private long pairs;
        private int slices;
        private int sampled;

        private Counter(int padding) {
            rows = padding;
        }

        private void add(int from, int count, boolean sample) {
            rows += count;
            if (count == 1) {
                read += from + 1L;
            } else {
                pairs += count * (from + (count + 1L) / 2);
            }
            slices++;
            sampled += sample ? 1 : 0;
        }

        private StepWork work() {
            return new StepWork(rows, read, pairs, slices, sampled);
        }
    }
}
