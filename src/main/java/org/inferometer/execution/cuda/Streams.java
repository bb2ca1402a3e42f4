package org.inferometer.execution.cuda;

import jcuda.driver.CUevent;
import jcuda.driver.JCudaDriver;

/// Creates streams and events; the device's context is current.
final class Streams {
    /// Does not wait for the legacy default stream.
    static final int NON_BLOCKING = 1;

    private Streams() {}

    /// A stream with this priority, clamped to the device's range; lower numbers go first.
    static DeviceStream stream(int priority) {
        int[] least = new int[1];
        int[] greatest = new int[1];
        CudaFailure.require("cuCtxGetStreamPriorityRange", JCudaDriver.cuCtxGetStreamPriorityRange(least, greatest));
        DeviceStream stream = new DeviceStream();
        int taken = Math.clamp(priority, greatest[0], least[0]);
        CudaFailure.require("cuStreamCreateWithPriority",
                JCudaDriver.cuStreamCreateWithPriority(stream, NON_BLOCKING, taken));
        return stream;
    }

    /// An event with a timestamp; the resolution is about 0.5 µs.
    static CUevent event() {
        CUevent event = new CUevent();
        CudaFailure.require("cuEventCreate", JCudaDriver.cuEventCreate(event, 0));
        return event;
    }
}
