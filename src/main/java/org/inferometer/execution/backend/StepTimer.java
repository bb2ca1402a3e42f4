package org.inferometer.execution.backend;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.inferometer.execution.Executor;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.Step;
import org.inferometer.execution.StepOutcome;
import org.inferometer.execution.StepSlice;
import org.inferometer.units.Clock;
import org.inferometer.workload.Sampling;

/// Times whole steps of an open executor by their best. Called from one thread.
///
/// @param budgetNanos time for one kind of step, warming up included
public record StepTimer(Executor executor, Clock clock, long budgetNanos) {
    private static final int STEPS_AT_LEAST = 8;
    private static final long STEP_SECONDS = 120;

    /// The step with the shortest time, when one runs at a time on the first lane.
    public StepOutcome.Completed best(Step step) throws ExecutorException, InterruptedException {
        StepOutcome.Completed best = run(List.of(step)).getFirst();
        long end = clock.nanos() + budgetNanos;
        for (int i = 0; i < STEPS_AT_LEAST || clock.nanos() < end; i++) {
            StepOutcome.Completed done = run(List.of(step)).getFirst();
            if (done.endNanos() - done.startNanos() < best.endNanos() - best.startNanos()) {
                best = done;
            }
        }
        return best;
    }

    /// The shortest time in which all lanes have done their step, all begun at once.
    ///
    /// @param steps one for each lane
    public long bestTogetherNanos(List<Step> steps) throws ExecutorException, InterruptedException {
        long best = Long.MAX_VALUE;
        long end = clock.nanos() + budgetNanos;
        for (int i = 0; i < STEPS_AT_LEAST || clock.nanos() < end; i++) {
            long start = clock.nanos();
            run(steps);
            best = Math.min(best, clock.nanos() - start);
        }
        return best;
    }

    private List<StepOutcome.Completed> run(List<Step> steps) throws ExecutorException, InterruptedException {
        BlockingQueue<StepOutcome> outcomes = new ArrayBlockingQueue<>(steps.size());
        for (int lane = 0; lane < steps.size(); lane++) {
            executor.submit(executor.lanes().get(lane), steps.get(lane), outcomes::add);
        }
        List<StepOutcome.Completed> completed = new ArrayList<>();
        for (int lane = 0; lane < steps.size(); lane++) {
            StepOutcome outcome = outcomes.poll(STEP_SECONDS, TimeUnit.SECONDS);
            switch (outcome) {
                case StepOutcome.Completed done -> completed.add(done);
                case StepOutcome.Failed(ExecutorException cause) -> throw cause;
                case StepOutcome.Moved moved -> throw new ExecutorException("A step was answered as a transfer: " + moved + ".");
                case null -> throw new ExecutorException("A step did not end within " + STEP_SECONDS + " s.");
            }
        }
        return completed;
    }

    /// Decode steps, one for each lane, over contexts that nobody computed: their cost is the same.
    ///
    /// @param context positions before the one that is computed
    public static List<Step> decodeSteps(int lanes, int sequencesEach, int context, int blockTokens) {
        int blocksEach = Math.ceilDiv(context + 1, blockTokens);
        List<Step> steps = new ArrayList<>();
        for (int lane = 0; lane < lanes; lane++) {
            List<StepSlice> slices = new ArrayList<>();
            for (int i = 0; i < sequencesEach; i++) {
                int first = (lane * sequencesEach + i) * blocksEach;
                slices.add(new StepSlice(context, new int[] {i}, blocks(first, blocksEach), true, Sampling.GREEDY));
            }
            steps.add(new Step(0, slices, 0, false));
        }
        return steps;
    }

    /// A step that takes a whole prompt in.
    public static Step prefillStep(int tokens, int blockTokens) {
        int[] blocks = blocks(0, Math.ceilDiv(tokens, blockTokens));
        return new Step(0, List.of(new StepSlice(0, new int[tokens], blocks, true, Sampling.GREEDY)), 0, false);
    }

    private static int[] blocks(int first, int count) {
        int[] blocks = new int[count];
        Arrays.setAll(blocks, block -> first + block);
        return blocks;
    }
}
