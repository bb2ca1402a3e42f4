package org.inferometer.execution.host.steps;

import java.util.List;
import java.util.function.Function;
import org.inferometer.engine.files.MappedFiles;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.LaneJob.KvTransfer;
import org.inferometer.execution.LaneJob.Step;
import org.inferometer.execution.StepOutcome;
import org.inferometer.execution.backend.LaneRunner.LaneWork;
import org.inferometer.execution.host.machine.WorkerGroup;
import org.inferometer.units.Clock;

/// Computes steps on its own worker group.
///
/// @param unreadable the likely cause if a mapped file cannot be read, as the end of a sentence
record HostLane(WorkerGroup group, HostForwardPass forward, Clock clock, String unreadable) implements LaneWork<Step> {
    /// Starts the other threads of the group; the caller closes it.
    ///
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

    /// Copies a request's blocks from one pool to another, all layers, keys and values.
    ///
    /// Copies and counts whole blocks, including a partly filled last one. No step uses them, because the request is in
    /// flight.
    ///
    /// @param caches the pools, by index
    record HostTransfer(List<KvCache> caches, Clock clock) implements LaneWork<KvTransfer> {
        @Override
        public StepOutcome perform(KvTransfer transfer) {
            long start = clock.nanos();
            KvCache from = caches.get(transfer.from().index());
            KvCache to = caches.get(transfer.to().index());
            int blocks = Math.ceilDiv(transfer.positions(), from.geometry().blockTokens());
            long bytes = from.copyTo(to, transfer.fromBlocks(), transfer.toBlocks(), blocks);
            return new StepOutcome.Transferred(bytes, start, clock.nanos());
        }

        @Override
        public void close() {}
    }
}
