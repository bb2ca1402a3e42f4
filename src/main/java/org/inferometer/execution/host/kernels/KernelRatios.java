package org.inferometer.execution.host.kernels;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.random.RandomGenerator;
import jdk.incubator.vector.IntVector;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightMatrix;
import org.inferometer.execution.backend.SteadyRounds;
import org.inferometer.execution.host.HostOptions;
import org.inferometer.execution.host.attention.AttentionLoad;
import org.inferometer.execution.host.onednn.FloatFormat;
import org.inferometer.execution.host.packed.PackedMatrix;
import org.inferometer.execution.host.packed.PackedModel;
import org.inferometer.units.Clock;
import org.inferometer.units.Seed;

/// Rates of the matrix kernels beside what the machine allows, on matrices of one feed-forward layer of a 1.1-billion model that
/// together are larger than the caches.
///
/// What is compared takes turns in short slices, and each keeps its best: a busy machine disturbs both alike. Threads: the
/// caller's and `threads − 1` more while a call runs.
public final class KernelRatios {
    /// Outputs and inputs of the matrices.
    public static final int OUTPUTS = 5632;
    /// As [#OUTPUTS].
    static final int INPUTS = 2048;

    /// Outputs of the product of many rows, or as many as all threads have an item of: short enough to end between two interruptions.
    private static final int SLICE = 256;
    private static final long COLD_BYTES = 96L << 20;
    private static final int ROUNDS_AT_LEAST = 12;

    private final Clock clock;
    private final int threads;
    private final long budgetNanos;

    /// @param budgetNanos a comparison goes on until nothing became faster for so long
    public KernelRatios(Clock clock, int threads, long budgetNanos) {
        this.clock = clock;
        this.threads = threads;
        this.budgetNanos = budgetNanos;
    }

    /// Best rates of one-row products of one precision.
    ///
    /// @param readBytes plain sequential read of the packed bytes, a second
    /// @param decodeBytes packed bytes that one row's product consumes, a second
    public record Decode(double readBytes, double decodeBytes) {
        public double ratio() {
            return decodeBytes / readBytes;
        }
    }

    /// Best rates of products of many rows, in multiplications and additions a second.
    ///
    /// @param flops by the batch-invariant kernels
    /// @param bestFlops the fastest product of blocks that are decoded and in the cache, whatever computes it
    /// @param bestBy what computes that
    /// @param chosenFlops as `flops`, of what a race chooses without batch invariance; absent where it chooses the same kernels
    /// @param chosenBy what was chosen and why
    public record Products(double flops, double bestFlops, String bestBy, OptionalDouble chosenFlops, String chosenBy) {
        public double ratio() {
            return flops / bestFlops;
        }
    }

    /// Measures one row's products, with weights that are in no cache.
    ///
    /// @param activations that meet INT4
    public Decode decode(Precision precision, HostOptions.Activations activations) {
        WeightMatrix source = random(precision, OUTPUTS);
        try (ProductPlan plan = plan(activations, 1);
                Arena arena = Arena.ofShared();
                WorkerGroup group = new WorkerGroup("inferometer-ratios", threads)) {
            PackedMatrix[] matrices = new PackedMatrix[(int) Math.ceilDiv(COLD_BYTES, PackedMatrix.bytes(source))];
            for (int i = 0; i < matrices.length; i++) {
                matrices[i] = packed(source, group, arena);
            }
            LinearProjections one = section(1, precision, plan, arena);
            float[] out = new float[BlockKernels.wholeTiles(1) * Vectors.stride(OUTPUTS)];
            double bytes = matrices[0].lines().byteSize();
            long[] sink = new long[16 * threads];
            double[] best = new double[2];
            SteadyRounds settling = settling();
            for (int round = 0; settling.more(); round++) {
                PackedMatrix matrix = matrices[round % matrices.length];
                PackedMatrix next = matrices[(round + matrices.length / 2) % matrices.length];
                keep(settling, best, 0, bytes, () -> read(group, matrix, sink));
                keep(settling, best, 1, bytes, () -> product(group, one, 1, next, out));
            }
            return new Decode(best[0], best[1]);
        }
    }

    /// Measures products of so many rows, with weights that are in a cache: reading them is no matter there.
    ///
    /// @param activations that meet INT4; what is not batch-invariant is measured only with those that are not rounded
    /// @param rows a multiple of eight; above 256, of 256
    public Products products(Precision precision, HostOptions.Activations activations, int rows) {
        BatchedProduct chosen = activations == HostOptions.Activations.INT8 ? new BatchedProduct.Portable("")
                : BatchedProduct.winner(ProductAutotuner.run(INPUTS, rows, clock), Set.of(INPUTS), rows);
        List<BlockProducts> blocks = new ArrayList<>();
        try (ProductPlan plan = plan(activations, rows);
                Arena arena = Arena.ofShared();
                WorkerGroup group = new WorkerGroup("inferometer-ratios", threads)) {
            for (int i = 0; i < threads; i++) {
                blocks.add(new BlockProducts(INPUTS, rows));
            }
            LinearProjections many = section(rows, precision, plan, arena);
            LinearProjections widened = section(rows, precision, new ProductPlan(Int4Plan.EXACT, chosen), arena);
            int outputs = Math.max(SLICE, threads * BlockProducts.OUTPUTS);
            PackedMatrix slice = packed(random(precision, outputs), group, arena);
            float[] out = new float[BlockKernels.wholeTiles(rows) * Vectors.stride(OUTPUTS)];
            double work = 2.0 * outputs * INPUTS * rows;
            int items = (int) (work / blocks.getFirst().work());
            double[] best = new double[3];
            double[] wide = new double[FloatFormat.values().length];
            SteadyRounds settling = settling();
            while (settling.more()) {
                keep(settling, best, 0, work, () -> product(group, many, rows, slice, out));
                keep(settling, best, 1, work, () -> group.run((worker, item) -> blocks.get(worker).portable(), items));
                for (FloatFormat form : blocks.getFirst().forms()) {
                    keep(settling, wide, form.ordinal(), work,
                            () -> group.run((worker, item) -> wide(blocks.get(worker), form), items));
                }
                if (chosen instanceof BatchedProduct.Widened) {
                    keep(settling, best, 2, work, () -> product(group, widened, rows, slice, out));
                }
            }
            return products(best, wide, chosen);
        } finally {
            blocks.forEach(BlockProducts::close);
            chosen.close();
        }
    }

