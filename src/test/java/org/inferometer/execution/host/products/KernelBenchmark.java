package org.inferometer.execution.host.products;

import java.lang.foreign.Arena;
import java.util.concurrent.TimeUnit;
import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightMatrix;
import org.inferometer.execution.check.ColdProducts;
import org.inferometer.execution.host.kernels.PackedMatrix;
import org.inferometer.execution.host.machine.HostOptions;
import org.inferometer.execution.host.machine.WorkerGroup;
import org.inferometer.units.Seed;
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

/// Products with matrices of 5632 × 2048 that are larger together than the caches, against a plain read of the same bytes: decode
/// with one row, small batches with more. The secondary results `gigabytes` and `gigaflops` are rates per second; compare within
/// one run, as ratios to `plainRead`. `-p precision=INT4 -p activations=INT8` measures rounded activations,
/// `-p groupColumns=32` INT4 in narrower groups, `-p fp8GroupColumns=128` FP8 with scales of groups.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(value = 1,
        jvmArgsAppend = {"--add-modules", "jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED", "-Xmx2g"})
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
public class KernelBenchmark {
    private static final long TOTAL_BYTES = 200L << 20;

    @Param({"BF16", "FP8", "INT8", "INT4"})
    Precision precision;

    @Param({"1", "16", "128"})
    int rows;

    @Param("FP32")
    HostOptions.Activations activations;

    @Param("128")
    int groupColumns;

    @Param("0")
    int fp8GroupColumns;

    @Param("2")
    int threads;

    private Arena arena;
    private WorkerGroup group;
    private PackedMatrix[] matrices;
    private ProductPlan plan;
    private LinearProjections projections;
    private float[] out;
    private int next;
    private long[] sums;

    /// What one operation moved and computed.
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Rates {
        /// Packed weights, in 1e9 bytes.
        public double gigabytes;
        /// Multiplications and additions, in 1e9.
        public double gigaflops;

        /// Counters start at zero in every iteration.
        @Setup(Level.Iteration)
        public void clear() {
            gigabytes = 0;
            gigaflops = 0;
        }
    }

    /// Packs the matrices.
    @Setup
    public void open() {
        arena = Arena.ofShared();
        group = new WorkerGroup("benchmark", threads);
        sums = new long[16 * threads];
        plan = BenchmarkWeights.plan(activations, precision, groupColumns, rows);
        WeightMatrix source = precision == Precision.FP8
                ? BenchmarkWeights.fp8(fp8GroupColumns, BenchmarkWeights.OUTPUTS, new Seed(1).generator())
                : BenchmarkWeights.random(precision, groupColumns, BenchmarkWeights.OUTPUTS);
        matrices = new PackedMatrix[(int) Math.ceilDiv(TOTAL_BYTES, PackedMatrix.bytes(source))];
        for (int i = 0; i < matrices.length; i++) {
            matrices[i] = BenchmarkWeights.packed(source, group, arena);
        }
        projections = BenchmarkWeights.projections(rows, precision, threads, plan, arena);
        out = BenchmarkWeights.out(rows);
    }

    /// Ends the threads.
    @TearDown
    public void close() {
        group.close();
        plan.close();
        arena.close();
    }

    private PackedMatrix matrix() {
        next = (next + 1) % matrices.length;
        return matrices[next];
    }

    /// The next matrix times the rows.
    @Benchmark
    public float[] product(Rates rates) {
        PackedMatrix matrix = matrix();
        BenchmarkWeights.product(group, projections, rows, matrix, out);
        rates.gigabytes += matrix.lines().byteSize() / 1e9;
        rates.gigaflops += 2e-9 * BenchmarkWeights.OUTPUTS * BenchmarkWeights.INPUTS * rows;
        return out;
    }

    /// The same bytes summed as integers: what the memory gives.
    @Benchmark
    public long[] plainRead(Rates rates) {
        PackedMatrix matrix = matrix();
        ColdProducts.read(group, matrix, sums);
        rates.gigabytes += matrix.lines().byteSize() / 1e9;
        return sums;
    }
}
