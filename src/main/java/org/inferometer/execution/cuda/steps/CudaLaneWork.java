package org.inferometer.execution.cuda.steps;

import java.lang.foreign.Arena;
import java.util.Optional;
import java.util.function.Supplier;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.LaneJob;
import org.inferometer.execution.StepOutcome;
import org.inferometer.execution.backend.LaneRunner.LaneWork;
import org.inferometer.execution.cuda.device.CudaDevice;
import org.inferometer.execution.cuda.device.CudaFailure;
import org.inferometer.execution.cuda.device.DeviceStream;
import org.inferometer.execution.cuda.device.ReleaseStack;
import org.inferometer.units.Clock;

/// The work of a lane on a CUDA stream of its own. Opened on one thread, then used by the lane's thread; closed after its
/// last job.
abstract class CudaLaneWork<J extends LaneJob> implements LaneWork<J> {
    final CudaDevice device;
    final Clock clock;
    /// Resources that are released when the work closes.
    final ReleaseStack held = new ReleaseStack();
    final Arena arena = held.taken(Arena.ofShared(), Arena::close);

    CudaLaneWork(CudaDevice device, Clock clock) {
        this.device = device;
        this.clock = clock;
    }

    /// A stream that is destroyed when the work closes.
    final DeviceStream stream(int priority) {
        return held.taken(new DeviceStream(priority), DeviceStream::close);
    }

    /// Runs a job with the device's context current.
    ///
    /// @param behind takes the job behind this one, if the lane may hold one
    /// @throws ExecutorException if the job cannot run
    /// @throws CudaFailure if the driver or cuBLASLt fails
    abstract StepOutcome compute(J job, long startNanos, Supplier<Optional<J>> behind) throws ExecutorException;

    @Override
    public final StepOutcome perform(J job) {
        return perform(job, Optional::empty);
    }

    @Override
    public final StepOutcome perform(J job, Supplier<Optional<J>> behind) {
        long startNanos = clock.nanos();
        try {
            return named(job, () -> {
                device.makeCurrent();
                return compute(job, startNanos, behind);
            });
        } catch (ExecutorException refused) {
            return new StepOutcome.Failed(refused);
        }
    }

    /// Runs a part of a job; a failure of driver or library names the job and the device.
    ///
    /// @throws ExecutorException if the part fails
    final <T> T named(J job, Part<T> part) throws ExecutorException {
        try {
            return part.run();
        } catch (CudaFailure failure) {
            throw failure.during(job.describe(), device);
        }
    }

    /// A part of a job.
    @FunctionalInterface
    interface Part<T> {
        T run() throws ExecutorException;
    }

    /// Releases the lane's resources. A lost device has already released its own, so errors of the driver are ignored.
    @Override
    public final void close() {
        try {
            device.makeCurrent();
        } catch (CudaFailure lost) {
            arena.close();
            return;
        }
        held.close();
    }
}
