package org.inferometer.execution.backend;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.KvTransfer;
import org.inferometer.execution.Step;
import org.inferometer.execution.StepOutcome;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.LaneId;
import org.jspecify.annotations.Nullable;

/// The threads of an executor's lanes; hands them steps and transfers that were checked before anything was touched.
///
/// Filled by the thread that opens the executor; then any thread may submit. Its opener closes it.
public final class LaneRunners implements AutoCloseable {
    private final Map<LaneId, LaneRunner<Step>> computing = new HashMap<>();
    private final Map<LaneId, LaneRunner<KvTransfer>> copying = new HashMap<>();

    /// Starts the thread of a lane that computes.
    public void compute(Lane lane, LaneWork<Step> work) {
        computing.put(lane.id(), LaneRunner.start(name(lane), work, LaneRunner.BRIEFLY));
    }

    /// Starts the thread of a lane that only copies.
    public void copy(Lane lane, LaneWork<KvTransfer> work) {
        copying.put(lane.id(), LaneRunner.start(name(lane), work, 0));
    }

    /// The name of a lane's thread.
    public static String name(Lane lane) {
        return "inferometer-lane-" + lane.id().index();
    }

    /// Starts a step; one that would leave the buffers or the lane's pool is answered with a failed outcome on the caller's thread.
    ///
    /// @throws IllegalStateException on a busy or closed lane
    public void submit(List<Lane> lanes, Lane lane, Step step, StepCheck check, Consumer<StepOutcome> whenDone) {
        start(computing.get(lane.id()), step, check.fault(lanes.get(lane.id().index()), step), whenDone);
    }

    /// Starts a copy of whole blocks; one that would leave a pool, or is given to a lane that computes or copies elsewhere, is
    /// answered with a failed outcome on the caller's thread.
    ///
    /// @throws IllegalStateException on a busy or closed lane
    public void transfer(List<Lane> lanes, Lane lane, KvTransfer transfer, StepCheck check,
            Consumer<StepOutcome> whenDone) {
        start(copying.get(lane.id()), transfer, check.fault(lanes.get(lane.id().index()), transfer), whenDone);
    }

    private static <J> void start(@Nullable LaneRunner<J> runner, J job, Optional<String> fault,
            Consumer<StepOutcome> whenDone) {
        if (fault.isPresent() || runner == null) {
            whenDone.accept(
                    new StepOutcome.Failed(new ExecutorException(fault.orElse("The lane does not do such work."))));
        } else {
            runner.submit(job, whenDone);
        }
    }

    /// Waits for the running jobs and ends the threads; closing twice is allowed.
    @Override
    public void close() {
        computing.values().forEach(LaneRunner::close);
        copying.values().forEach(LaneRunner::close);
    }
}
