package org.inferometer.execution.backend;

import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.LaneJob;
import org.inferometer.execution.StepOutcome;
import org.inferometer.units.ThreadEnd;
import org.jspecify.annotations.Nullable;

/// A lane's thread: runs one job at a time and reports its outcome. An idle lane spins briefly, then parks.
///
/// The hand-over to an idle lane is wait-free: one slot, one compare-and-set, no allocation. If its work allows it, a busy lane
/// holds one job behind the running one. Any thread may submit, also from a listener; jobs behind running ones come from one
/// thread at a time.
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
    /// The job behind the running one, until that one has ended.
    private final AtomicReference<@Nullable QueuedJob<J>> queued = new AtomicReference<>();
    private final Supplier<Optional<J>> behind = this::seeBehind;
    /// Whether the thread needs an unpark to see a change.
    private volatile boolean parked;
    private @Nullable J job; // written in CLAIMED, read in BUSY
    private @Nullable Consumer<StepOutcome> whenDone; // as the job
    private boolean seenBehind; // by the work while another job runs; used by the lane's thread

    private record QueuedJob<J>(J job, Consumer<StepOutcome> whenDone) {}

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

    /// Jobs that the lane holds behind its running one.
    int queuedJobs() {
        return work.queuedJobs();
    }

    /// Hands over a checked job and returns at once.
    ///
    /// @throws IllegalStateException on a closed lane, or a busy one that cannot hold the job
    public void submit(J what, Consumer<StepOutcome> listener) {
        int seen = closed.get() ? ENDED : state.compareAndExchange(IDLE, CLAIMED);
        if (seen == IDLE) {
            start(what, listener);
        } else if (seen == ENDED || work.queuedJobs() == 0 || !queue(new QueuedJob<>(what, listener))) {
            throw new IllegalStateException("The lane " + thread.getName()
                    + (seen == ENDED || state.get() == ENDED ? " is closed." : " is still busy with a step."));
        }
    }

    /// In CLAIMED.
    private void start(J what, Consumer<StepOutcome> listener) {
        job = what;
        whenDone = listener;
        state.set(BUSY);
        if (parked) {
            LockSupport.unpark(thread);
        }
    }

    /// Holds a job behind the running one; starts it if that one has ended meanwhile. Returns false if it holds one already
    /// or has ended.
    private boolean queue(QueuedJob<J> what) {
        if (!queued.compareAndSet(null, what)) {
            return false;
        }
        // The lane's thread looks here once more after it went idle, so one of both threads starts the job.
        int seen = state.compareAndExchange(IDLE, CLAIMED);
        if (seen == ENDED) {
            return !queued.compareAndSet(what, null);
        }
        if (seen == IDLE && queued.compareAndSet(what, null)) {
            start(what.job, what.whenDone);
        } else if (seen == IDLE) {
            // The lane's thread took the job before it went idle.
            state.set(IDLE);
        }
        return true;
    }

    /// Waits for the running jobs, then ends the thread; closing twice is allowed.
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
        // Before the listener runs, so that it may submit the next job.
        QueuedJob<J> next = queued.getAndSet(null);
        seenBehind = false;
        if (next == null) {
            state.set(IDLE);
            next = queued.get() != null && state.compareAndSet(IDLE, CLAIMED) ? queued.getAndSet(null) : null;
        }
        if (next != null) {
            start(next.job, next.whenDone);
        }
        notify(listener, outcome);
    }

    /// For the work, while it runs a job.
    private Optional<J> seeBehind() {
        QueuedJob<J> next = seenBehind ? null : queued.get();
        if (next == null) {
            return Optional.empty();
        }
        seenBehind = true;
        return Optional.of(next.job);
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
            return work.perform(what, behind);
        } catch (RuntimeException | Error e) {
            return new StepOutcome.Failed(new ExecutorException(
                    what.describe() + " failed: " + e.getMessage() + "; the log has the details.", e));
        }
    }

    /// The work of one lane, called on its thread.
    ///
    /// @param <J> a checked step or transfer
    public interface LaneWork<J extends LaneJob> {
        /// Runs one job; an exception fails the job.
        StepOutcome perform(J job);

        /// Jobs that the lane holds behind its running one, 0 or 1.
        default int queuedJobs() {
            return 0;
        }

        /// Runs one job, and may start the one behind it before it returns. The next call is then for that one.
        ///
        /// @param behind takes the job that is queued behind this one; empty if there is none yet
        default StepOutcome perform(J job, Supplier<Optional<J>> behind) {
            return perform(job);
        }

        /// Releases resources; called once, after the last job.
        void close();
    }
}
