package org.inferometer.execution.backend;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.inferometer.execution.Executor;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.Step;
import org.inferometer.execution.StepOutcome;

/// Runs steps concurrently, one on each of an executor's first lanes, and waits for all. Called from one thread.
public record ConcurrentSteps(Executor executor) {
    private static final long STEP_SECONDS = 120;

    /// The outcome of each step, in order.
    ///
    /// @throws ExecutorException if a step fails or does not end within two minutes
    public List<StepOutcome.Completed> run(List<Step> steps) throws ExecutorException, InterruptedException {
        List<CompletableFuture<StepOutcome>> outcomes = new ArrayList<>();
        for (int lane = 0; lane < steps.size(); lane++) {
            CompletableFuture<StepOutcome> outcome = new CompletableFuture<>();
            outcomes.add(outcome);
            executor.submit(executor.lanes().get(lane), steps.get(lane), outcome::complete);
        }
        List<StepOutcome.Completed> completed = new ArrayList<>();
        for (CompletableFuture<StepOutcome> outcome : outcomes) {
            completed.add(completed(outcome));
        }
        return completed;
    }

    private static StepOutcome.Completed completed(CompletableFuture<StepOutcome> outcome)
            throws ExecutorException, InterruptedException {
        try {
            return switch (outcome.get(STEP_SECONDS, TimeUnit.SECONDS)) {
                case StepOutcome.Completed done -> done;
                case StepOutcome.Failed(ExecutorException cause) -> throw cause;
                case StepOutcome.Transferred moved ->
                    throw new ExecutorException("A step gave the outcome of a transfer: " + moved + ".");
            };
        } catch (TimeoutException | ExecutionException late) {
            throw new ExecutorException("A step did not end within " + STEP_SECONDS + " s.", late);
        }
    }
}
