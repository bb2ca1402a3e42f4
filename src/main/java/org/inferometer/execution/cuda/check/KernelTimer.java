package org.inferometer.execution.cuda.check;

import java.util.function.IntConsumer;
import java.util.function.ObjIntConsumer;
import jcuda.driver.CUevent;
import jcuda.driver.CUgraphExec;
import jcuda.driver.JCudaDriver;
import org.inferometer.execution.cuda.device.CudaFailure;
import org.inferometer.execution.cuda.device.DeviceStream;
import org.inferometer.execution.cuda.device.ReleaseStack;
import org.inferometer.execution.cuda.device.Streams;

/// Times kernels on a stream of its own by events: many launches recorded as one graph, or many calls in a row. Used by one
/// thread with the device's context current.
final class KernelTimer implements AutoCloseable {
    private final int rounds;
    private final ReleaseStack held = new ReleaseStack();
    private final DeviceStream stream;
    private final CUevent begun;
    private final CUevent ended;
    private final CUevent[] awaited = new CUevent[2]; // of a graph and of the one behind it

    /// @param rounds timed rounds after an untimed one; the fastest counts
    KernelTimer(int rounds) {
        this.rounds = rounds;
        try {
            stream = held.taken(Streams.stream(0), JCudaDriver::cuStreamDestroy);
            begun = held.taken(Streams.event(), JCudaDriver::cuEventDestroy);
            ended = held.taken(Streams.event(), JCudaDriver::cuEventDestroy);
            for (int i = 0; i < awaited.length; i++) {
                awaited[i] = held.taken(Streams.event(), JCudaDriver::cuEventDestroy);
            }
        } catch (RuntimeException | Error refused) {
            held.close();
            throw refused;
        }
    }

    /// Seconds of one launch, with its share of the pauses between launches.
    ///
    /// @param launch enqueues the launch of this number, from 0
    double secondsEach(int launches, ObjIntConsumer<DeviceStream> launch) {
        CUgraphExec graph = record(launches, launch);
        try {
            return secondsOfAll(() -> CudaFailure.require("cuGraphLaunch", JCudaDriver.cuGraphLaunch(graph, stream)))
                    / launches;
        } finally {
            JCudaDriver.cuGraphExecDestroy(graph);
        }
    }

    /// Seconds from one graph of some launches to the next, if the host waits for each, as it waits for the tokens of a step.
    ///
    /// @param behind whether the next graph is in the queue while the host waits
    double secondsAwaited(int graphs, boolean behind, int launches, ObjIntConsumer<DeviceStream> launch) {
        CUgraphExec graph = record(launches, launch);
        try {
            return secondsOfAll(() -> {
                for (int i = 0; i < graphs; i++) {
                    CudaFailure.require("cuGraphLaunch", JCudaDriver.cuGraphLaunch(graph, stream));
                    CudaFailure.require("cuEventRecord", JCudaDriver.cuEventRecord(awaited[i % 2], stream));
                    // The other event is that of the graph before, or in the first turn of none.
                    CUevent done = behind ? awaited[1 - i % 2] : awaited[i % 2];
                    CudaFailure.require("cuEventSynchronize", JCudaDriver.cuEventSynchronize(done));
                }
            }) / graphs;
        } finally {
            JCudaDriver.cuGraphExecDestroy(graph);
        }
    }

    /// The same as [#secondsEach] without a graph, for calls of libraries. Short kernels wait for the CPU.
    ///
    /// @param call enqueues the call of this number on [#stream]
    double secondsEachQueued(int calls, IntConsumer call) {
        return secondsOfAll(() -> {
            for (int i = 0; i < calls; i++) {
                call.accept(i);
            }
        }) / calls;
    }

    /// What is timed runs on it; ends with this timer.
    DeviceStream stream() {
        return stream;
    }

    private double secondsOfAll(Runnable work) {
        float best = Float.MAX_VALUE;
        float[] milliseconds = new float[1];
        for (int i = 0; i <= rounds; i++) {
            CudaFailure.require("cuEventRecord", JCudaDriver.cuEventRecord(begun, stream));
            work.run();
            CudaFailure.require("cuEventRecord", JCudaDriver.cuEventRecord(ended, stream));
            CudaFailure.require("cuEventSynchronize", JCudaDriver.cuEventSynchronize(ended));
            CudaFailure.require("cuEventElapsedTime", JCudaDriver.cuEventElapsedTime(milliseconds, begun, ended));
            best = i == 0 ? best : Math.min(best, milliseconds[0]);
        }
        return best / 1000.0;
    }

    private CUgraphExec record(int launches, ObjIntConsumer<DeviceStream> launch) {
        return Streams.graph(stream, () -> {
            for (int i = 0; i < launches; i++) {
                launch.accept(stream, i);
            }
        });
    }

    /// Waits for its work.
    @Override
    public void close() {
        JCudaDriver.cuStreamSynchronize(stream);
        held.close();
    }
}
