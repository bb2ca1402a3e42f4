package org.inferometer.execution.host.steps;

import java.util.function.Function;
import org.inferometer.engine.files.MappedFiles;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.Step;
import org.inferometer.execution.StepOutcome;
import org.inferometer.execution.backend.LaneWork;
import org.inferometer.execution.host.machine.WorkerGroup;
import org.inferometer.units.Clock;

/// Computes steps on its own worker group.
final class HostLane implements LaneWork<Step> {
    private final WorkerGroup group;
    private final HostForwardPass forward;
    private final Clock clock;
    private final String unreadable;

    private HostLane(WorkerGroup group, HostForwardPass forward, Clock clock, String unreadable) {
        this.group = group;
        this.forward = forward;
        this.clock = clock;
        this.unreadable = unreadable;
    }

    /// Starts the other threads of the group; the caller closes it.
    ///
    /// @param unreadable the likely cause if a mapped file cannot be read, as the end of a sentence
    /// @param forward makes the lane's forward pass over its worker group
    static HostLane open(String lane, int threads, Clock clock, String unreadable,
            Function<WorkerGroup, HostForwardPass> forward) {
        WorkerGroup group = new WorkerGroup(lane, threads);
        try {
            return new HostLane(group, forward.apply(group), clock, unreadable);
        } catch (RuntimeException | Error e) {
            group.close();
            throw e;
        }
    }

    @Override
    public StepOutcome perform(Step step) {
        long start = clock.nanos();
        try {
            forward.run(step);
        } catch (InternalError e) {
            if (MappedFiles.isUnreadable(e)) {
                return new StepOutcome.Failed(
                        new ExecutorException(step.describe() + " cannot read the weights: " + unreadable, e));
            }
            throw e;
        }
        int[] tokens = forward.tokens();
        float[][] logits = step.wantLogits() ? forward.logits() : new float[0][];
        return new StepOutcome.Completed(tokens, start, clock.nanos(), forward.kernelNanos(), logits);
    }

    @Override
    public void close() {
        group.close();
    }
}
