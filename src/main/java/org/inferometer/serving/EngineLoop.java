package org.inferometer.serving;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.function.Consumer;
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

/// Serves an engine live: one thread takes what the mailbox brings, asks the scheduler for every idle lane, and starts steps.
///
/// All methods may be called from any thread and return at once, except `close`, which ends what is left as cancelled and waits
/// for the steps that run. The executor stays open; whoever opened it closes it afterwards. Listeners are called on the loop's
/// thread.
public final class EngineLoop implements Target {
    private static final Logger LOG = System.getLogger(EngineLoop.class.getName());
    private static final long NEVER = Long.MAX_VALUE;

    private final Executor executor;
    private final Clock clock;
    private final EngineCore core;
    private final Mailbox<Message> mailbox = new Mailbox<>();
    private final Lane[] lanes;
    private final boolean[] busy; // [lanes]
    private final long[] decisionNanos; // [lanes], of the step that runs
    private final Thread thread;
    private boolean closing;

    private EngineLoop(Executor executor, EngineCore core, Clock clock) {
        this.executor = executor;
        this.clock = clock;
        this.core = core;
        this.lanes = executor.lanes().toArray(Lane[]::new);
        this.busy = new boolean[lanes.length];
        this.decisionNanos = new long[lanes.length];
        this.thread = new Thread(this::serve, "engine-loop");
        this.thread.setDaemon(true);
    }

    /// Starts serving.
    ///
    /// @param scheduler a fresh one, for this engine alone
    /// @throws IllegalArgumentException with one sentence where executor and limits do not fit
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
            throw new IllegalStateException("The engine is closed; no request can be sent to it.");
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

    /// Ends every request that is left as cancelled, waits for the steps that run, and stops the thread.
    ///
    /// Called by a listener it does not wait. An interrupt is kept for the caller and does not shorten the wait.
    @Override
    public void close() {
        mailbox.post(new Message.Close());
        ThreadEnd.await(thread);
    }

    private void serve() {
        long wakeNanos = NEVER;
        while (!closing || core.isFlying()) {
            mailbox.await(wakeNanos == NEVER ? NEVER : wakeNanos - clock.nanos());
            mailbox.take(this::guardedHandle);
            wakeNanos = guardedAsk();
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

    private long guardedAsk() {
        try {
            return askIdleLanes();
        } catch (RuntimeException | Error e) {
            failWith(e);
            return NEVER;
        }
    }

    private void handle(Message message) {
        switch (message) {
            case Message.StepEnded(Lane lane, StepOutcome outcome) -> {
                int index = lane.id().index();
                busy[index] = false;
                core.complete(lane, outcome, clock.nanos(), decisionNanos[index]);
            }
            case Message.Arrived(Request request, long sentNanos) -> core.arrive(request, sentNanos);
            case Message.Cancelled(RequestId id) -> core.cancel(id, clock.nanos());
            case Message.ArrivalsEnded() -> core.arrivalsEnded();
            case Message.Close() -> {
                closing = true;
                core.close(clock.nanos());
            }
        }
    }

    /// Returns the earliest instant that a lane waits for.
    private long askIdleLanes() {
        long wakeNanos = NEVER;
        for (int i = 0; i < lanes.length; i++) {
            if (busy[i]) {
                continue;
            }
            Lane lane = lanes[i];
            long askedNanos = clock.nanos();
            switch (core.decide(lane, askedNanos)) {
                case EngineCore.Next.Run(Step step) -> {
                    busy[i] = true;
                    decisionNanos[i] = clock.nanos() - askedNanos;
                    hand(lane, whenDone -> executor.submit(lane, step, whenDone));
                }
                case EngineCore.Next.Transfer(KvTransfer transfer) -> {
                    busy[i] = true;
                    decisionNanos[i] = clock.nanos() - askedNanos;
                    hand(lane, whenDone -> executor.transfer(lane, transfer, whenDone));
                }
                case EngineCore.Next.WaitUntil(long nanos) -> wakeNanos = Math.min(wakeNanos, nanos);
                case EngineCore.Next.Nothing() -> {}
            }
        }
        if (wakeNanos == NEVER) {
            core.failIfStalled(clock.nanos());
        }
        return wakeNanos;
    }

    /// Lets the executor start something on a lane; what it refuses has failed.
    private void hand(Lane lane, Consumer<Consumer<StepOutcome>> start) {
        try {
            start.accept(outcome -> mailbox.post(new Message.StepEnded(lane, outcome)));
        } catch (RuntimeException | Error e) {
            ExecutorException cause = new ExecutorException("The executor refused a step: " + e + ".", e);
            mailbox.post(new Message.StepEnded(lane, new StepOutcome.Failed(cause)));
        }
    }

    /// Something that should not throw did: a listener or the executor. Whoever waits for a request must still hear of its end.
    private void failWith(Throwable e) {
        LOG.log(Level.ERROR, "The engine loop stops after an error; lanes busy: " + Arrays.toString(busy), e);
        try {
            core.fail("The engine stopped: " + e + ".", clock.nanos());
        } catch (RuntimeException | Error again) {
            LOG.log(Level.ERROR, "A listener failed while it was told that the engine stopped.", again);
        }
    }

    /// What reaches the loop from other threads.
    private sealed interface Message {
        record Arrived(Request request, long sentNanos) implements Message {}

        record Cancelled(RequestId id) implements Message {}

        record ArrivalsEnded() implements Message {}

        record StepEnded(Lane lane, StepOutcome outcome) implements Message {}

        record Close() implements Message {}
    }
}
