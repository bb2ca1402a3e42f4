package org.inferometer.execution.host.kernels;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import jdk.incubator.vector.IntVector;
import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightMatrix;
import org.inferometer.execution.BackendFigure;
import org.inferometer.execution.backend.RandomModel;
import org.inferometer.execution.backend.SteadyRounds;
import org.inferometer.execution.host.onednn.FloatFormat;
import org.inferometer.execution.host.packed.PackedMatrix;
import org.inferometer.execution.host.packed.PackedModel;
import org.inferometer.units.Clock;
import org.inferometer.units.Seed;

/// The memory and compute ceilings of this machine for the host backend, and how near a decode product comes to the first.
///
/// Matrices of one feed-forward layer of a 1.1-billion model, together larger than the caches. Candidates alternate in
/// short slices and each keeps its best, so a busy machine affects all. Memory: about 150 MB. Runs on the calling
/// thread and `threads − 1` more.
///
/// @param threads that compute
/// @param budgetNanos a comparison ends when nothing became faster for so long
public record HostCeilings(Clock clock, int threads, long budgetNanos) {
    private static final int OUTPUTS = 5632;
    private static final int INPUTS = 2048;
    private static final int PREFILL_ROWS = 512;
    private static final long COLD_BYTES = 96L << 20;
    private static final int ROUNDS_AT_LEAST = 12;
    private static final double LEAST_DECODE = 0.65;

    /// One row's products with INT4 matrices against a plain read of the same bytes, and the rate of that read.
    public List<BackendFigure> decode() {
        WeightMatrix source = RandomModel.matrix(OUTPUTS, INPUTS, Precision.INT4, new Seed(1).generator());
        try (Arena arena = Arena.ofShared(); WorkerGroup group = new WorkerGroup("inferometer-ceilings", threads)) {
            PackedMatrix[] matrices = new PackedMatrix[(int) Math.ceilDiv(COLD_BYTES, PackedMatrix.bytes(source))];
            for (int i = 0; i < matrices.length; i++) {
                PackedMatrix matrix = new PackedMatrix(source, arena);
                group.run((worker, unit) -> matrix.packUnit(unit), matrix.units());
                matrices[i] = matrix;
            }
            LinearProjections row = oneRow(arena);
            float[] out = new float[BlockKernels.wholeTiles(1) * Vectors.stride(OUTPUTS)];
            double bytes = matrices[0].lines().byteSize();
            long[] sums = new long[16 * threads];
            double[] best = new double[2];
            SteadyRounds rounds = new SteadyRounds(clock, ROUNDS_AT_LEAST, budgetNanos);
            for (int round = 0; rounds.more(); round++) {
                PackedMatrix matrix = matrices[round % matrices.length];
                PackedMatrix other = matrices[(round + matrices.length / 2) % matrices.length];
                keepBest(rounds, best, 0, bytes, () -> read(group, matrix, sums));
                keepBest(rounds, best, 1, bytes, () -> product(group, row, other, out));
            }
            return List.of(
                    new BackendFigure("host_decode", "one-row products, INT4, against a plain read of the same memory",
                            best[1] / best[0], "x", true, LEAST_DECODE,
                            String.format(Locale.ROOT, "%.1f of %.1f GB/s.", best[1] / 1e9, best[0] / 1e9)),
                    new BackendFigure("host_decode_ceiling", "memory bandwidth, plain read", best[0] / 1e9, "GB/s",
                            true, OptionalDouble.empty(), threads + " threads read matrices that are in no cache."));
        }
    }

    private LinearProjections oneRow(Arena arena) {
        ActivationRows input = new ActivationRows(INPUTS, BlockKernels.wholeTiles(1), ProductPlan.PORTABLE, arena);
        for (int i = 0; i < INPUTS; i++) {
            input.values[i] = (float) Math.sin(i);
        }
        input.prepare(0, 1, true, new float[Vectors.LANES]);
        UnitProduct[] products = new UnitProduct[threads];
        for (int i = 0; i < threads; i++) {
            products[i] = new UnitProduct(1, ProductPlan.PORTABLE, arena);
        }
        return new LinearProjections(products, 1, input);
    }

    private static void product(WorkerGroup group, LinearProjections row, PackedMatrix matrix, float[] out) {
        row.beginAgain(1, ProductEpilogue.STORE);
        row.add(new PackedModel.Linear(matrix, new float[0]), out, Vectors.stride(OUTPUTS));
        group.run(row, row.items());
    }

    /// Sums all words of a matrix; `sums[16 * worker]` keeps the compiler from removing it.
    static void read(WorkerGroup group, PackedMatrix matrix, long[] sums) {
        MemorySegment lines = matrix.lines();
        long unitBytes = lines.byteSize() / matrix.units();
        group.run((worker, unit) -> sums[worker * 16] += sum(lines, unit * unitBytes, unitBytes), matrix.units());
    }

    /// A plain read of whole lines: their sum.
    public static long sum(MemorySegment lines, long from, long bytes) {
        IntVector low = IntVector.zero(Vectors.INTS);
        IntVector high = low;
        int count = (int) (bytes / PackedMatrix.LINE_BYTES);
        for (int i = 0; i < count; i++) {
            low = low.add(Vectors.ints(lines, from + (long) i * PackedMatrix.LINE_BYTES));
            high = high.add(Vectors.ints(lines, from + (long) i * PackedMatrix.LINE_BYTES + Vectors.BYTES));
        }
        return low.add(high).lane(0);
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
                keepBest(rounds, best, 0, flops,
                        () -> group.run((worker, item) -> blocks.get(worker).portable(), threads));
                for (FloatFormat format : blocks.getFirst().formats()) {
                    keepBest(rounds, best, 1 + format.ordinal(), flops,
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

    private void keepBest(SteadyRounds rounds, double[] best, int at, double amount, Runnable work) {
        long start = clock.nanos();
        work.run();
        double rate = amount * 1e9 / Math.max(1, clock.nanos() - start);
        rounds.seen(best[at], rate);
        best[at] = Math.max(best[at], rate);
    }
}
