package org.inferometer.serving;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.inferometer.execution.Executor;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.KvTransfer;
import org.inferometer.execution.Step;
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
    private final Mailbox<Message> mailbox = new Mailbox<>();
    private final StepStarter starter = new ExecutorStarter();
    private final Thread thread;
    private boolean closing;

    private EngineLoop(Executor executor, EngineCore core, Clock clock) {
        this.executor = executor;
        this.clock = clock;
        this.core = core;
        this.thread = new Thread(this::serve, "engine-loop");
        this.thread.setDaemon(true);
    }

    /// Starts serving.
    ///
    /// @param scheduler a new instance, for this engine only
    /// @throws IllegalArgumentException with one sentence if executor and limits do not match
    public static EngineLoop start(Executor executor, Limits limits, Scheduler scheduler, Clock clock,
            RequestListener requests, EngineListener engine) {
        EngineCore core = new EngineCore(EngineSetup.of(executor, limits), scheduler, requests, engine);
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
        if (!mailbox.post(new Message.Arrived(request, clock.nanos()))) {
            throw new IllegalStateException("The engine is closed and takes no requests.");
        }
    }

    @Override
    public void cancel(RequestId id) {
        mailbox.post(new Message.Cancelled(id));
    }

    @Override
    public void arrivalsEnded() {
        mailbox.post(new Message.ArrivalsEnded());
    }

    /// Cancels every request that is left, waits for running steps, and stops the thread.
    ///
    /// Returns at once when called from a listener. Interrupts are restored after waiting.
    @Override
    public void close() {
        mailbox.post(new Message.Close());
        ThreadEnd.await(thread);
    }

    private void serve() {
        long wakeNanos = EngineCore.NEVER;
        while (!closing || core.hasStepsInFlight()) {
            mailbox.await(wakeNanos == EngineCore.NEVER ? EngineCore.NEVER : wakeNanos - clock.nanos());
            mailbox.take(this::guardedHandle);
            wakeNanos = guardedSchedule();
        }
        mailbox.close(this::guardedHandle);
    }

    private void guardedHandle(Message message) {
        try {
            handle(message);
        } catch (RuntimeException | Error e) {
            failWith(e);
        }
    }

    private long guardedSchedule() {
        try {
            return core.scheduleIdleLanes(clock, starter);
        } catch (RuntimeException | Error e) {
            failWith(e);
            return EngineCore.NEVER;
        }
    }

    private void handle(Message message) {
        switch (message) {
            case Message.StepEnded(Lane lane, StepOutcome outcome) -> core.complete(lane, outcome, clock.nanos());
            case Message.Arrived(Request request, long sentNanos) -> core.arrive(request, sentNanos);
            case Message.Cancelled(RequestId id) -> core.cancel(id, clock.nanos());
            case Message.ArrivalsEnded() -> core.arrivalsEnded();
            case Message.Close() -> {
                closing = true;
                core.close(clock.nanos());
            }
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

    /// Submits to the executor; outcomes come back through the mailbox.
    private final class ExecutorStarter implements StepStarter {
        @Override
        public void run(Lane lane, Step step) {
            try {
                executor.submit(lane, step, outcome -> ended(lane, outcome));
            } catch (RuntimeException | Error e) {
                refused(lane, e);
            }
        }

        @Override
        public void transfer(Lane lane, KvTransfer transfer) {
            try {
                executor.transfer(lane, transfer, outcome -> ended(lane, outcome));
            } catch (RuntimeException | Error e) {
                refused(lane, e);
            }
        }

        private void ended(Lane lane, StepOutcome outcome) {
            mailbox.post(new Message.StepEnded(lane, outcome));
        }

        private void refused(Lane lane, Throwable e) {
            ended(lane, new StepOutcome.Failed(new ExecutorException("The executor refused a step: " + e + ".", e)));
        }
    }

    /// Messages from other threads.
    private sealed interface Message {
        record Arrived(Request request, long sentNanos) implements Message {}

        record Cancelled(RequestId id) implements Message {}

        record ArrivalsEnded() implements Message {}

        record StepEnded(Lane lane, StepOutcome outcome) implements Message {}

        record Close() implements Message {}
    }
}
