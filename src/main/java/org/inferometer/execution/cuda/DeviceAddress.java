package org.inferometer.execution.cuda;

import jcuda.driver.CUdeviceptr;

/// An address in device memory, passed to kernels.
final class DeviceAddress extends CUdeviceptr {
    /// Null until the driver sets it.
    DeviceAddress() {}

    private DeviceAddress(DeviceAddress base, long bytes) {
        super(base, bytes);
    }

    /// The address as a number.
    long value() {
        return getNativePointer() + getByteOffset();
    }

    /// The address this many bytes further.
    DeviceAddress plus(long bytes) {
        return new DeviceAddress(this, bytes);
    }
}
