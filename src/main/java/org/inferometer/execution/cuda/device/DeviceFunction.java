package org.inferometer.execution.cuda.device;

import jcuda.driver.CUfunction;

/// A kernel whose handle is passed to the driver's own functions.
final class DeviceFunction extends CUfunction {
    /// The driver's handle.
    long handle() {
        return getNativePointer();
    }
}
