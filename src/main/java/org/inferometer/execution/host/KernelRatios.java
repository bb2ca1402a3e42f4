package org.inferometer.execution.host;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Locale;
import java.util.random.RandomGenerator;
import jdk.incubator.vector.IntVector;
import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightMatrix;
import org.inferometer.units.Clock;
import org.inferometer.units.Seed;

/// Rates of the matrix kernels beside what the machine allows, on matrices of one feed-forward layer of a 1.1-billion model that
/// together are larger than the caches.
///
/// What is compared takes turns in short slices, and each keeps its best: a busy machine disturbs both alike. Threads: the
/// caller's and `threads − 1` more while a call runs.
final class KernelRatios {
    /// Outputs and inputs of the matrices.
    static final int OUTPUTS = 5632;
    /// As [#OUTPUTS].
    static final int INPUTS = 2048;

    /// Outputs of the product of many rows: short enough to end between two interruptions.
    private static final int SLICE = 256;
    private static final long COLD_BYTES = 96L << 20;
    private static final int ROUNDS_AT_LEAST = 12;

    private final Clock clock;
    private final int threads;
    private final long budgetNanos;

    /// @param budgetNanos time for one comparison, warming up included
    KernelRatios(Clock clock, int threads, long budgetNanos) {
        this.clock = clock;
        this.threads = threads;
        this.budgetNanos = budgetNanos;
    }

    /// Best rates of one precision.
    ///
    /// @param readBytes plain sequential read of the packed bytes, a second
    /// @param decodeBytes packed bytes that one row's product consumes, a second
    /// @param flops multiplications and additions a second of `rows` rows
    /// @param plainFlops the same product with weights that are already FP32 vectors
    record Rates(int rows, double readBytes, double decodeBytes, double flops, double plainFlops) {
        double decodeRatio() {
            return decodeBytes / readBytes;
        }

        double productRatio() {
            return flops / plainFlops;
        }
    }

    /// Measures one precision with so many rows in the product.
    Rates measure(Precision precision, int rows) {
        WeightMatrix source = random(precision, OUTPUTS);
        try (Arena arena = Arena.ofShared(); WorkerGroup group = new WorkerGroup("inferometer-ratios", threads)) {
            PackedMatrix[] matrices = new PackedMatrix[(int) Math.ceilDiv(COLD_BYTES, PackedMatrix.bytes(source))];
            for (int i = 0; i < matrices.length; i++) {
                PackedMatrix matrix = new PackedMatrix(source, arena);
                group.run((worker, unit) -> matrix.packUnit(unit), matrix.units());
                matrices[i] = matrix;
            }
            ProjectionSection one = section(1, precision);
            ProjectionSection many = section(rows, precision);
            PackedMatrix slice = new PackedMatrix(random(precision, SLICE), arena);
            group.run((worker, unit) -> slice.packUnit(unit), slice.units());
            RowInput plainInput = input(rows, Precision.FP8);
            float[] out = new float[LaneBuffers.wholeTiles(rows) * Vectors.stride(OUTPUTS)];
            double bytes = matrices[0].lines().byteSize();
            double work = 2.0 * SLICE * INPUTS * rows;
            float[][] block = new float[threads][BlockKernels.COLUMNS * Vectors.UNIT];
            float[][] sums = new float[threads][LaneBuffers.wholeTiles(rows) * Vectors.UNIT];
            long[] sink = new long[16 * threads];
            double[] best = new double[4];
            long end = clock.nanos() + budgetNanos;
            for (int round = 0; round < ROUNDS_AT_LEAST || clock.nanos() < end; round++) {
                PackedMatrix matrix = matrices[round % matrices.length];
                PackedMatrix next = matrices[(round + matrices.length / 2) % matrices.length];
                keep(best, 0, bytes, () -> read(group, matrix, sink));
                keep(best, 1, bytes, () -> product(group, one, 1, next, out));
                if (round % 4 == 0) {
                    keep(best, 2, work, () -> product(group, many, rows, slice, out));
                    keep(best, 3, work, () -> plainProduct(group, rows, plainInput, block, sums));
                }
            }
            return new Rates(rows, best[0], best[1], best[2], best[3]);
        }
    }

    private void keep(double[] best, int at, double amount, Runnable work) {
        long start = clock.nanos();
        work.run();
        best[at] = Math.max(best[at], amount * 1e9 / Math.max(1, clock.nanos() - start));
    }

    private ProjectionSection section(int rows, Precision precision) {
        UnitProduct[] products = new UnitProduct[threads];
        Arrays.setAll(products, i -> new UnitProduct(rows, null));
        return new ProjectionSection(products, rows, input(rows, precision));
    }

