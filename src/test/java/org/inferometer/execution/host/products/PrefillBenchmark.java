package org.inferometer.execution.host.products;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.inferometer.engine.Precision;
import org.inferometer.execution.check.BlockProducts;
import org.inferometer.execution.host.kernels.PackedMatrix;
import org.inferometer.execution.host.machine.HostOptions;
import org.inferometer.execution.host.machine.WorkerGroup;
import org.inferometer.execution.host.products.FloatProducts.FloatFormat;
import org.inferometer.execution.host.products.FloatProducts.SumOrder;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/// Products of 512 rows with weights that are in the cache, against the fastest product of blocks that are decoded already.
/// `gigaflops` is a rate per second; compare within one run: `product` and `byOneDnn` as ratios to the best of the `blocks`.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(value = 1,
        jvmArgsAppend = {"--add-modules", "jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED", "-Xmx2g"})
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
public class PrefillBenchmark {
    private static final int ROWS = 512;
    /// Outputs of a product: short enough to end between two interruptions.
    private static final int SLICE = 256;

    @Param({"BF16", "FP8", "INT4"})
    Precision precision;

    @Param("FP32")
    HostOptions.Activations activations;

    @Param("128")
    int groupColumns;

    @Param("2")
    int threads;

    private Arena arena;
    private WorkerGroup group;
    private ProductPlan plan;
    private ProductPlan byOneDnn;
    private LinearProjections projections;
    private LinearProjections convertedProjections;
    private int outputs;
    private PackedMatrix slice;
    private float[] out;
    private final List<BlockProducts> blocks = new ArrayList<>();

    /// What one operation computed.
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Rates {
        /// Multiplications and additions, in 1e9.
        public double gigaflops;

        /// The counter starts at zero in every iteration.
        @Setup(Level.Iteration)
        public void clear() {
            gigaflops = 0;
        }
    }

    /// Packs the weights and prepares the products.
    @Setup
    public void open() throws IOException {
        arena = Arena.ofShared();
        group = new WorkerGroup("benchmark", threads);
        plan = BenchmarkWeights.plan(activations, precision, groupColumns, ROWS);
        byOneDnn = new ProductPlan(
                IntegerPlan.exact(precision == Precision.INT8 ? precision : Precision.INT4,
                        precision == Precision.INT8 ? 32 : groupColumns),
                new BatchedProduct(FloatProducts.open(OneDnn.multipliesBf16() ? FloatFormat.BF16 : FloatFormat.FP32,
                        Set.of(BenchmarkWeights.INPUTS), false, ROWS), SumOrder.UNKNOWN, 1, ""));
        projections = BenchmarkWeights.projections(ROWS, precision, threads, plan, arena);
        convertedProjections = BenchmarkWeights.projections(ROWS, precision, threads, byOneDnn, arena);
        outputs = Math.max(SLICE, threads * BlockProducts.OUTPUTS);
        slice = BenchmarkWeights.packed(BenchmarkWeights.random(precision, groupColumns, outputs), group, arena);
        out = BenchmarkWeights.out(ROWS);
        for (int i = 0; i < threads; i++) {
            blocks.add(new BlockProducts(BenchmarkWeights.INPUTS, ROWS));
        }
    }

    /// Ends the threads.
    @TearDown
    public void close() {
        group.close();
        blocks.forEach(BlockProducts::close);
        byOneDnn.close();
        plan.close();
        arena.close();
    }

    /// By the batch-invariant kernels.
    @Benchmark
    public float[] product(Rates rates) {
        return product(projections, rates);
    }

    /// By oneDNN, with weights converted to BF16 where the processor multiplies it, else to FP32.
    @Benchmark
    public float[] converted(Rates rates) {
        return product(convertedProjections, rates);
    }

    private float[] product(LinearProjections chosen, Rates rates) {
        BenchmarkWeights.product(group, chosen, ROWS, slice, out);
        rates.gigaflops += 2e-9 * outputs * BenchmarkWeights.INPUTS * ROWS;
        return out;
    }

    /// Decoded blocks by the portable kernel.
    @Benchmark
    public void blocksPortable(Rates rates) {
        group.run((worker, item) -> blocks.get(worker).portable(), threads);
        rates.gigaflops += 1e-9 * threads * blocks.getFirst().work();
    }

    /// Decoded blocks by oneDNN in FP32.
    @Benchmark
    public void blocksOneDnnFp32(Rates rates) {
        oneDnn(FloatFormat.FP32, rates);
    }

    /// Decoded blocks by oneDNN in BF16, where this processor has instructions for it.
    @Benchmark
    public void blocksOneDnnBf16(Rates rates) {
        oneDnn(FloatFormat.BF16, rates);
    }

    private void oneDnn(FloatFormat format, Rates rates) {
        group.run((worker, item) -> {
            blocks.get(worker).useOneThread();
            blocks.get(worker).oneDnn(format);
        }, threads);
        rates.gigaflops += 1e-9 * threads * blocks.getFirst().work();
    }
}
