package org.inferometer.execution.host.products;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import org.inferometer.engine.Precision;
import org.inferometer.execution.BackendFigure;
import org.inferometer.execution.backend.SteadyRounds;
import org.inferometer.execution.host.machine.WorkerGroup;
import org.inferometer.execution.host.onednn.FloatFormat;
import org.inferometer.units.Clock;

/// The memory and compute ceilings of this machine for the host backend, and how near a decode product comes to the first.
///
/// Candidates alternate in short slices and each keeps its best, so a busy machine affects all. Memory: about 350 MB.
/// Runs on the calling thread and `threads − 1` more.
///
/// @param threads that compute
/// @param budgetNanos a comparison ends when nothing became faster for so long
public record HostCeilings(Clock clock, int threads, long budgetNanos) {
    private static final int INPUTS = 2048;
    private static final int PREFILL_ROWS = 512;
    private static final int ROUNDS_AT_LEAST = 12;
    private static final double LEAST_DECODE = 0.65;

    /// One row's products of each format against a plain read of the same bytes, and the rate of that read.
    public List<BackendFigure> decode() {
        List<BackendFigure> figures = new ArrayList<>();
        double fastestRead = 0;
        for (Precision precision : List.of(Precision.INT4, Precision.INT8, Precision.FP8, Precision.BF16)) {
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

    /// The fastest product of many rows with a block of weights that is decoded and in the cache.
    public BackendFigure prefill() {
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
