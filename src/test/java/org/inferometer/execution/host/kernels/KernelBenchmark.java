package org.inferometer.execution.host.kernels;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import jdk.incubator.vector.IntVector;
import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightMatrix;
import org.inferometer.execution.backend.RandomModel;
import org.inferometer.execution.host.packed.PackedMatrix;
import org.inferometer.execution.host.packed.PackedModel;
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

/// One pass over matrices of 5632 × 2048 that are larger together than the caches, against a plain read of the same bytes.
/// The secondary results `gigabytes` and `gigaflops` are rates a second; compare within one run, as ratios to `plainRead`.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(value = 1,
        jvmArgsAppend = {"--add-modules", "jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED", "-Xmx2g"})
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
public class KernelBenchmark {
    private static final int OUTPUTS = 5632;
    private static final int INPUTS = 2048;
    private static final long TOTAL_BYTES = 200L << 20;

    @Param({"BF16", "FP8", "INT4"})
    Precision precision;

    @Param({"1", "16", "128"})
    int rows;

    @Param({"2"})
    int threads;

    private Arena arena;
    private WorkerGroup group;
    private PackedMatrix[] matrices;
    private LinearProjections section;
    private ActivationRows input;
    private float[] out;
    private int next;
    private final long[] sink = new long[64];

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
        WeightMatrix source = RandomModel.matrix(OUTPUTS, INPUTS, precision, new Seed(1).generator());
        matrices = new PackedMatrix[(int) Math.ceilDiv(TOTAL_BYTES, PackedMatrix.bytes(source))];
        for (int i = 0; i < matrices.length; i++) {
            PackedMatrix matrix = new PackedMatrix(source, arena);
            group.run((worker, unit) -> matrix.packUnit(unit), matrix.units());
            matrices[i] = matrix;
        }
        input = new ActivationRows(INPUTS, BlockKernels.wholeTiles(rows));
        for (int row = 0; row < rows; row++) {
            for (int i = 0; i < INPUTS; i++) {
                input.values[row * input.stride + i] = (float) Math.sin(row * 31 + i);
            }
        }
        for (int tile = 0; tile * ActivationRows.TILE < rows; tile++) {
            input.prepare(tile, rows, precision == Precision.INT4, new float[Vectors.LANES]);
        }
        UnitProduct[] products = new UnitProduct[threads];
        for (int i = 0; i < threads; i++) {
            products[i] = new UnitProduct(rows);
        }
        section = new LinearProjections(products, rows, input);
        out = new float[BlockKernels.wholeTiles(rows) * Vectors.stride(OUTPUTS)];
    }

    /// Ends the threads.
    @TearDown
    public void close() {
        group.close();
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
        section.aim(input, rows, ProductEpilogue.STORE);
        section.add(new PackedModel.Linear(matrix, new float[0]), out, Vectors.stride(OUTPUTS));
        group.run(section, section.items());
        rates.gigabytes += matrix.lines().byteSize() / 1e9;
        rates.gigaflops += 2e-9 * OUTPUTS * INPUTS * rows;
        return out;
    }

    /// The same bytes summed as integers: what the memory gives.
    @Benchmark
    public long[] plainRead(Rates rates) {
        PackedMatrix matrix = matrix();
        MemorySegment lines = matrix.lines();
        long unitBytes = lines.byteSize() / matrix.units();
        group.run((worker, unit) -> sink[worker * 16] += read(lines, unit * unitBytes, unitBytes), matrix.units());
        rates.gigabytes += lines.byteSize() / 1e9;
        return sink;
    }

    private static long read(MemorySegment lines, long from, long bytes) {
        IntVector low = IntVector.zero(Vectors.INTS);
        IntVector high = low;
        for (long at = from; at < from + bytes; at += PackedMatrix.LINE_BYTES) {
            low = low.add(Vectors.ints(lines, at));
            high = high.add(Vectors.ints(lines, at + Vectors.BYTES));
        }
        return low.add(high).lane(0);
    }
}
