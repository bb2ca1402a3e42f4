package org.inferometer.execution.backend;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.inferometer.execution.Executor;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.Step;
import org.inferometer.execution.StepOutcome;
import org.inferometer.units.Clock;

/// Times several kinds of steps that take turns, each by its best: a machine whose speed drifts then disturbs all alike, so that
/// their ratios hold. Called from one thread.
///
/// @param budgetNanos they go on until none became faster for so long, times the number of kinds
public record StepTurns(Clock clock, long budgetNanos) {
    private static final int ROUNDS_AT_LEAST = 8;
    private static final long STEP_SECONDS = 120;

    /// Steps that run at once.
    ///
    /// @param executor open
    /// @param steps one for each of its first lanes
    public record Load(Executor executor, List<Step> steps) {}

    /// The best turn of a load.
    ///
    /// @param nanos of the step where it was one; of several, from the first one's submission to the last one's end
    /// @param kernelNanos of the step where it was one, else 0
    public record Best(long nanos, long kernelNanos) {}

    /// The best of each load, in their order.
    ///
    /// @throws ExecutorException when a step fails or does not end
    public List<Best> measure(List<Load> loads) throws ExecutorException, InterruptedException {
        Best[] best = new Best[loads.size()];
        SteadyRounds settling = new SteadyRounds(clock, ROUNDS_AT_LEAST, budgetNanos * loads.size());
        for (int round = 0; settling.more(); round++) {
            for (int i = 0; i < best.length; i++) {
                Best now = turn(loads.get(i));
                settling.seen(round == 0 ? 0 : 1.0 / best[i].nanos(), 1.0 / now.nanos());
                if (round == 0 || now.nanos() < best[i].nanos()) {
                    best[i] = now;
                }
            }
        }
        return List.of(best);
    }

    private Best turn(Load load) throws ExecutorException, InterruptedException {
        BlockingQueue<StepOutcome> outcomes = new ArrayBlockingQueue<>(load.steps().size());
        long start = clock.nanos();
        for (int lane = 0; lane < load.steps().size(); lane++) {
            load.executor().submit(load.executor().lanes().get(lane), load.steps().get(lane), outcomes::add);
        }
        List<StepOutcome.Completed> completed = new ArrayList<>();
        for (int lane = 0; lane < load.steps().size(); lane++) {
            StepOutcome outcome = outcomes.poll(STEP_SECONDS, TimeUnit.SECONDS);
            switch (outcome) {
                case StepOutcome.Completed done -> completed.add(done);
                case StepOutcome.Failed(ExecutorException cause) -> throw cause;
                case StepOutcome.Transferred moved ->
                    throw new ExecutorException("A step was answered as a transfer: " + moved + ".");
                case null -> throw new ExecutorException("A step did not end within " + STEP_SECONDS + " s.");
            }
        }
        if (completed.size() == 1) {
            StepOutcome.Completed alone = completed.getFirst();
            return new Best(alone.endNanos() - alone.startNanos(), alone.kernelNanos());
        }
        return new Best(clock.nanos() - start, 0);
    }
}
