package org.inferometer.execution.check;

import java.lang.foreign.Arena;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import org.inferometer.execution.BackendCheck.BackendFigure;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.cuda.device.DeviceAddress;
import org.inferometer.execution.cuda.device.DeviceMemory;
import org.inferometer.execution.cuda.device.DeviceStream;
import org.inferometer.execution.cuda.device.KernelArguments;
import org.inferometer.execution.cuda.device.KernelModule.Kernel;
import org.inferometer.execution.cuda.device.KernelStruct;
import org.inferometer.execution.cuda.device.KernelTiles;
import org.inferometer.execution.cuda.steps.LoadedGpu;

/// The rates of a GPU with which kernels are compared, each the best of several rounds.
///
/// @param readBytesPerSecond of a kernel that only reads
/// @param tensorFlopsPerSecond of the BF16 tensor-core instruction on registers
public record DevicePeaks(double readBytesPerSecond, double tensorFlopsPerSecond) {
    /// Where nothing is compared with them.
    static final DevicePeaks NONE = new DevicePeaks(Double.NaN, Double.NaN);

    private static final int ROUNDS = 9;
    private static final long MOST_COPY_BYTES = 1L << 30;
    private static final int READING_BLOCKS_EACH = 8;
    private static final int TENSOR_BLOCKS_EACH = 4;
    /// Of 32 layers.
    private static final int STEP_LAUNCHES = 32 * 5 + 4;

    /// Measures both.
    ///
    /// @throws ExecutorException when the device's memory does not suffice
    static DevicePeaks measure(LoadedGpu gpu, KernelTimer timer, KernelSizes.Effort effort) throws ExecutorException {
        int blocks = READING_BLOCKS_EACH * gpu.module().multiprocessors();
        try (DeviceMemory memory = new DeviceMemory(gpu.device());
                DeviceFill fill = new DeviceFill(memory);
                Arena arena = Arena.ofConfined()) {
            long bytes = Math.min(effort.readBytes(), gpu.device().freeBytes() / 8) / 16 * 16;
            KernelArguments reading = reading(arena, fill.take(DeviceFill.Numbers.INT4, bytes),
                    memory.take(DeviceMemory.Owner.WORKSPACE, (long) Integer.BYTES * blocks), bytes);
            Kernel read = gpu.module().kernel("read_rate", KernelTiles.RATE_THREADS, 0);
            double seconds = timer.secondsEach(1, stream -> reading.launch(read, stream, blocks, 1, 1));
            return new DevicePeaks(bytes / seconds, tensorFlopsPerSecond(gpu, effort.tensorIterations()));
        }
    }

    private static KernelArguments reading(Arena arena, DeviceAddress from, DeviceAddress out, long bytes) {
        return KernelArguments.of(KernelStruct.READ_RATE, arena).address("from", from).address("out", out)
                .bytes("bytes", bytes).build();
    }

    /// Bytes read and written per second by copies within device memory. Each side uses at most an eighth of the free
    /// memory.
    ///
    /// @throws ExecutorException when the device's memory does not suffice
    public static double copyBytesPerSecond(LoadedGpu gpu) throws ExecutorException {
        try (DeviceMemory memory = new DeviceMemory(gpu.device()); KernelTimer timer = new KernelTimer(ROUNDS)) {
            long bytes = Math.min(MOST_COPY_BYTES, gpu.device().freeBytes() / 8);
            DeviceAddress from = memory.take(DeviceMemory.Owner.WORKSPACE, bytes);
            DeviceAddress to = memory.take(DeviceMemory.Owner.WORKSPACE, bytes);
            return 2 * bytes / timer.secondsEachQueued(1, List.of(to), each -> timer.stream().copy(from, each, bytes));
        }
    }

