package org.inferometer.execution.cuda;

import java.util.function.Consumer;
import jcuda.driver.CUevent;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;
import org.inferometer.execution.ExecutorException;

/// Rates that a GPU itself allows, measured now: the best of several turns.
final class DeviceRates {
    private static final int TURNS = 10;
    private static final long MOST_COPY_BYTES = 1L << 30;

    private DeviceRates() {}

    /// Bytes read plus bytes written per second by copies within the device's memory, which take at most an eighth of the free memory
    /// for each side.
    ///
    /// @param device as the options name it
    /// @throws ExecutorException if there is no such GPU, or too little memory is free
    static double copyBytesPerSecond(String device) throws ExecutorException {
        try (LoadedGpu gpu = LoadedGpu.open(device); DeviceMemory memory = new DeviceMemory(gpu.device())) {
            long bytes = Math.min(MOST_COPY_BYTES, gpu.device().freeBytes() / 8);
            DeviceAddress from = memory.take(DeviceMemory.Owner.WORKSPACE, bytes);
            DeviceAddress to = memory.take(DeviceMemory.Owner.WORKSPACE, bytes);
            return 2 * bytes / bestSeconds(stream -> CudaFailure.require("cuMemcpyDtoDAsync",
                    JCudaDriver.cuMemcpyDtoDAsync(to, from, bytes, stream)));
        }
    }

    /// Device seconds of the fastest of ten turns of the work on a stream of its own.
    static double bestSeconds(Consumer<CUstream> work) {
        try (ReleaseStack held = new ReleaseStack()) {
            CUstream stream = held.taken(Streams.stream(0), JCudaDriver::cuStreamDestroy);
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
