package org.inferometer.execution.backend;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.inferometer.execution.Executor;
import org.inferometer.execution.Executor.ExecutorDevice;
import org.inferometer.execution.Executor.KvGeometry;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.LaneJob;
import org.inferometer.execution.LaneJob.KvTransfer;
import org.inferometer.execution.LaneJob.Step;
import org.inferometer.execution.StepOutcome;
import org.inferometer.execution.backend.LaneRunner.LaneWork;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.LaneId;
import org.inferometer.scheduling.LaneLayout;

/// An executor with one thread per lane, for every backend.
///
/// Jobs are checked on the caller's thread; a job that exceeds the buffers or the lane's pool fails there. Any thread
/// may submit.
public final class LaneExecutor implements Executor {
    private final BackendParts parts;
    private final List<ExecutorDevice> devices;
    private final Map<LaneId, LaneRunner<Step>> computing;
    private final Map<LaneId, LaneRunner<KvTransfer>> copying;
    private final int queuedSteps;
    private final AtomicBoolean closed = new AtomicBoolean();

    /// The parts that a backend supplies.
    ///
    /// @param check with the pools and sizes
    /// @param devices and their memory; read once, after all lanes are open
    /// @param release frees the backend's memory; runs once, after the lanes' threads ended
    public record BackendParts(String description, LaneLayout layout, StepCheck check,
            Supplier<List<ExecutorDevice>> devices, Runnable release) {}

    /// Opens the work of a lane.
    public interface LaneOpening<J extends LaneJob> {
        /// @throws ExecutorException when memory does not suffice
        LaneWork<J> open(Lane lane) throws ExecutorException;
    }

    private LaneExecutor(BackendParts parts, Map<LaneId, LaneRunner<Step>> computing,
            Map<LaneId, LaneRunner<KvTransfer>> copying) {
        this.parts = parts;
        this.computing = computing;
        this.copying = copying;
        this.queuedSteps = computing.values().stream().mapToInt(LaneRunner::queuedJobs).min().orElse(0);
        this.devices = parts.devices().get();
    }

    /// Opens the lanes and starts their threads; the caller closes the executor. On failure this closes the open lanes
    /// and the caller frees the memory.
    ///
    /// @param steps opens a compute lane
    /// @param transfers opens a transfer lane
    /// @throws ExecutorException when memory does not suffice
    public static LaneExecutor start(BackendParts parts, LaneOpening<Step> steps, LaneOpening<KvTransfer> transfers)
            throws ExecutorException {
        Map<LaneId, LaneRunner<Step>> computing = new HashMap<>();
        Map<LaneId, LaneRunner<KvTransfer>> copying = new HashMap<>();
        try {
            for (Lane lane : parts.layout().lanes()) {
                if (lane.role() == Lane.Role.TRANSFER) {
                    copying.put(lane.id(), LaneRunner.start(threadName(lane), transfers.open(lane), 0));
                } else {
                    computing.put(lane.id(), LaneRunner.start(threadName(lane), steps.open(lane), LaneRunner.BRIEFLY));
                }
            }
            return new LaneExecutor(parts, computing, copying);
        } catch (ExecutorException | RuntimeException | Error failed) {
            close(computing, copying);
            throw failed;
        }
    }

    /// The name of a lane's thread.
    public static String threadName(Lane lane) {
        return "inferometer-lane-" + lane.id().index();
    }

    @Override
    public String description() {
        return parts.description();
    }

    @Override
    public List<Lane> lanes() {
        return parts.layout().lanes();
    }

    @Override
    public List<KvGeometry> pools() {
        return parts.check().pools();
    }

    @Override
    public int maxStepPositions() {
        return parts.check().sizes().maxStepPositions();
    }

    @Override
    public int queuedSteps() {
        return queuedSteps;
    }

    @Override
    public List<ExecutorDevice> devices() {
        return devices;
    }

    /// A transfer copies whole blocks, including a partly filled last one.
    ///
    /// @throws IllegalStateException on a lane that holds as many jobs as it can, or a closed executor
    @Override
    public void submit(Lane lane, LaneJob job, Consumer<StepOutcome> whenDone) {
        Lane own = lanes().get(lane.id().index());
        switch (job) {
            case Step step -> submit(computing, own, step, parts.check().fault(own, step, queuedSteps), whenDone);
            case KvTransfer transfer -> submit(copying, own, transfer, parts.check().fault(own, transfer), whenDone);
        }
    }

    private static <J extends LaneJob> void submit(Map<LaneId, LaneRunner<J>> runners, Lane lane, J job,
            Optional<String> fault, Consumer<StepOutcome> whenDone) {
        if (fault.isPresent()) {
            whenDone.accept(new StepOutcome.Failed(new ExecutorException(fault.get())));
        } else {
            Objects.requireNonNull(runners.get(lane.id())).submit(job, whenDone);
        }
    }

    /// Waits for running jobs, ends the threads and frees the memory; closing twice is allowed.
    @Override
    public void close() {
        if (!closed.getAndSet(true)) {
            close(computing, copying);
            parts.release().run();
        }
    }

    private static void close(Map<LaneId, LaneRunner<Step>> computing, Map<LaneId, LaneRunner<KvTransfer>> copying) {
        computing.values().forEach(LaneRunner::close);
        copying.values().forEach(LaneRunner::close);
    }
}
