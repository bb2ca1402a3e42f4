package org.inferometer.execution.backend;

import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.StepOutcome;
import org.inferometer.units.ThreadEnd;
import org.jspecify.annotations.Nullable;

/// A lane's thread: takes one job at a time and tells what came of it. Without a job it spins for a moment and then sleeps.
public final class LaneRunner<J> implements AutoCloseable {
    /// For lanes whose next job follows the last within microseconds.
    public static final int BRIEFLY = 2_000;

    private record Job<J>(J what, Consumer<StepOutcome> whenDone) {}

    private final Thread thread;
    private final LaneWork<J> work;
    private final int spins;
    private volatile @Nullable Job<J> job;
    private volatile boolean closed;

    private LaneRunner(String name, LaneWork<J> work, int spins) {
        this.work = work;
        this.spins = spins;
        this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this::loop);
    }

    /// Starts the lane's thread; the lane closes its work, also when it cannot start.
    ///
    /// @param spins looks for a job before the thread sleeps; 0 sleeps at once
    public static <J> LaneRunner<J> start(String name, LaneWork<J> work, int spins) {
        LaneRunner<J> lane = new LaneRunner<>(name, work, spins);
        try {
            lane.thread.start();
        } catch (OutOfMemoryError e) {
            work.close();
            throw e;
        }
        return lane;
    }

    /// Hands a checked job over.
    ///
    /// @throws IllegalStateException on a busy or closed lane
    public synchronized void submit(J what, Consumer<StepOutcome> whenDone) {
        if (closed) {
            throw new IllegalStateException("The lane " + thread.getName() + " is closed.");
        }
        if (job != null) {
            throw new IllegalStateException("The lane " + thread.getName() + " is still busy with a step.");
        }
        job = new Job<>(what, whenDone);
        LockSupport.unpark(thread);
    }

    /// Waits for the running job, then ends the threads; closing twice is allowed.
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        LockSupport.unpark(thread);
        ThreadEnd.await(thread);
        work.close();
    }

    private void loop() {
        int looks = 0;
        while (true) {
            Job<J> next = job;
            if (next != null) {
                StepOutcome outcome = outcome(next.what());
                // The lane is idle before the outcome is told, so that the next job may be submitted from the callback.
                job = null;
                tell(next.whenDone(), outcome);
                looks = 0;
            } else if (closed) {
                return;
            } else if (looks < spins) {
                looks++;
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
        } catch (RuntimeException | Error e) {
            System.getLogger(LaneRunner.class.getName()).log(System.Logger.Level.ERROR, "The listener of a step failed",
                    e);
        }
    }

    private StepOutcome outcome(J what) {
        try {
            return work.perform(what);
        } catch (RuntimeException | Error e) {
            return new StepOutcome.Failed(new ExecutorException(
                    work.name(what) + " failed: " + e.getMessage() + "; the log has the details.", e));
        }
    }
}
