package org.inferometer.execution.backend;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.LaneJob;
import org.inferometer.execution.StepOutcome;
import org.inferometer.units.ThreadEnd;
import org.jspecify.annotations.Nullable;

/// A lane's thread: runs one job at a time and reports its outcome. An idle lane spins briefly, then parks.
///
/// The hand-over is wait-free: one slot, one compare-and-set, no allocation. Any thread may submit, also from a
/// listener.
public final class LaneRunner<J extends LaneJob> implements AutoCloseable {
    /// Spins for lanes with microseconds between jobs.
    public static final int BRIEFLY = 2_000;

    private static final int IDLE = 0;
    /// A submitting thread writes the job.
    private static final int CLAIMED = 1;
    private static final int BUSY = 2;
    private static final int ENDED = 3;

    private final Thread thread;
    private final LaneWork<J> work;
    private final int spins;
    private final AtomicInteger state = new AtomicInteger(IDLE);
    private final AtomicBoolean closed = new AtomicBoolean();
    /// Whether the thread needs an unpark to see a change.
    private volatile boolean parked;
    private @Nullable J job; // written in CLAIMED, read in BUSY
    private @Nullable Consumer<StepOutcome> whenDone; // as the job

    private LaneRunner(String name, LaneWork<J> work, int spins) {
        this.work = work;
        this.spins = spins;
        this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this::loop);
    }

    /// Starts the lane's thread; the lane closes its work, also if the thread cannot start.
    ///
    /// @param spins polls for a job before the thread parks; 0 parks at once
    public static <J extends LaneJob> LaneRunner<J> start(String name, LaneWork<J> work, int spins) {
        LaneRunner<J> lane = new LaneRunner<>(name, work, spins);
        try {
            lane.thread.start();
        } catch (OutOfMemoryError e) {
            work.close();
            throw e;
        }
        return lane;
    }

    /// Hands over a checked job and returns at once.
    ///
    /// @throws IllegalStateException on a busy or closed lane
    public void submit(J what, Consumer<StepOutcome> listener) {
        int seen = closed.get() ? ENDED : state.compareAndExchange(IDLE, CLAIMED);
        if (seen != IDLE) {
            throw new IllegalStateException(
                    "The lane " + thread.getName() + (seen == ENDED ? " is closed." : " is still busy with a step."));
        }
        job = what;
        whenDone = listener;
        state.set(BUSY);
        if (parked) {
            LockSupport.unpark(thread);
        }
    }

    /// Waits for the running job, then ends the thread; closing twice is allowed.
    @Override
    public void close() {
        if (closed.getAndSet(true)) {
            return;
        }
        LockSupport.unpark(thread);
        ThreadEnd.await(thread);
        work.close();
    }

    private void loop() {
        int polls = 0;
        while (true) {
            if (state.get() == BUSY) {
                runJob();
                polls = 0;
            } else if (closed.get() && state.compareAndSet(IDLE, ENDED)) {
                return;
            } else if (polls < spins) {
                polls++;
                Thread.onSpinWait();
            } else {
                park();
            }
        }
    }

    /// Each side writes before it reads, so one of them sees the other's change.
    private void park() {
        parked = true;
        if (state.get() != BUSY && !closed.get()) {
            LockSupport.park(this);
        }
        parked = false;
    }

    private void runJob() {
        J what = Objects.requireNonNull(job);
        Consumer<StepOutcome> listener = Objects.requireNonNull(whenDone);
        StepOutcome outcome = outcome(what);
        job = null;
        whenDone = null;
        // Set before the listener runs, so that it may submit the next job.
        state.set(IDLE);
        notify(listener, outcome);
    }

    /// Logs an exception of a listener; the lane continues.
    private static void notify(Consumer<StepOutcome> listener, StepOutcome outcome) {
        try {
            listener.accept(outcome);
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
                    what.describe() + " failed: " + e.getMessage() + "; the log has the details.", e));
        }
    }
}
