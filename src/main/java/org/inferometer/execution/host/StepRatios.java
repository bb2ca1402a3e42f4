package org.inferometer.execution.host;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.engine.Engine;
import org.inferometer.engine.EngineFormatException;
import org.inferometer.engine.ModelShape;
import org.inferometer.execution.Executor;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.Step;
import org.inferometer.execution.backend.ExecutorSizes;
import org.inferometer.execution.backend.StepTurns;
import org.inferometer.execution.backend.TimedSteps;
import org.inferometer.execution.host.attention.KvCache;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.units.Clock;

/// Times whole decode steps of a real model: one sequence, sixteen together, and sixteen on lanes of one thread each; and the start.
///
/// All executors of a measurement are open at once and their steps take turns. Called from one thread.
///
/// @param shape of the model
/// @param opening opens an executor on it
/// @param budgetNanos time for one kind of step, warming up included
record StepRatios(ModelShape shape, Opening opening, Clock clock, long budgetNanos) {
    /// Sequences of a full step.
    static final int SEQUENCES = 16;

    private static final int CONTEXT = 32;
    /// Positions in a block of the KV cache.
    static final int BLOCK_TOKENS = 16;

    /// Opens an executor on the model that is measured.
    interface Opening {
        Executor open(HostOptions options, LaneLayout layout, ExecutorSizes sizes) throws ExecutorException;
    }

    /// Best times of decode steps.
    ///
    /// @param aloneNanos one sequence on one lane of all threads
    /// @param aloneKernelNanos of that, in kernels
    /// @param togetherNanos [#SEQUENCES] sequences on that lane
    /// @param sharedOutNanos the same, shared out evenly to one lane a thread; 0 where that was not measured
    /// @param eachFullNanos [#SEQUENCES] sequences on each of those lanes; 0 where that was not measured
    record Times(long aloneNanos, long aloneKernelNanos, long togetherNanos, long sharedOutNanos, long eachFullNanos) {}

    /// Times of each format of activations, all steps in turn.
    ///
    /// @param lanes how many there are where each has one thread; fewer than two are not measured
    List<Times> measure(List<HostOptions.Activations> formats, int threads, int lanes)
            throws ExecutorException, InterruptedException {
        List<Executor> open = new ArrayList<>();
        try {
            List<StepTurns.Load> loads = new ArrayList<>();
            for (HostOptions.Activations format : formats) {
                Executor one = open(open, threads, 1, format);
                loads.add(new StepTurns.Load(one, steps(1, 1)));
                loads.add(new StepTurns.Load(one, steps(1, SEQUENCES)));
                if (lanes > 1) {
                    Executor many = open(open, 1, lanes, format);
                    loads.add(new StepTurns.Load(many, steps(lanes, SEQUENCES / lanes)));
                    loads.add(new StepTurns.Load(many, steps(lanes, SEQUENCES)));
                }
            }
            List<StepTurns.Best> best = new StepTurns(clock, budgetNanos).measure(loads);
            List<Times> times = new ArrayList<>();
            int each = loads.size() / formats.size();
            for (int i = 0; i < best.size(); i += each) {
                StepTurns.Best alone = best.get(i);
                times.add(new Times(alone.nanos(), alone.kernelNanos(), best.get(i + 1).nanos(),
                        each > 2 ? best.get(i + 2).nanos() : 0, each > 2 ? best.get(i + 3).nanos() : 0));
            }
            return times;
        } finally {
            open.reversed().forEach(Executor::close);
        }
    }

    /// From opening an engine to an executor that takes steps.
    static long startNanos(Path folder, int threads, Clock clock) throws EngineFormatException, ExecutorException {
        long start = clock.nanos();
        try (Engine engine = Engine.open(folder)) {
            ModelShape shape = engine.descriptor().shape();
            HostOptions options = options(threads, 1, HostOptions.Activations.FP32);
            try (Executor executor =
                    HostExecutor.open(engine, options, LaneLayout.sharing(1), sizes(shape, options), clock)) {
                return clock.nanos() - start;
            }
        }
    }

    private Executor open(List<Executor> open, int threads, int lanes, HostOptions.Activations format)
            throws ExecutorException {
        HostOptions options = options(threads, lanes, format);
        Executor executor = opening.open(options, LaneLayout.sharing(lanes), sizes(shape, options));
        open.add(executor);
        return executor;
    }

    private static HostOptions options(int threads, int lanes, HostOptions.Activations activations) {
        return new HostOptions(threads, lanes, true, BLOCK_TOKENS, HostOptions.KvDtype.FP32, activations);
    }

    private static ExecutorSizes sizes(ModelShape shape, HostOptions options) {
        int positions = CONTEXT + BLOCK_TOKENS;
        long sequences = (long) SEQUENCES * Math.max(1, options.lanes());
        long kvBytes = sequences * (positions / BLOCK_TOKENS) * KvCache.blockBytes(shape, options);
        return new ExecutorSizes(kvBytes, Math.max(SEQUENCES, CONTEXT), positions, SEQUENCES);
    }

    private static List<Step> steps(int lanes, int sequencesEach) {
        return TimedSteps.decode(lanes, sequencesEach, CONTEXT, BLOCK_TOKENS);
    }
}
