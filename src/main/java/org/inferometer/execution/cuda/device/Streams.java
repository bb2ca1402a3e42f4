package org.inferometer.execution.cuda.device;

import jcuda.driver.CUevent;
import jcuda.driver.CUgraph;
import jcuda.driver.CUgraphExec;
import jcuda.driver.JCudaDriver;

/// Creates streams, events and graphs; the device's context is current.
public final class Streams {
    /// Does not wait for the legacy default stream.
    static final int NON_BLOCKING = 1;

    /// Restricts only this thread while recording, so other lanes may record concurrently.
    private static final int THREAD_LOCAL = 1;

    private Streams() {}

    /// A stream with this priority, clamped to the device's range; lower numbers go first.
    public static DeviceStream stream(int priority) {
        int[] least = new int[1];
        int[] greatest = new int[1];
        CudaFailure.require("cuCtxGetStreamPriorityRange", JCudaDriver.cuCtxGetStreamPriorityRange(least, greatest));
        DeviceStream stream = new DeviceStream();
        int taken = Math.clamp(priority, greatest[0], least[0]);
        CudaFailure.require("cuStreamCreateWithPriority",
                JCudaDriver.cuStreamCreateWithPriority(stream, NON_BLOCKING, taken));
        return stream;
    }

    /// A graph of launches.
    ///
    /// @param stream on which they are enqueued
    /// @param launches enqueues them
    public static CUgraphExec graph(DeviceStream stream, Runnable launches) {
        CUgraph graph = new CUgraph();
        CudaFailure.require("cuStreamBeginCapture", JCudaDriver.cuStreamBeginCapture(stream, THREAD_LOCAL));
        try {
            launches.run();
        } catch (CudaFailure failure) {
            JCudaDriver.cuStreamEndCapture(stream, graph);
            throw failure;
        }
        CudaFailure.require("cuStreamEndCapture", JCudaDriver.cuStreamEndCapture(stream, graph));
        try {
            CUgraphExec executable = new CUgraphExec();
            CudaFailure.require("cuGraphInstantiate", JCudaDriver.cuGraphInstantiate(executable, graph, 0));
            CudaFailure.require("cuGraphUpload", JCudaDriver.cuGraphUpload(executable, stream));
            return executable;
        } finally {
            JCudaDriver.cuGraphDestroy(graph);
        }
    }

    /// An event with a timestamp; the resolution is about 0.5 µs.
    public static CUevent event() {
        CUevent event = new CUevent();
        CudaFailure.require("cuEventCreate", JCudaDriver.cuEventCreate(event, 0));
        return event;
    }
}
