package org.inferometer.execution.cuda;

import jcuda.driver.CUstream;

/// A stream whose handle other libraries take.
final class DeviceStream extends CUstream {
    /// The driver's handle.
    long handle() {
        return getNativePointer();
    }
}