    /// Floating-point operations per second of the tensor-core instruction of the products, in BF16, on registers only.
    ///
    /// @param iterations of eight instructions in each warp
    /// @throws ExecutorException when the device's memory does not suffice
    static double tensorFlopsPerSecond(LoadedGpu gpu, int iterations) throws ExecutorException {
        try (DeviceMemory memory = new DeviceMemory(gpu.device());
                KernelTimer timer = new KernelTimer(ROUNDS);
                Arena arena = Arena.ofConfined()) {
            int blocks = TENSOR_BLOCKS_EACH * gpu.device().multiprocessors();
            DeviceAddress out =
                    memory.take(DeviceMemory.Owner.WORKSPACE, (long) Float.BYTES * blocks * KernelTiles.RATE_THREADS);
            Kernel kernel = gpu.module().kernel("mma_rate", KernelTiles.RATE_THREADS, 0);
            KernelArguments arguments = KernelArguments.of(KernelStruct.MMA_RATE, arena).address("out", out)
                    .integer("iterations", iterations).build();
            double flops = (double) blocks * (KernelTiles.RATE_THREADS / 32) * iterations * 8 * 4096;
            return flops / timer.secondsEachQueued(1, List.of(arguments),
                    each -> each.launch(kernel, timer.stream(), blocks, 1, 1));
        }
    }

    /// Times of a kernel that does nothing: from one launch to the next, and of as many launches as a step has.
    ///
    /// @throws ExecutorException when the device's memory does not suffice
    static List<BackendFigure> spacing(LoadedGpu gpu, KernelTimer timer, KernelSizes.Effort effort)
            throws ExecutorException {
        try (DeviceMemory memory = new DeviceMemory(gpu.device()); Arena arena = Arena.ofConfined()) {
            DeviceAddress out = memory.take(DeviceMemory.Owner.WORKSPACE, Integer.BYTES);
            KernelArguments nothing = reading(arena, out, out, 0);
            Kernel read = gpu.module().kernel("read_rate", KernelTiles.RATE_THREADS, 0);
            Consumer<DeviceStream> launch = stream -> nothing.launch(read, stream, 1, 1, 1);
            double awaited = timer.secondsAwaited(effort.launches(), false, STEP_LAUNCHES, launch);
            double behind = timer.secondsAwaited(effort.launches(), true, STEP_LAUNCHES, launch);
            String graph = "A graph of " + STEP_LAUNCHES + " launches, as many as a step of an 8 B model has; ";
            return List.of(
                    micros("launch", "launch of a kernel that does nothing",
                            timer.secondsEach(effort.launches(), launch), "From one launch of a graph to the next."),
                    micros("step_awaited", "a step of kernels that do nothing", awaited,
                            graph + "the host waits for it and launches the next."),
                    micros("step_behind", "the same behind a running one", behind,
                            graph + String.format(Locale.ROOT,
                                    "the next is launched before the host waits. A step would gain %.1f µs at most.",
                                    (awaited - behind) * 1e6)));
        }
    }

    /// A time as a figure.
    static BackendFigure micros(String id, String name, double seconds, String sentence) {
        return new BackendFigure("cuda_kernels_" + id, name, seconds * 1e6, "µs", false, OptionalDouble.empty(),
                sentence);
    }

    /// "1 row", "64 rows".
    static String rows(int count) {
        return count + (count == 1 ? " row" : " rows");
    }

    /// Both rates as figures.
    List<BackendFigure> figures() {
        return List.of(
                new BackendFigure("cuda_kernels_read", "reads of device memory", readBytesPerSecond / 1e9, "GB/s", true,
                        OptionalDouble.empty(), "A kernel that only reads."),
                new BackendFigure("cuda_kernels_mma", "BF16 tensor-core instruction", tensorFlopsPerSecond / 1e12,
                        "TFLOP/s", true, OptionalDouble.empty(), "mma.sync m16n8k16 on registers."));
    }

    /// "812 GB/s, 24 % of reads".
    String memory(double seconds, double bytes) {
        return String.format(Locale.ROOT, "%.4g GB/s, %.1f %% of reads", bytes / seconds / 1e9,
                100 * bytes / seconds / readBytesPerSecond);
    }

    /// "12.5 TFLOP/s, 3.1 % of the instruction".
    String arithmetic(double seconds, double flops) {
        return String.format(Locale.ROOT, "%.4g TFLOP/s, %.1f %% of the instruction", flops / seconds / 1e12,
                100 * flops / seconds / tensorFlopsPerSecond);
    }

    /// "4096 to 6144: 812 GB/s, 24 % of reads; 12.5 TFLOP/s, 3.1 % of the instruction."
    String product(LayerProduct product, int rows, double bytes, double seconds) {
        return product.inputs() + " to " + product.outputs() + ": " + memory(seconds, bytes) + "; "
                + arithmetic(seconds, product.flops(rows)) + ".";
    }
}
