package org.inferometer.execution.cuda.check;

import java.lang.foreign.Arena;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.ObjIntConsumer;
import org.inferometer.execution.BackendFigure;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.cuda.device.DeviceAddress;
import org.inferometer.execution.cuda.device.DeviceMemory;
import org.inferometer.execution.cuda.device.DeviceStream;
import org.inferometer.execution.cuda.kernels.Kernel;
import org.inferometer.execution.cuda.kernels.KernelArguments;
import org.inferometer.execution.cuda.kernels.KernelStruct;
import org.inferometer.execution.cuda.kernels.KernelTiles;
import org.inferometer.execution.cuda.steps.LoadedGpu;

/// The rates of a GPU with which kernels are compared.
///
/// @param readBytesPerSecond of a kernel that only reads
/// @param tensorFlopsPerSecond of the BF16 tensor-core instruction on registers
record DevicePeaks(double readBytesPerSecond, double tensorFlopsPerSecond) {
    /// Where nothing is compared with them.
    static final DevicePeaks NONE = new DevicePeaks(Double.NaN, Double.NaN);

    private static final int BLOCKS_EACH = 8;
    /// Of 32 layers.
    private static final int STEP_LAUNCHES = 32 * 5 + 4;

    /// Measures both.
    ///
    /// @param device number or UUID of the opened GPU
    /// @throws ExecutorException when the device's memory does not suffice
    static DevicePeaks measure(String device, LoadedGpu gpu, KernelTimer timer, KernelSizes.Effort effort)
            throws ExecutorException {
        int blocks = BLOCKS_EACH * gpu.module().multiprocessors();
        try (DeviceMemory memory = new DeviceMemory(gpu.device());
                DeviceFill fill = new DeviceFill(memory);
                Arena arena = Arena.ofConfined()) {
            long bytes = Math.min(effort.readBytes(), gpu.device().freeBytes() / 8) / 16 * 16;
            KernelArguments reading = reading(arena, fill.take(DeviceFill.Numbers.INT4, bytes),
                    memory.take(DeviceMemory.Owner.WORKSPACE, (long) Integer.BYTES * blocks), bytes);
            Kernel read = gpu.module().kernel("read_rate", KernelTiles.RATE_THREADS, 0);
            double seconds = timer.secondsEach(1, (stream, _) -> reading.launch(read, stream, blocks, 1, 1));
            return new DevicePeaks(bytes / seconds,
                    DeviceRates.tensorFlopsPerSecond(device, effort.tensorIterations()));
        }
    }

    private static KernelArguments reading(Arena arena, DeviceAddress from, DeviceAddress out, long bytes) {
        return KernelArguments.of(KernelStruct.READ_RATE, arena).address("from", from).address("out", out)
                .bytes("bytes", bytes).build();
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
            ObjIntConsumer<DeviceStream> launch = (stream, _) -> nothing.launch(read, stream, 1, 1, 1);
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
}
