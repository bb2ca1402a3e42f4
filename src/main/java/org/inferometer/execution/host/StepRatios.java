package org.inferometer.execution.host;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.inferometer.engine.Engine;
import org.inferometer.engine.EngineFormatException;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.ModelWeights;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.Step;
import org.inferometer.execution.StepOutcome;
import org.inferometer.execution.StepSlice;
import org.inferometer.execution.backend.ExecutorSizes;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.units.Clock;
import org.inferometer.workload.Sampling;

/// Times whole steps of a real model: one sequence against sixteen, two lanes against one, the share outside the kernels; and the
/// start.
///
/// Each executor is opened, warmed up, measured by its best steps and closed. Called from one thread.
final class StepRatios {
    /// Sequences of a full step.
    static final int SEQUENCES = 16;

    private static final int CONTEXT = 32;
    private static final int BLOCK_TOKENS = 16;
    private static final int STEPS_AT_LEAST = 8;
    private static final long STEP_SECONDS = 120;

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
            StepOutcome.Completed alone = best(executor, steps(1, 1));
            StepOutcome.Completed together = best(executor, steps(1, SEQUENCES));
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
            List<Step> steps = steps(lanes, SEQUENCES / lanes);
            long best = Long.MAX_VALUE;
            long end = clock.nanos() + budgetNanos;
            for (int i = 0; i < STEPS_AT_LEAST || clock.nanos() < end; i++) {
                long start = clock.nanos();
                run(executor, steps);
                best = Math.min(best, clock.nanos() - start);
            }
            return best;
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

    /// The whole step with the shortest time.
    private StepOutcome.Completed best(HostExecutor executor, List<Step> steps) throws ExecutorException, InterruptedException {
        StepOutcome.Completed best = run(executor, steps).getFirst();
        long end = clock.nanos() + budgetNanos;
        for (int i = 0; i < STEPS_AT_LEAST || clock.nanos() < end; i++) {
            StepOutcome.Completed done = run(executor, steps).getFirst();
            if (done.endNanos() - done.startNanos() < best.endNanos() - best.startNanos()) {
                best = done;
            }
        }
        return best;
    }

    /// One step for each lane, at once.
    private static List<StepOutcome.Completed> run(HostExecutor executor, List<Step> steps) throws ExecutorException, InterruptedException {
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
    private static List<Step> steps(int lanes, int sequencesEach) {
        int blocksEach = (CONTEXT + BLOCK_TOKENS) / BLOCK_TOKENS;
        List<Step> steps = new ArrayList<>();
        for (int lane = 0; lane < lanes; lane++) {
            List<StepSlice> slices = new ArrayList<>();
            for (int i = 0; i < sequencesEach; i++) {
                int first = (lane * sequencesEach + i) * blocksEach;
                int[] blocks = new int[blocksEach];
                Arrays.setAll(blocks, block -> first + block);
                slices.add(new StepSlice(CONTEXT, new int[] {i}, blocks, true, Sampling.GREEDY));
            }
            steps.add(new Step(0, slices, 0, false));
        }
        return steps;
    }
}