    private static Products products(double[] best, double[] wide, BatchedProduct chosen) {
        double most = best[1];
        String by = "the portable kernel";
        for (FloatFormat form : FloatFormat.values()) {
            if (wide[form.ordinal()] > most) {
                most = wide[form.ordinal()];
                by = "oneDNN in " + form;
            }
        }
        return new Products(best[0], most, by, best[2] > 0 ? OptionalDouble.of(best[2]) : OptionalDouble.empty(),
                chosen.words());
    }

    /// Best rates of one decode step's attention over a long context, and of a plain read of the same keys and values.
    ///
    /// @return bytes a second: attended, read
    public double[] attention(ModelShape shape, HostOptions options, int context) {
        try (Arena arena = Arena.ofShared(); WorkerGroup group = new WorkerGroup("inferometer-ratios", threads)) {
            AttentionLoad load = new AttentionLoad(shape, options, context, 1, threads, arena);
            double[] best = new double[2];
            SteadyRounds settling = settling();
            for (int round = 0; settling.more(); round++) {
                int step = round % load.steps();
                int far = (round + load.steps() / 2) % load.steps();
                keep(settling, best, 0, load.stepBytes(), () -> load.attend(group, step));
                keep(settling, best, 1, load.stepBytes(), () -> load.read(group, far));
            }
            return best;
        }
    }

    /// The batch-invariant kernels.
    private static ProductPlan plan(HostOptions.Activations activations, int rows) {
        Int4Plan int4 = switch (activations) {
            case FP32 -> Int4Plan.EXACT;
            case INT8 -> Int4Plan.rounded(Set.of(Math.ceilDiv(INPUTS, WeightMatrix.Int4.GROUP_COLUMNS)), rows);
        };
        return new ProductPlan(int4, new BatchedProduct.Portable(""));
    }

    private static PackedMatrix packed(WeightMatrix source, WorkerGroup group, Arena arena) {
        PackedMatrix matrix = new PackedMatrix(source, arena);
        group.run((worker, unit) -> matrix.packUnit(unit), matrix.units());
        return matrix;
    }

    private static void wide(BlockProducts products, FloatFormat form) {
        products.computeAlone();
        products.wide(form);
    }

    private SteadyRounds settling() {
        return new SteadyRounds(clock, ROUNDS_AT_LEAST, budgetNanos);
    }

    private void keep(SteadyRounds settling, double[] best, int at, double amount, Runnable work) {
        long start = clock.nanos();
        work.run();
        double rate = amount * 1e9 / Math.max(1, clock.nanos() - start);
        settling.seen(best[at], rate);
        best[at] = Math.max(best[at], rate);
    }

    private LinearProjections section(int rows, Precision precision, ProductPlan plan, Arena arena) {
        ActivationRows input = new ActivationRows(INPUTS, BlockKernels.wholeTiles(rows), plan, arena);
        for (int i = 0; i < rows * INPUTS; i++) {
            input.values[i / INPUTS * input.stride + i % INPUTS] = (float) Math.sin(i);
        }
        for (int tile = 0; tile * ActivationRows.TILE < rows; tile++) {
            input.prepare(tile, rows, precision == Precision.INT4, new float[Vectors.LANES]);
        }
        UnitProduct[] products = new UnitProduct[threads];
        Arrays.setAll(products, i -> new UnitProduct(rows, plan, arena));
        return new LinearProjections(products, rows, input);
    }

    private static void product(WorkerGroup group, LinearProjections section, int rows, PackedMatrix matrix,
            float[] out) {
        section.aimAgain(rows, ProductEpilogue.STORE);
        section.add(new PackedModel.Linear(matrix, new float[0]), out, Vectors.stride(OUTPUTS));
        group.run(section, section.items());
    }

    private static void read(WorkerGroup group, PackedMatrix matrix, long[] sink) {
        MemorySegment lines = matrix.lines();
        long unitBytes = lines.byteSize() / matrix.units();
        group.run((worker, unit) -> sink[worker * 16] += sum(lines, unit * unitBytes, unitBytes), matrix.units());
    }

    /// What a plain read of whole lines costs: their sum.
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
    public static String gigabytes(double part, double whole) {
        return String.format(Locale.ROOT, "%.1f of %.1f GB/s", part / 1e9, whole / 1e9);
    }

    /// "190 of 230 GFLOP/s".
    public static String gigaflops(double part, double whole) {
        return String.format(Locale.ROOT, "%.0f of %.0f GFLOP/s", part / 1e9, whole / 1e9);
    }
}
