package org.inferometer.execution.cuda;

import java.lang.foreign.Arena;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import org.inferometer.execution.BackendFigure;
import org.inferometer.execution.ExecutorException;

/// The rates of a GPU with which kernels are compared.
///
/// @param readBytesPerSecond of a kernel that only reads
/// @param tensorFlopsPerSecond of the BF16 tensor-core instruction on registers
record DevicePeaks(double readBytesPerSecond, double tensorFlopsPerSecond) {
    private static final int BLOCKS_EACH = 8;

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

    /// Time from one launch to the next of a kernel that does nothing.
    ///
    /// @throws ExecutorException when the device's memory does not suffice
    static BackendFigure spacing(LoadedGpu gpu, KernelTimer timer, KernelSizes.Effort effort) throws ExecutorException {
        try (DeviceMemory memory = new DeviceMemory(gpu.device()); Arena arena = Arena.ofConfined()) {
            DeviceAddress out = memory.take(DeviceMemory.Owner.WORKSPACE, Integer.BYTES);
            KernelArguments nothing = reading(arena, out, out, 0);
            Kernel read = gpu.module().kernel("read_rate", KernelTiles.RATE_THREADS, 0);
            return micros("launch", "launch of a kernel that does nothing",
                    timer.secondsEach(effort.launches(), (stream, _) -> nothing.launch(read, stream, 1, 1, 1)),
                    "From one launch of a graph to the next.");
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
