package org.inferometer.execution.cuda.steps;

import java.util.stream.LongStream;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.cuda.device.DeviceAddress;
import org.inferometer.execution.cuda.device.DeviceMemory;
import org.inferometer.execution.cuda.device.KernelTiles;

/// Scratch memory of a [TokenSampler].
///
/// @param largest FP32 `[rows]`, the largest logit
/// @param slices 64 bits `[rows][blocks]`
/// @param arrivals counters of finished thread blocks `[rows]`; zero between launches
/// @param stepMass 64 bits `[rows][SAMPLE_STEPS]`; zero between steps
/// @param stepCount `[rows][SAMPLE_STEPS]`; zero between steps
/// @param places `[rows][blocks][SAMPLE_STEPS]`
/// @param candidates token ids `[rows][vocabulary]`
public record SamplerBuffers(DeviceAddress largest, DeviceAddress slices, DeviceAddress arrivals,
        DeviceAddress stepMass, DeviceAddress stepCount, DeviceAddress places, DeviceAddress candidates) {

    /// Bytes of each buffer, in order.
    ///
    /// @param blocks the largest product of rows and thread blocks of a row
    private static long[] each(int rows, long blocks, int vocabulary) {
        long steps = KernelTiles.SAMPLE_STEPS;
        return new long[]{(long) Float.BYTES * rows, Long.BYTES * blocks, (long) Integer.BYTES * rows,
                Long.BYTES * steps * rows, Integer.BYTES * steps * rows, Integer.BYTES * steps * blocks,
                (long) Integer.BYTES * rows * vocabulary};
    }

    /// Bytes of all buffers.
    static long bytes(int rows, long blocks, int vocabulary) {
        return LongStream.of(each(rows, blocks, vocabulary)).sum();
    }

    /// Allocates all buffers.
    ///
    /// @param blocks the largest product of rows and thread blocks of a row
    /// @throws ExecutorException when the device's memory does not suffice
    public static SamplerBuffers take(int rows, long blocks, int vocabulary, DeviceMemory memory)
            throws ExecutorException {
        long[] bytes = each(rows, blocks, vocabulary);
        DeviceAddress[] taken = new DeviceAddress[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            taken[i] = memory.take(DeviceMemory.Owner.ACTIVATIONS, bytes[i]);
        }
        return new SamplerBuffers(taken[0], taken[1], taken[2], taken[3], taken[4], taken[5], taken[6]);
    }
}
