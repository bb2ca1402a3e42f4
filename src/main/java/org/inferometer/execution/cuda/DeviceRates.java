package org.inferometer.execution.cuda;

import java.lang.foreign.Arena;
import jcuda.driver.CUevent;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;
import org.inferometer.execution.ExecutorException;

/// What a GPU itself allows, measured in this run: the best of several turns of each.
///
/// @param copyBytesPerSecond bytes read plus bytes written by copies within the device's memory
/// @param productFlops floating-point operations a second of the BF16 tensor-core instruction that the products use, on registers
///     alone; libraries that use newer instructions may go beyond it
record DeviceRates(double copyBytesPerSecond, double productFlops) {
    private static final int TURNS = 10;
    private static final long MOST_COPY_BYTES = 1L << 30;
    private static final int PRODUCT_ITERATIONS = 4096;
    /// Blocks a multiprocessor, enough for its four tensor cores.
    private static final int PRODUCT_BLOCKS_EACH = 4;
    private static final int WARP = 32;
    /// Of one pass of a warp over its eight sums: m16n8k16 has 16 · 8 · 16 multiplications and as many additions.
    private static final long FLOPS_OF_ITERATION = 8L * 2 * 16 * 8 * 16;

    /// Measures with at most an eighth of the free memory for each side of the copy.
    ///
    /// @throws ExecutorException when there is no such GPU, or too little memory is free
    static DeviceRates measure(String choice) throws ExecutorException {
        try (LoadedGpu gpu = LoadedGpu.open(choice);
                DeviceMemory memory = new DeviceMemory(gpu.device());
                Arena arena = Arena.ofConfined();
                Releases held = new Releases()) {
            CUstream stream = held.taken(Streams.stream(0), JCudaDriver::cuStreamDestroy);
            CUevent begun = held.taken(Streams.event(), JCudaDriver::cuEventDestroy);
            CUevent ended = held.taken(Streams.event(), JCudaDriver::cuEventDestroy);
            Turn turn = new Turn(stream, begun, ended);
            return new DeviceRates(copy(gpu.device(), memory, turn), products(gpu, memory, arena, turn));
        }
    }

    private record Turn(CUstream stream, CUevent begun, CUevent ended) {
        /// Seconds of the fastest of several turns, on the device.
        double bestSeconds(Runnable work) {
            float[] milliseconds = new float[1];
            float best = Float.MAX_VALUE;
            for (int i = 0; i < TURNS; i++) {
                CudaFailure.require("cuEventRecord", JCudaDriver.cuEventRecord(begun, stream));
                work.run();
                CudaFailure.require("cuEventRecord", JCudaDriver.cuEventRecord(ended, stream));
                CudaFailure.require("cuEventSynchronize", JCudaDriver.cuEventSynchronize(ended));
                CudaFailure.require("cuEventElapsedTime", JCudaDriver.cuEventElapsedTime(milliseconds, begun, ended));
                best = Math.min(best, milliseconds[0]);
            }
            return best / 1000;
        }
    }

    private static double copy(CudaDevice device, DeviceMemory memory, Turn turn) throws ExecutorException {
        long bytes = Math.min(MOST_COPY_BYTES, device.freeBytes() / 8);
        DeviceAddress from = memory.take(DeviceMemory.Owner.WORKSPACE, bytes);
        DeviceAddress to = memory.take(DeviceMemory.Owner.WORKSPACE, bytes);
        double seconds = turn.bestSeconds(() -> CudaFailure.require("cuMemcpyDtoDAsync",
                JCudaDriver.cuMemcpyDtoDAsync(to, from, bytes, turn.stream())));
        return 2 * bytes / seconds;
    }

    private static double products(LoadedGpu gpu, DeviceMemory memory, Arena arena, Turn turn)
            throws ExecutorException {
        int blocks = PRODUCT_BLOCKS_EACH * gpu.device().multiprocessors();
        DeviceAddress out =
                memory.take(DeviceMemory.Owner.WORKSPACE, (long) Float.BYTES * blocks * KernelTiles.RATE_THREADS);
        Kernel kernel = gpu.module().kernel("mma_rate", KernelTiles.RATE_THREADS, 0);
        KernelArguments arguments = KernelArguments.of(arena).address(out).integer(PRODUCT_ITERATIONS).build();
        double seconds = turn.bestSeconds(() -> arguments.launch(kernel, turn.stream(), blocks, 1, 1));
        return (double) blocks * (KernelTiles.RATE_THREADS / WARP) * PRODUCT_ITERATIONS * FLOPS_OF_ITERATION / seconds;
    }
}
