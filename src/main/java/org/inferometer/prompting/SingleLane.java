package org.inferometer.prompting;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.inferometer.engine.Engine;
import org.inferometer.execution.Backend;
import org.inferometer.execution.Executor;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.LaneJob.Step;
import org.inferometer.execution.StepOutcome;
import org.inferometer.options.Selection;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.Limits;
import org.inferometer.units.Clock;

/// An executor with one lane and blocks for one sequence. One thread; the caller closes it before the engine.
public final class SingleLane implements AutoCloseable {
    /// Positions of the largest step.
    public static final int STEP_POSITIONS = 256;
    private static final long STEP_SECONDS = 600;

    private final Executor executor;
    private final int positions;
    private final int[] blocks;
    private long steps;

    private SingleLane(Executor executor, int positions, int[] blocks) {
        this.executor = executor;
        this.positions = positions;
        this.blocks = blocks;
    }

    /// Opens an engine on a backend, which takes seconds for large models.
    ///
    /// @param positions of the sequence
    /// @param sampled positions of a step whose next token or logits are wanted
    /// @throws ExecutorException if memory does not suffice
    public static SingleLane open(Engine engine, Backend backend, Selection selection, int positions, int sampled,
            Clock clock) throws ExecutorException {
        int blockTokens = backend.blockTokens(selection);
        int blocks = Math.ceilDiv(positions, blockTokens);
        long bytes = (long) blocks * blockTokens * backend.kvBytesPerToken(engine.descriptor().shape(), selection);
        Limits limits = new Limits(sampled, Math.max(STEP_POSITIONS, blockTokens), positions);
        Executor executor = backend.open(engine, selection, LaneLayout.sharing(1), limits, bytes, clock);
        return new SingleLane(executor, positions, IntStream.range(0, blocks).toArray());
    }

    /// Positions of the sequence.
    public int positions() {
        return positions;
    }

    /// The blocks of the sequence, in order.
    public int[] blocks() {
        return blocks.clone();
    }

    /// Number of the next step.
    public long nextStep() {
        return steps++;
    }

    /// Computes a step and waits for it.
    ///
    /// @throws ExecutorException if it fails
    public StepOutcome.Completed compute(Step step) throws ExecutorException, InterruptedException {
        CompletableFuture<StepOutcome> outcome = new CompletableFuture<>();
        executor.submit(executor.lanes().getFirst(), step, outcome::complete);
        try {
            return switch (outcome.get(STEP_SECONDS, TimeUnit.SECONDS)) {
                case StepOutcome.Completed done -> done;
                case StepOutcome.Failed(ExecutorException cause) -> throw cause;
                case StepOutcome.Transferred moved -> throw new ExecutorException("A step was taken for a transfer.");
            };
        } catch (TimeoutException | ExecutionException e) {
            throw new ExecutorException("A step did not end within " + STEP_SECONDS + " s.", e);
        }
    }

    @Override
    public void close() {
        executor.close();
    }
}
