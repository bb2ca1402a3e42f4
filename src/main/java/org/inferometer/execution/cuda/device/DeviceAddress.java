package org.inferometer.execution.cuda.device;

import jcuda.driver.CUdeviceptr;

/// An address in device memory, passed to kernels.
public final class DeviceAddress extends CUdeviceptr {
    /// Null until the driver sets it.
    DeviceAddress() {}

    private DeviceAddress(DeviceAddress base, long bytes) {
        super(base, bytes);
    }

    /// The address as a number.
    public long value() {
        return getNativePointer() + getByteOffset();
    }

    /// The address this many bytes further.
    public DeviceAddress plus(long bytes) {
        return new DeviceAddress(this, bytes);
    }
}
