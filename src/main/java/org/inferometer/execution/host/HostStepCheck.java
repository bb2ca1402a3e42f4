package org.inferometer.execution.host;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.inferometer.engine.ModelFamily;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.Precision;
import org.inferometer.execution.BackendFigure;
import org.inferometer.execution.Executor;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.Step;
import org.inferometer.execution.StepOutcome;
import org.inferometer.execution.StepSlice;
import org.inferometer.execution.backend.ExecutorSizes;
import org.inferometer.execution.backend.RandomModel;
import org.inferometer.execution.backend.SteadyRounds;
import org.inferometer.execution.host.attention.KvCache;
import org.inferometer.execution.host.machine.HostOptions;
import org.inferometer.execution.host.packed.PackedModel;
import org.inferometer.execution.host.products.ColdProducts;
import org.inferometer.options.OptionRecords;
import org.inferometer.options.Selection;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.units.Clock;
import org.inferometer.workload.Sampling;

/// How near whole steps of one sequence come to the kernels: bytes of weights a second in each.
///
/// Layers of a 1.1-billion model, in each format as many as exceed the caches. Steps and products take turns and each keeps its best.
/// Memory: up to 900 MB. Runs on the calling thread and the executor's.
///
/// @param threads that compute
/// @param budgetNanos a comparison ends when nothing became faster for so long
record HostStepCheck(Clock clock, int threads, long budgetNanos) {
    private static final int POSITIONS = 64;
    private static final int ROUNDS_AT_LEAST = 40;
    /// Products that take a turn of a step.
    private static final int PRODUCTS = 8;
    private static final double LEAST = 0.9;

    /// One figure of each format.
    ///
    /// @param begun receives the name of each part as it begins
    /// @throws ExecutorException when memory does not suffice
    List<BackendFigure> figures(Consumer<String> begun) throws ExecutorException {
        List<BackendFigure> figures = new ArrayList<>();
        for (Precision precision : List.of(Precision.INT4, Precision.INT8, Precision.FP8, Precision.BF16)) {
            begun.accept("steps of one sequence, " + precision);
            figures.add(figure(precision));
        }
        return figures;
    }

    private BackendFigure figure(Precision precision) throws ExecutorException {
        RandomModel model = RandomModel.typical(shape(precision), precision, 1);
        HostOptions options =
                OptionRecords.parse(HostOptions.class, Selection.parse("host:lanes=1,threads=" + threads));
        ExecutorSizes sizes = new ExecutorSizes(
                Math.ceilDiv(POSITIONS, options.blockTokens()) * KvCache.blockBytes(model.shape(), options), POSITIONS,
                POSITIONS, 1);
        double weightBytes = PackedModel.bytes(model.weights());
        double[] best = new double[2];
        try (ColdProducts products = new ColdProducts(precision, threads);
                Executor executor = HostExecutor.open(model.shape(), model.weights(), options, LaneLayout.sharing(1),
                        sizes, clock)) {
            SteadyRounds rounds = new SteadyRounds(clock, ROUNDS_AT_LEAST, budgetNanos);
            while (rounds.more()) {
                rounds.keepBest(best, 0, PRODUCTS * products.bytes(), () -> {
                    for (int i = 0; i < PRODUCTS; i++) {
                        products.multiply();
                    }
                });
                rounds.keepBest(best, 1, weightBytes, () -> run(executor, options.blockTokens()));
            }
        }
        return new BackendFigure("host_step_" + precision.id(),
                "steps of one sequence, " + precision + ", against one-row products", best[1] / best[0], "x", true,
                LEAST, String.format(Locale.ROOT, "%.1f of %.1f GB/s of weights.", best[1] / 1e9, best[0] / 1e9));
    }

    /// Layers of TinyLlama, 160 MB and more of each format.
    private static ModelShape shape(Precision precision) {
        int layers = switch (precision) {
            case INT4 -> 8;
            case FP8, INT8 -> 5;
            case BF16 -> 3;
        };
        return RandomModel.shape(ModelFamily.LLAMA, layers, 2048, 5632, 32, 4, 64, 4096, null);
    }

    /// A step of one row at the last position.
    private static void run(Executor executor, int blockTokens) {
        int[] blocks = new int[Math.ceilDiv(POSITIONS, blockTokens)];
        Arrays.setAll(blocks, i -> i);
        CompletableFuture<StepOutcome> done = new CompletableFuture<>();
        executor.submit(
                executor.lanes().getFirst(), new Step(0,
                        List.of(new StepSlice(POSITIONS - 1, new int[]{7}, blocks, true, Sampling.GREEDY)), 0, false),
                done::complete);
        if (!(done.join() instanceof StepOutcome.Completed)) {
            throw new IllegalStateException("A step failed");
        }
    }
}
