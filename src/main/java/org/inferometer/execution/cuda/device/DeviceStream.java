package org.inferometer.execution.cuda.device;

import jcuda.driver.CUstream;

/// A stream whose handle other libraries take.
public final class DeviceStream extends CUstream {
    /// The driver's handle.
    public long handle() {
        return getNativePointer();
    }
}
