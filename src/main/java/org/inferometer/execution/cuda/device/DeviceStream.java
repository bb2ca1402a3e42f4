package org.inferometer.execution.cuda.device;

import jcuda.driver.CUevent;
import jcuda.driver.CUgraph;
import jcuda.driver.CUgraphExec;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;

/// A stream of the device, which runs what is enqueued in order. The device's context is current in every call; a failed one
/// throws a [CudaFailure]. Destroying ignores errors, because a lost device has released everything.
public final class DeviceStream extends CUstream implements AutoCloseable {
    /// Does not wait for the legacy default stream.
    private static final int NON_BLOCKING = 1;

    /// Restricts only this thread while recording, so other lanes may record concurrently.
    private static final int THREAD_LOCAL = 1;

    /// CUDA_ERROR_NOT_READY.
    private static final int NOT_READY = 600;

    /// @param priority clamped to the device's range; lower numbers go first
    public DeviceStream(int priority) {
        int[] least = new int[1];
        int[] greatest = new int[1];
        CudaFailure.require("cuCtxGetStreamPriorityRange", JCudaDriver.cuCtxGetStreamPriorityRange(least, greatest));
        CudaFailure.require("cuStreamCreateWithPriority", JCudaDriver.cuStreamCreateWithPriority(this, NON_BLOCKING,
                Math.clamp(priority, greatest[0], least[0])));
    }

    /// The driver's handle.
    public long handle() {
        return getNativePointer();
    }

    /// Enqueues a copy from pinned memory to the device.
    public void send(PinnedMemory from, DeviceAddress to, long bytes) {
        CudaFailure.require("cuMemcpyHtoDAsync", JCudaDriver.cuMemcpyHtoDAsync(to, from.pointer(), bytes, this));
    }

    /// Enqueues a copy within the device's memory.
    public void copy(DeviceAddress from, DeviceAddress to, long bytes) {
        CudaFailure.require("cuMemcpyDtoDAsync", JCudaDriver.cuMemcpyDtoDAsync(to, from, bytes, this));
    }

    /// Enqueues an event.
    public void record(Event event) {
        CudaFailure.require("cuEventRecord", JCudaDriver.cuEventRecord(event, this));
    }

    /// Waits until the device has finished what is enqueued.
    public void await() {
        CudaFailure.require("cuStreamSynchronize", JCudaDriver.cuStreamSynchronize(this));
    }

    /// The same for what closes, which goes on if the device is lost.
    public void drain() {
        JCudaDriver.cuStreamSynchronize(this);
    }

    /// Records launches.
    ///
    /// @param launches enqueues them on this stream
    public Graph graph(Runnable launches) {
        CUgraph graph = new CUgraph();
        CudaFailure.require("cuStreamBeginCapture", JCudaDriver.cuStreamBeginCapture(this, THREAD_LOCAL));
        try {
            launches.run();
        } catch (CudaFailure failure) {
            JCudaDriver.cuStreamEndCapture(this, graph);
            throw failure;
        }
        CudaFailure.require("cuStreamEndCapture", JCudaDriver.cuStreamEndCapture(this, graph));
        try {
            CUgraphExec executable = new CUgraphExec();
            CudaFailure.require("cuGraphInstantiate", JCudaDriver.cuGraphInstantiate(executable, graph, 0));
            CudaFailure.require("cuGraphUpload", JCudaDriver.cuGraphUpload(executable, this));
            return new Graph(executable);
        } finally {
            JCudaDriver.cuGraphDestroy(graph);
        }
    }

    @Override
    public void close() {
        JCudaDriver.cuStreamDestroy(this);
    }

    /// Recorded launches of this stream.
    public final class Graph implements AutoCloseable {
        private final CUgraphExec executable;

        private Graph(CUgraphExec executable) {
            this.executable = executable;
        }

        /// Enqueues all of them.
        public void launch() {
            CudaFailure.require("cuGraphLaunch", JCudaDriver.cuGraphLaunch(executable, DeviceStream.this));
        }

        @Override
        public void close() {
            JCudaDriver.cuGraphExecDestroy(executable);
        }
    }

    /// An event with a timestamp; the resolution is about 0.5 µs.
    public static final class Event extends CUevent implements AutoCloseable {
        public Event() {
            CudaFailure.require("cuEventCreate", JCudaDriver.cuEventCreate(this, 0));
        }

        /// Whether the device has reached it.
        public boolean reached() {
            int code = JCudaDriver.cuEventQuery(this);
            if (code != NOT_READY) {
                CudaFailure.require("cuEventQuery", code);
            }
            return code != NOT_READY;
        }

        /// Waits until the device has reached it.
        public void await() {
            CudaFailure.require("cuEventSynchronize", JCudaDriver.cuEventSynchronize(this));
        }

        /// Milliseconds of the device since another event, both reached.
        ///
        /// @param elapsed scratch of one number
        public float millisecondsSince(Event begun, float[] elapsed) {
            CudaFailure.require("cuEventElapsedTime", JCudaDriver.cuEventElapsedTime(elapsed, begun, this));
            return elapsed[0];
        }

        @Override
        public void close() {
            JCudaDriver.cuEventDestroy(this);
        }
    }
}
