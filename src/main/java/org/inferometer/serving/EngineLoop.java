package org.inferometer.serving;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.inferometer.execution.Executor;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.LaneJob;
import org.inferometer.execution.StepOutcome;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.Limits;
import org.inferometer.scheduling.Scheduler;
import org.inferometer.target.RequestListener;
import org.inferometer.target.Target;
import org.inferometer.units.Clock;
import org.inferometer.units.Mailbox;
import org.inferometer.units.ThreadEnd;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestId;

/// Serves an engine live: one thread handles the mailbox, asks the scheduler for every idle lane, and starts steps.
///
/// Thread-safe. All methods return at once, except `close`, which cancels the requests that are left and waits for running steps.
/// The caller closes the executor afterwards. Listeners are called on the loop's thread.
public final class EngineLoop implements Target {
    private static final Logger LOG = System.getLogger(EngineLoop.class.getName());

    private final Executor executor;
    private final Clock clock;
    private final EngineCore core;
    private final Mailbox<Runnable> mailbox = new Mailbox<>();
    private final Thread thread;
    private boolean closing;
    private long wakeNanos = EngineCore.NEVER;

    private EngineLoop(Executor executor, EngineCore core, Clock clock) {
        this.executor = executor;
        this.clock = clock;
        this.core = core;
        this.thread = new Thread(this::serve, "engine-loop");
        this.thread.setDaemon(true);
    }

    /// As the other, for a model whose answers always have their length.
    public static EngineLoop start(Executor executor, Limits limits, Scheduler scheduler, Clock clock,
            RequestListener requests, EngineListener engine) {
        return start(executor, EngineSetup.of(executor, limits, AnswerEnds.NONE), scheduler, clock, requests, engine);
    }

    /// Starts serving.
    ///
    /// @param scheduler a new instance, for this engine only
    /// @param setup of the executor
    /// @throws IllegalArgumentException with one sentence if executor and limits do not match
    public static EngineLoop start(Executor executor, EngineSetup setup, Scheduler scheduler, Clock clock,
            RequestListener requests, EngineListener engine) {
        EngineCore core = new EngineCore(setup, scheduler, requests, engine);
        EngineLoop loop = new EngineLoop(executor, core, clock);
        loop.thread.start();
        return loop;
    }

    @Override
    public String description() {
        return executor.description();
    }

    /// Queues a request; its age counts from this call.
    ///
    /// @throws IllegalStateException once the loop is closed
    @Override
    public void send(Request request) {
        long sentNanos = clock.nanos();
        if (!mailbox.post(() -> core.arrive(request, sentNanos))) {
            throw new IllegalStateException("The engine is closed and takes no requests.");
        }
    }

    @Override
    public void cancel(RequestId id) {
        mailbox.post(() -> core.cancel(id, clock.nanos()));
    }

    @Override
    public void arrivalsEnded() {
        mailbox.post(core::arrivalsEnded);
    }

    /// Cancels every request that is left, waits for running steps, and stops the thread.
    ///
    /// Returns at once when called from a listener. Interrupts are restored after waiting.
    @Override
    public void close() {
        mailbox.post(() -> {
            closing = true;
            core.close(clock.nanos());
        });
        ThreadEnd.await(thread);
    }

    private void serve() {
        while (!closing || core.hasStepsInFlight()) {
            mailbox.await(wakeNanos == EngineCore.NEVER ? EngineCore.NEVER : wakeNanos - clock.nanos());
            mailbox.take(this::guarded);
            wakeNanos = EngineCore.NEVER;
            guarded(this::schedule);
        }
        mailbox.close(this::guarded);
    }

    private void schedule() {
        wakeNanos = core.scheduleIdleLanes(clock, this::start);
    }

    private void guarded(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException | Error e) {
            failWith(e);
        }
    }

    /// A listener or the executor threw. Fails all requests so that their callers are notified.
    private void failWith(Throwable e) {
        LOG.log(Level.ERROR, "The engine loop stops after an error; busy lanes: " + core.busyLanes(), e);
        try {
            core.fail("The engine stopped: " + e + ".", clock.nanos());
        } catch (RuntimeException | Error again) {
            LOG.log(Level.ERROR, "A listener failed while it was notified of the engine's failure.", again);
        }
    }

    /// Submits a job; its outcome comes back through the mailbox.
    private void start(Lane lane, LaneJob job) {
        try {
            executor.submit(lane, job, outcome -> ended(lane, job, outcome));
        } catch (RuntimeException | Error e) {
            ended(lane, job,
                    new StepOutcome.Failed(new ExecutorException("The executor refused a step: " + e + ".", e)));
        }
    }

    private void ended(Lane lane, LaneJob job, StepOutcome outcome) {
        mailbox.post(() -> core.complete(lane, job, outcome, clock.nanos()));
    }
}
