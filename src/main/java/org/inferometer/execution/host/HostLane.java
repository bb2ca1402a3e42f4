package org.inferometer.execution.host;

import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.Step;
import org.inferometer.execution.StepOutcome;
import org.inferometer.units.Clock;
import org.jspecify.annotations.Nullable;

/// A lane's thread: takes one step at a time and tells what came of it.
final class HostLane implements AutoCloseable {
    private static final int SPINS = 2_000;

    private record Job(Step step, Consumer<StepOutcome> whenDone) {}

    private final Thread thread;
    private final WorkerGroup group;
    private final ForwardPass forward;
    private final Clock clock;
    private volatile @Nullable Job job;
    private volatile boolean closed;

    /// Starts the lane's threads.
    ///
    /// @param forward makes the lane's forward pass over its worker group
    HostLane(String name, int threads, Clock clock, Function<WorkerGroup, ForwardPass> forward) {
        this.clock = clock;
        this.group = new WorkerGroup(name, threads);
        this.forward = forward.apply(group);
        this.thread = Thread.ofPlatform().daemon().name(name).start(this::loop);
    }

    /// Hands a checked step over.
    ///
    /// @throws IllegalStateException on a busy or closed lane
    synchronized void submit(Step step, Consumer<StepOutcome> whenDone) {
        if (closed) {
            throw new IllegalStateException("The lane " + thread.getName() + " is closed.");
        }
        if (job != null) {
            throw new IllegalStateException("The lane " + thread.getName() + " is still busy with a step.");
        }
        job = new Job(step, whenDone);
        LockSupport.unpark(thread);
    }

    /// Waits for the running step, then ends the threads.
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        LockSupport.unpark(thread);
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        group.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void loop() {
        int spins = 0;
        while (true) {
            Job next = job;
            if (next != null) {
                StepOutcome outcome = compute(next.step());
                // The lane is idle before the outcome is told, so that the next step may be submitted from the callback.
                job = null;
                tell(next.whenDone(), outcome);
                spins = 0;
            } else if (closed) {
                return;
            } else if (spins < SPINS) {
                spins++;
                Thread.onSpinWait();
            } else {
                LockSupport.park(this);
            }
        }
    }

    /// A listener's fault must not end the lane; it is logged here, once.
    private static void tell(Consumer<StepOutcome> whenDone, StepOutcome outcome) {
        try {
            whenDone.accept(outcome);
        } catch (RuntimeException e) {
            System.getLogger(HostLane.class.getName()).log(System.Logger.Level.ERROR, "The listener of a step failed", e);
        }
    }

    private StepOutcome compute(Step step) {
        long start = clock.nanos();
        try {
            forward.run(step);
            int[] tokens = forward.tokens();
            float[][] logits = step.wantLogits() ? forward.logits() : new float[0][];
            return new StepOutcome.Completed(tokens, start, clock.nanos(), forward.kernelNanos(), logits);
        } catch (RuntimeException | Error e) {
            return new StepOutcome.Failed(new ExecutorException(
                    "Step " + step.number() + " failed in the host backend: " + e.getMessage() + "; the log has the details.", e));
        }
    }
}
