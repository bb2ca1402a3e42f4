package org.inferometer.execution.check;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.inferometer.execution.Executor;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.LaneJob.Step;
import org.inferometer.execution.StepOutcome;

/// Runs steps on an executor and waits for them. Called from one thread.
record AwaitedSteps(Executor executor) {
    private static final long STEP_SECONDS = 120;

    /// Runs one step on the first lane.
    ///
    /// @throws ExecutorException if it fails or does not end within two minutes
    StepOutcome.Completed one(Step step) throws ExecutorException, InterruptedException {
        return together(List.of(step)).getFirst();
    }

    /// Runs steps concurrently, one on each of the first lanes.
    ///
    /// @throws ExecutorException if a step fails or does not end within two minutes
    List<StepOutcome.Completed> together(List<Step> steps) throws ExecutorException, InterruptedException {
        List<BlockingQueue<StepOutcome>> outcomes = new ArrayList<>();
        for (Step step : steps) {
            BlockingQueue<StepOutcome> outcome = new LinkedBlockingQueue<>();
            executor.submit(executor.lanes().get(outcomes.size()), step, outcome::add);
            outcomes.add(outcome);
        }
        List<StepOutcome.Completed> completed = new ArrayList<>();
        for (BlockingQueue<StepOutcome> outcome : outcomes) {
            completed.add(next(outcome));
        }
        return completed;
    }

    /// Runs a step on the first lane of an executor that queues steps, then repeats it, each time behind the running one.
    ///
    /// @param step one token of each slice; it is repeated at its own positions
    /// @return nanoseconds of a repetition, from the end of the step to the end of the last
    /// @throws ExecutorException if a step fails or does not end within two minutes
    long repeatedNanos(Step step, int repetitions) throws ExecutorException, InterruptedException {
        Step again = new Step(step.number(), step.slices(), step.paddingRows(), false, true);
        BlockingQueue<StepOutcome> outcomes = new LinkedBlockingQueue<>();
        executor.submit(executor.lanes().getFirst(), step, outcomes::add);
        executor.submit(executor.lanes().getFirst(), again, outcomes::add);
        long startNanos = next(outcomes).endNanos();
        for (int i = 1; i < repetitions; i++) {
            executor.submit(executor.lanes().getFirst(), again, outcomes::add);
            next(outcomes);
        }
        return Math.max(1, (next(outcomes).endNanos() - startNanos) / repetitions);
    }

    private static StepOutcome.Completed next(BlockingQueue<StepOutcome> outcomes)
            throws ExecutorException, InterruptedException {
        return switch (outcomes.poll(STEP_SECONDS, TimeUnit.SECONDS)) {
            case null -> throw new ExecutorException("A step did not end within " + STEP_SECONDS + " s.");
            case StepOutcome.Completed done -> done;
            case StepOutcome.Failed(ExecutorException cause) -> throw cause;
            case StepOutcome.Transferred moved ->
                throw new ExecutorException("A step gave the outcome of a transfer: " + moved + ".");
        };
    }
}
