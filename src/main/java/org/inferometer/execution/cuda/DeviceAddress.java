package org.inferometer.execution.cuda;

import jcuda.driver.CUdeviceptr;

/// A place in a device's memory. Its number is what kernels are given.
final class DeviceAddress extends CUdeviceptr {
    /// Nowhere yet; the driver fills it in.
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
