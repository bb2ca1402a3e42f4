package org.inferometer.execution.host;

import java.nio.file.Path;
import java.util.List;
import org.inferometer.engine.Engine;
import org.inferometer.engine.EngineFormatException;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.ModelWeights;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.Step;
import org.inferometer.execution.StepOutcome;
import org.inferometer.execution.backend.ExecutorSizes;
import org.inferometer.execution.backend.StepTimer;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.units.Clock;

/// Times whole steps of a real model: one sequence against sixteen, two lanes against one, the share outside the kernels; and the
/// start.
///
/// Each executor is opened, warmed up, measured by its best steps and closed. Called from one thread.
final class StepRatios {
    /// Sequences of a full step.
    static final int SEQUENCES = 16;

    private static final int CONTEXT = 32;
    private static final int BLOCK_TOKENS = 16;

    private final ModelShape shape;
    private final ModelWeights weights;
    private final Clock clock;
    private final HostOptions.Activations activations;
    private final long budgetNanos;

    /// @param budgetNanos time for one kind of step, warming up included
    StepRatios(ModelShape shape, ModelWeights weights, HostOptions.Activations activations, Clock clock, long budgetNanos) {
        this.activations = activations;
        this.shape = shape;
        this.weights = weights;
        this.clock = clock;
        this.budgetNanos = budgetNanos;
    }

    /// Best times of a decode step on one lane.
    ///
    /// @param aloneNanos one sequence
    /// @param aloneKernelNanos of that, in kernels
    /// @param togetherNanos [#SEQUENCES] sequences
    record OneLane(long aloneNanos, long aloneKernelNanos, long togetherNanos) {}

    /// One lane of so many threads.
    OneLane oneLane(int threads) throws ExecutorException, InterruptedException {
        try (HostExecutor executor = open(threads, 1)) {
            StepTimer timer = new StepTimer(executor, clock, budgetNanos);
            StepOutcome.Completed alone = timer.best(steps(1, 1).getFirst());
            StepOutcome.Completed together = timer.best(steps(1, SEQUENCES).getFirst());
            return new OneLane(alone.endNanos() - alone.startNanos(), alone.kernelNanos(), together.endNanos() - together.startNanos());
        }
    }

    /// From opening an engine to an executor that takes steps.
    static long startNanos(Path folder, int threads, Clock clock) throws EngineFormatException, ExecutorException {
        long start = clock.nanos();
        try (Engine engine = Engine.open(folder)) {
            ModelShape shape = engine.descriptor().shape();
            HostOptions options = options(threads, 1, HostOptions.Activations.FP32);
            try (HostExecutor executor = HostExecutor.open(engine, options, LaneLayout.sharing(1), sizes(shape, options), clock)) {
                return clock.nanos() - start;
            }
        }
    }

    /// Best time in which several lanes of one thread each take [#SEQUENCES] sequences a step further, shared out evenly.
    long manyLanesNanos(int lanes) throws ExecutorException, InterruptedException {
        try (HostExecutor executor = open(1, lanes)) {
            return new StepTimer(executor, clock, budgetNanos).bestTogetherNanos(steps(lanes, SEQUENCES / lanes));
        }
    }

    private HostExecutor open(int threads, int lanes) throws ExecutorException {
        HostOptions options = options(threads, lanes, activations);
        return HostExecutor.open(shape, weights, options, LaneLayout.sharing(lanes), sizes(shape, options), clock);
    }

    private static HostOptions options(int threads, int lanes, HostOptions.Activations activations) {
        return new HostOptions(threads, lanes, true, BLOCK_TOKENS, HostOptions.KvDtype.FP32, activations);
    }

    private static ExecutorSizes sizes(ModelShape shape, HostOptions options) {
        int positions = CONTEXT + BLOCK_TOKENS;
        long kvBytes = SEQUENCES * (positions / BLOCK_TOKENS) * KvCache.blockBytes(shape, options);
        return new ExecutorSizes(kvBytes, Math.max(SEQUENCES, CONTEXT), positions, SEQUENCES);
    }

    private static List<Step> steps(int lanes, int sequencesEach) {
        return StepTimer.decodeSteps(lanes, sequencesEach, CONTEXT, BLOCK_TOKENS);
    }
}
