package org.inferometer.execution.cuda.device;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jcuda.Pointer;
import jcuda.driver.JCudaDriver;

/// Page-locked host memory that the GPU accesses directly. Closed with the device's context current.
public final class PinnedMemory implements AutoCloseable {
    private final Pointer pointer = new Pointer();
    private final MemorySegment segment;

    public PinnedMemory(long bytes) {
        long size = Math.max(bytes, 1);
        CudaFailure.require("cuMemHostAlloc",
                JCudaDriver.cuMemHostAlloc(pointer, size, JCudaDriver.CU_MEMHOSTALLOC_DEVICEMAP));
        segment = MemorySegment.ofBuffer(pointer.getByteBuffer(0, size).order(ByteOrder.nativeOrder())).fill((byte) 0);
    }

    /// For copies.
    public Pointer pointer() {
        return pointer;
    }

    /// For kernels: the address at which they reach this memory.
    ///
    /// @throws CudaFailure if a driver call fails
    public DeviceAddress address() {
        DeviceAddress address = new DeviceAddress();
        CudaFailure.require("cuMemHostGetDevicePointer", JCudaDriver.cuMemHostGetDevicePointer(address, pointer, 0));
        return address;
    }

    /// For reading and writing.
    public MemorySegment segment() {
        return segment;
    }

    @Override
    public void close() {
        JCudaDriver.cuMemFreeHost(pointer);
    }
}
