package org.inferometer.execution.cuda.check;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.inferometer.execution.Executor;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.Step;
import org.inferometer.execution.StepOutcome;

/// Runs a step on the first lane of an executor that queues steps, then repeats it, each time behind the running one. Called
/// from one thread.
record RepeatedSteps(Executor executor) {
    private static final long STEP_SECONDS = 120;

    /// Nanoseconds of a repetition, from the end of the step to the end of the last.
    ///
    /// @param step one token of each slice; it is repeated at its own positions
    /// @throws ExecutorException if a step fails or does not end within two minutes
    long nanos(Step step, int repetitions) throws ExecutorException, InterruptedException {
        Step again = new Step(step.number(), step.slices(), step.paddingRows(), false, true);
        BlockingQueue<StepOutcome> outcomes = new LinkedBlockingQueue<>();
        submit(step, outcomes);
        submit(again, outcomes);
        long startNanos = next(outcomes).endNanos();
        for (int i = 1; i < repetitions; i++) {
            submit(again, outcomes);
            next(outcomes);
        }
        return Math.max(1, (next(outcomes).endNanos() - startNanos) / repetitions);
    }

    private void submit(Step step, BlockingQueue<StepOutcome> outcomes) {
        executor.submit(executor.lanes().getFirst(), step, outcomes::add);
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
