package org.inferometer.execution.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.inferometer.engine.ModelFamily;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.Precision;
import org.inferometer.execution.BackendCheck.BackendFigure;
import org.inferometer.execution.Executor;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.LaneJob.Step;
import org.inferometer.execution.LaneJob.StepSlice;
import org.inferometer.execution.backend.ExecutorSizes;
import org.inferometer.execution.host.kernels.PackedModel;
import org.inferometer.execution.host.machine.HostOptions;
import org.inferometer.execution.host.machine.WorkerGroup;
import org.inferometer.execution.host.products.FloatProducts.FloatFormat;
import org.inferometer.execution.host.steps.HostExecutor;
import org.inferometer.execution.host.steps.KvCache;
import org.inferometer.options.OptionRecords;
import org.inferometer.options.Selection;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.units.Clock;
import org.inferometer.workload.Sampling;

/// The memory and compute ceilings of this machine for the host backend, and how near decode products and whole steps of one
/// sequence come to the first.
///
/// Candidates alternate in short slices and each keeps its best, so a busy machine affects all. Memory: up to 900 MB for
/// steps, else about 350 MB. Runs on the calling thread, `threads − 1` more and the executor's.
///
/// @param threads that compute
/// @param budgetNanos a comparison ends when nothing became faster for so long
public record HostCeilings(Clock clock, int threads, long budgetNanos) {
    private static final int INPUTS = 2048;
    private static final int PREFILL_ROWS = 512;
    private static final int ROUNDS_AT_LEAST = 12;
    private static final int STEP_ROUNDS_AT_LEAST = 40;
    private static final double LEAST_DECODE = 0.65;
    private static final double LEAST_STEP = 0.9;
    private static final List<Precision> PRECISIONS =
            List.of(Precision.INT4, Precision.INT8, Precision.FP8, Precision.BF16);
    /// Positions of the sequence whose steps are timed.
    private static final int POSITIONS = 64;
    /// Products that take a turn of a step.
    private static final int PRODUCTS = 8;

    /// One row's products of each format against a plain read of the same bytes, and the rate of that read.
    public List<BackendFigure> decode() throws ExecutorException, InterruptedException {
        List<BackendFigure> figures = new ArrayList<>();
        double fastestRead = 0;
        for (Precision precision : PRECISIONS) {
            try (ColdProducts products = new ColdProducts(precision, threads)) {
                double[] best = new double[2];
                SteadyRounds rounds = new SteadyRounds(clock, ROUNDS_AT_LEAST, budgetNanos);
                while (rounds.more()) {
                    rounds.keepBest(best, 0, products.bytes(), products::read);
                    rounds.keepBest(best, 1, products.bytes(), products::multiply);
                }
                fastestRead = Math.max(fastestRead, best[0]);
                figures.add(new BackendFigure("host_decode_" + precision.id(),
                        "one-row products, " + precision + ", against a plain read of the same memory",
                        best[1] / best[0], "x", true, LEAST_DECODE,
                        String.format(Locale.ROOT, "%.1f of %.1f GB/s.", best[1] / 1e9, best[0] / 1e9)));
            }
        }
        figures.add(new BackendFigure("host_decode_ceiling", "memory bandwidth, plain read", fastestRead / 1e9, "GB/s",
                true, OptionalDouble.empty(), threads + " threads read matrices that are in no cache."));
        return figures;
    }

    /// Bytes of weights a second in whole steps of one sequence against those of one-row products, for each format. Layers of
    /// a 1.1-billion model, as many as exceed the caches.
    ///
    /// @param begun receives the name of each part as it begins
    /// @throws ExecutorException when memory does not suffice
    public List<BackendFigure> step(Consumer<String> begun) throws ExecutorException, InterruptedException {
        List<BackendFigure> figures = new ArrayList<>();
        for (Precision precision : PRECISIONS) {
            begun.accept("steps of one sequence, " + precision);
            figures.add(step(precision));
        }
        return figures;
    }

    private BackendFigure step(Precision precision) throws ExecutorException, InterruptedException {
        RandomModel model = RandomModel.typical(shape(precision), precision, 1);
        HostOptions options =
                OptionRecords.parse(HostOptions.class, Selection.parse("host:lanes=1,threads=" + threads));
        int blocks = Math.ceilDiv(POSITIONS, options.blockTokens());
        ExecutorSizes sizes =
                new ExecutorSizes(blocks * KvCache.blockBytes(model.shape(), options), POSITIONS, POSITIONS, 1);
        Step last = new Step(0, List.of(new StepSlice(POSITIONS - 1, new int[]{7}, IntStream.range(0, blocks).toArray(),
                true, Sampling.GREEDY)), 0, false);
        double weightBytes = PackedModel.bytes(model.weights());
        double[] best = new double[2];
        try (ColdProducts products = new ColdProducts(precision, threads);
                Executor executor = HostExecutor.open(model.shape(), model.weights(), options, LaneLayout.sharing(1),
                        sizes, clock)) {
            SteadyRounds rounds = new SteadyRounds(clock, STEP_ROUNDS_AT_LEAST, budgetNanos);
            while (rounds.more()) {
                rounds.keepBest(best, 0, PRODUCTS * products.bytes(), () -> {
                    for (int i = 0; i < PRODUCTS; i++) {
                        products.multiply();
                    }
                });
                rounds.keepBest(best, 1, weightBytes, () -> new AwaitedSteps(executor).one(last));
            }
        }
        return new BackendFigure("host_step_" + precision.id(),
                "steps of one sequence, " + precision + ", against one-row products", best[1] / best[0], "x", true,
                LEAST_STEP, String.format(Locale.ROOT, "%.1f of %.1f GB/s of weights.", best[1] / 1e9, best[0] / 1e9));
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

    /// The fastest product of many rows with a block of weights that is decoded and in the cache.
    public BackendFigure prefill() throws ExecutorException, InterruptedException {
        List<BlockProducts> blocks = new ArrayList<>();
        try (WorkerGroup group = new WorkerGroup("inferometer-ceilings", threads)) {
            for (int i = 0; i < threads; i++) {
                blocks.add(new BlockProducts(INPUTS, PREFILL_ROWS));
            }
            double flops = threads * blocks.getFirst().work();
            double[] best = new double[1 + FloatFormat.values().length];
            SteadyRounds rounds = new SteadyRounds(clock, ROUNDS_AT_LEAST, budgetNanos);
            while (rounds.more()) {
                rounds.keepBest(best, 0, flops,
                        () -> group.run((worker, item) -> blocks.get(worker).portable(), threads));
                for (FloatFormat format : blocks.getFirst().formats()) {
                    rounds.keepBest(best, 1 + format.ordinal(), flops,
                            () -> group.run((worker, item) -> oneDnn(blocks.get(worker), format), threads));
                }
            }
            int fastest = 0;
            for (int i = 1; i < best.length; i++) {
                fastest = best[i] > best[fastest] ? i : fastest;
            }
            String by = fastest == 0 ? "the portable kernel" : "oneDNN in " + FloatFormat.values()[fastest - 1];
            return new BackendFigure("host_prefill_ceiling",
                    "products of " + PREFILL_ROWS + " rows, weights in the cache", best[fastest] / 1e9, "GFLOP/s", true,
                    OptionalDouble.empty(), "Reached by " + by + ".");
        } finally {
            blocks.forEach(BlockProducts::close);
        }
    }

    private static void oneDnn(BlockProducts products, FloatFormat format) {
        products.useOneThread();
        products.oneDnn(format);
    }
}
