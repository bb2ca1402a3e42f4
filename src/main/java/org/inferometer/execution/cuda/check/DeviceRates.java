package org.inferometer.execution.cuda.check;

import java.lang.foreign.Arena;
import java.util.function.Consumer;
import jcuda.driver.CUevent;
import jcuda.driver.JCudaDriver;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.cuda.device.CudaFailure;
import org.inferometer.execution.cuda.device.DeviceAddress;
import org.inferometer.execution.cuda.device.DeviceMemory;
import org.inferometer.execution.cuda.device.DeviceStream;
import org.inferometer.execution.cuda.device.ReleaseStack;
import org.inferometer.execution.cuda.device.Streams;
import org.inferometer.execution.cuda.kernels.Kernel;
import org.inferometer.execution.cuda.kernels.KernelArguments;
import org.inferometer.execution.cuda.kernels.KernelStruct;
import org.inferometer.execution.cuda.kernels.KernelTiles;
import org.inferometer.execution.cuda.steps.LoadedGpu;

/// Measured rates of a GPU: the best of several rounds.
public final class DeviceRates {
    private static final int TURNS = 10;
    private static final long MOST_COPY_BYTES = 1L << 30;
    private static final int TENSOR_BLOCKS_EACH = 4;

    private DeviceRates() {}

    /// Bytes read and written per second by copies within device memory. Each side uses at most an eighth of the free
    /// memory.
    ///
    /// @param device number or UUID
    /// @throws ExecutorException if there is no such GPU, or too little memory is free
    public static double copyBytesPerSecond(String device) throws ExecutorException {
        try (LoadedGpu gpu = LoadedGpu.open(device); DeviceMemory memory = new DeviceMemory(gpu.device())) {
            long bytes = Math.min(MOST_COPY_BYTES, gpu.device().freeBytes() / 8);
            DeviceAddress from = memory.take(DeviceMemory.Owner.WORKSPACE, bytes);
            DeviceAddress to = memory.take(DeviceMemory.Owner.WORKSPACE, bytes);
            return 2 * bytes / bestSeconds(stream -> CudaFailure.require("cuMemcpyDtoDAsync",
                    JCudaDriver.cuMemcpyDtoDAsync(to, from, bytes, stream)));
        }
    }

    /// Floating-point operations per second of the tensor-core instruction of the products, in BF16, on registers only.
    ///
    /// @param device number or UUID
    /// @param iterations of eight instructions in each warp
    /// @throws ExecutorException if there is no such GPU, or too little memory is free
    static double tensorFlopsPerSecond(String device, int iterations) throws ExecutorException {
        try (LoadedGpu gpu = LoadedGpu.open(device);
                DeviceMemory memory = new DeviceMemory(gpu.device());
                Arena arena = Arena.ofConfined()) {
            int blocks = TENSOR_BLOCKS_EACH * gpu.device().multiprocessors();
            DeviceAddress out =
                    memory.take(DeviceMemory.Owner.WORKSPACE, (long) Float.BYTES * blocks * KernelTiles.RATE_THREADS);
            Kernel kernel = gpu.module().kernel("mma_rate", KernelTiles.RATE_THREADS, 0);
            KernelArguments arguments = KernelArguments.of(KernelStruct.MMA_RATE, arena).address("out", out)
                    .integer("iterations", iterations).build();
            double flops = (double) blocks * (KernelTiles.RATE_THREADS / 32) * iterations * 8 * 4096;
            return flops / bestSeconds(stream -> arguments.launch(kernel, stream, blocks, 1, 1));
        }
    }

    /// Device time of the fastest of ten rounds on a separate stream, in seconds.
    static double bestSeconds(Consumer<DeviceStream> work) {
        try (ReleaseStack held = new ReleaseStack()) {
            DeviceStream stream = held.taken(Streams.stream(0), JCudaDriver::cuStreamDestroy);
            CUevent begun = held.taken(Streams.event(), JCudaDriver::cuEventDestroy);
            CUevent ended = held.taken(Streams.event(), JCudaDriver::cuEventDestroy);
            float[] milliseconds = new float[1];
            float best = Float.MAX_VALUE;
            for (int i = 0; i < TURNS; i++) {
                CudaFailure.require("cuEventRecord", JCudaDriver.cuEventRecord(begun, stream));
                work.accept(stream);
                CudaFailure.require("cuEventRecord", JCudaDriver.cuEventRecord(ended, stream));
                CudaFailure.require("cuEventSynchronize", JCudaDriver.cuEventSynchronize(ended));
                CudaFailure.require("cuEventElapsedTime", JCudaDriver.cuEventElapsedTime(milliseconds, begun, ended));
                best = Math.min(best, milliseconds[0]);
            }
            return best / 1000;
        }
    }
}
