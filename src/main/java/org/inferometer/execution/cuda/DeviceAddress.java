package org.inferometer.execution.cuda;

import jcuda.driver.CUdeviceptr;

/// An address in device memory, passed to kernels.
final class DeviceAddress extends CUdeviceptr {
    /// Null; the driver sets it.
    DeviceAddress() {}

    private DeviceAddress(DeviceAddress base, long bytes) {
        super(base, bytes);
    }

    /// As the device sees it.
    long value() {
        return getNativePointer() + getByteOffset();
    }

    /// So many bytes further.
    DeviceAddress plus(long bytes) {
        return new DeviceAddress(this, bytes);
    }
}
