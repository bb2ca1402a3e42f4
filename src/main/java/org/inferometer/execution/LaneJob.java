package org.inferometer.execution;

import java.util.List;
import org.inferometer.scheduling.PoolId;
import org.inferometer.workload.Sampling;

/// A job for one lane: a step, or a transfer between KV pools.
public sealed interface LaneJob {
    /// Its number; an engine counts steps and transfers together.
    long number();

    /// Names it in messages: "Step 7".
    default String describe() {
        return switch (this) {
            case Step step -> "Step " + step.number();
            case KvTransfer transfer -> "Transfer " + transfer.number();
        };
    }

    /// A copy of a request's keys and values from one pool to another.
    ///
    /// @param number counts with the steps of the engine
    /// @param fromBlocks `[blocks]` source block ids, in order of positions
    /// @param toBlocks `[≥ blocks]` target block ids, in order of positions; further blocks stay empty
    /// @param positions positions to copy
    record KvTransfer(long number, PoolId from, int[] fromBlocks, PoolId to, int[] toBlocks,
            int positions) implements LaneJob {}

    /// The positions of one request that a step computes.
    ///
    /// @param firstPosition position of the first token in its sequence
    /// @param tokens `[count]` input token ids
    /// @param blockTable block ids of the request's pool for at least `firstPosition + count` positions, in order; may be
    ///     longer; unchanged while the step runs
    /// @param sample whether to sample a token after the last position
    record StepSlice(int firstPosition, int[] tokens, int[] blockTable, boolean sample, Sampling sampling) {}

    /// One forward pass over a batch of slices, prefill and decode mixed.
    ///
    /// @param number counts steps and transfers of the engine
    /// @param paddingRows rows that are computed without attention and yield nothing
    /// @param wantLogits whether the outcome has the logits of sampled rows, for tests and checks
    /// @param repeats whether it has the slices of the lane's step before, each of one position, one position later. Then the
    ///     token of each slice is the one that the step before samples for it, and `tokens` has a zero in its place
    record Step(long number, List<StepSlice> slices, int paddingRows, boolean wantLogits,
            boolean repeats) implements LaneJob {
        /// A step whose tokens are all known.
        public Step(long number, List<StepSlice> slices, int paddingRows, boolean wantLogits) {
            this(number, slices, paddingRows, wantLogits, false);
        }

        /// Computed positions, including padding.
        public int rows() {
            int sum = paddingRows;
            for (StepSlice slice : slices) {
                sum += slice.tokens().length;
            }
            return sum;
        }
    }
}