    private static RowInput input(int rows, Precision precision) {
        RowInput input = new RowInput(INPUTS, LaneBuffers.wholeTiles(rows));
        for (int i = 0; i < rows * INPUTS; i++) {
            input.values[i / INPUTS * input.stride + i % INPUTS] = (float) Math.sin(i);
        }
        for (int tile = 0; tile * RowInput.TILE < rows; tile++) {
            input.prepare(tile, rows, precision == Precision.INT4, new float[Vectors.LANES]);
        }
        return input;
    }

    private static void product(WorkerGroup group, ProjectionSection section, int rows, PackedMatrix matrix, float[] out) {
        section.aimAgain(rows, ProductFinish.STORE);
        section.add(new PackedModel.Linear(matrix, new float[0]), out, Vectors.stride(OUTPUTS));
        group.run(section, section.items());
    }

    /// The many-row kernel over blocks that need no decoding: the portable matrix product at its best.
    private static void plainProduct(WorkerGroup group, int rows, RowInput input, float[][] block, float[][] sums) {
        group.run((worker, unit) -> {
            for (int column = 0; column < INPUTS; column += BlockKernels.COLUMNS) {
                for (int row = 0; row < rows; row += BlockKernels.TILE_ROWS) {
                    int x = row * input.stride + column * BlockKernels.TILE_ROWS;
                    BlockKernels.eightRows(block[worker], BlockKernels.COLUMNS, input.tiles, x, sums[worker], row * Vectors.UNIT);
                }
            }
        }, SLICE / Vectors.UNIT);
    }

    private static void read(WorkerGroup group, PackedMatrix matrix, long[] sink) {
        MemorySegment lines = matrix.lines();
        long unitBytes = lines.byteSize() / matrix.units();
        group.run((worker, unit) -> sink[worker * 16] += sum(lines, unit * unitBytes, unitBytes), matrix.units());
    }

    private static long sum(MemorySegment lines, long from, long bytes) {
        IntVector low = IntVector.zero(Vectors.INTS);
        IntVector high = low;
        int count = (int) (bytes / PackedMatrix.LINE_BYTES);
        for (int i = 0; i < count; i++) {
            low = low.add(Vectors.ints(lines, from + (long) i * PackedMatrix.LINE_BYTES));
            high = high.add(Vectors.ints(lines, from + (long) i * PackedMatrix.LINE_BYTES + Vectors.BYTES));
        }
        return low.add(high).lane(0);
    }

    /// Random codes as quantising weights makes them: of FP8 one in ten thousand has no exponent.
    private static WeightMatrix random(Precision precision, int outputs) {
        RandomGenerator random = new Seed(1).generator();
        int count = outputs * INPUTS;
        return switch (precision) {
            case BF16 -> {
                MemorySegment values = MemorySegment.ofArray(new short[count]);
                for (int i = 0; i < count; i++) {
                    values.set(ValueLayout.JAVA_SHORT_UNALIGNED, 2L * i, (short) (0x3C00 | random.nextInt(0x180)));
                }
                yield new WeightMatrix.Bf16(outputs, INPUTS, values);
            }
            case FP8 -> {
                byte[] codes = new byte[count];
                for (int i = 0; i < count; i++) {
                    int code = random.nextInt(0x100);
                    codes[i] = (byte) (i % 10_000 == 0 ? code & 0x87 : code & 0xBF | 0x20);
                }
                float[] scales = new float[outputs];
                Arrays.fill(scales, 1e-4f);
                yield new WeightMatrix.Fp8(outputs, INPUTS, MemorySegment.ofArray(codes), scales);
            }
            case INT4 -> {
                byte[] nibbles = new byte[count / 2];
                random.nextBytes(nibbles);
                int groups = count / WeightMatrix.Int4.GROUP_COLUMNS;
                float[] scales = new float[groups];
                Arrays.fill(scales, 0x1p-8f);
                byte[] zeros = new byte[groups];
                Arrays.fill(zeros, (byte) 8);
                yield new WeightMatrix.Int4(outputs, INPUTS, MemorySegment.ofArray(nibbles), scales, zeros);
            }
        };
    }

    /// "11.2 of 21.4 GB/s".
    static String gigabytes(double part, double whole) {
        return String.format(Locale.ROOT, "%.1f of %.1f GB/s", part / 1e9, whole / 1e9);
    }

    /// "190 of 230 GFLOP/s".
    static String gigaflops(double part, double whole) {
        return String.format(Locale.ROOT, "%.0f of %.0f GFLOP/s", part / 1e9, whole / 1e9);
    }
}
