package org.inferometer.serving;

import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;
import org.inferometer.execution.LaneJob;
import org.inferometer.execution.StepOutcome;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.Scheduler;
import org.inferometer.target.RequestListener;
import org.inferometer.units.Clock;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestId;

/// Serves requests in virtual time with the core and schedulers of the live loop. A cost model replaces the executor,
/// an event queue the clock.
///
/// One thread, no waiting; equal input gives equal output. Listeners may send and cancel while it runs.
public final class VirtualEngine {
    private final EngineSetup setup;
    private final EngineCore core;
    private final StepModel model;
    private final Clock clock = new VirtualClock();
    private final PriorityQueue<QueuedEvent> events =
            new PriorityQueue<>(Comparator.comparingLong(QueuedEvent::nanos).thenComparingLong(QueuedEvent::number));
    private final long[] laneEndNanos; // [lanes], of the job submitted last
    private long number;
    private long nowNanos;
    private int sent;
    private int arrived;

    /// @param scheduler a new instance, for this engine only
    public VirtualEngine(EngineSetup setup, Scheduler scheduler, StepModel model, RequestListener requests,
            EngineListener engine) {
        this.setup = setup;
        this.model = model;
        this.core = new EngineCore(setup, scheduler, requests, engine);
        this.laneEndNanos = new long[setup.lanes().size()];
    }

    /// Sends a request at an instant, not before now.
    public void sendAt(long nanos, Request request) {
        sent++;
        enqueue(nanos, () -> {
            arrived++;
            core.arrive(request, nowNanos);
        });
    }

    /// Cancels a request at an instant, not before now.
    public void cancelAt(long nanos, RequestId id) {
        enqueue(nanos, () -> core.cancel(id, nowNanos));
    }

    /// Declares at an instant, not before now, that no further request comes.
    public void arrivalsEndAt(long nanos) {
        enqueue(nanos, core::arrivalsEnded);
    }

    /// Closes the engine at an instant, not before now.
    public void closeAt(long nanos) {
        enqueue(nanos, () -> core.close(nowNanos));
    }

    /// Runs until no event is left; arrivals end after the last request sent before.
    public void run() {
        run(sent);
    }

    /// Runs until no event is left, for loads whose listeners send more requests; arrivals end after this many.
    public void run(int totalArrivals) {
        while (!events.isEmpty()) {
            takeInstant();
            if (arrived >= totalArrivals) {
                core.arrivalsEnded();
            }
            schedule();
        }
    }

    /// Runs until an instant, or until something that a listener waits for has happened. It is then that instant, or that of the
    /// last event.
    ///
    /// @param nanos [Long#MAX_VALUE] for as long as there are events
    public void runUntil(long nanos, BooleanSupplier happened) {
        while (!happened.getAsBoolean() && !events.isEmpty() && events.element().nanos() <= nanos) {
            takeInstant();
            schedule();
        }
        if (!happened.getAsBoolean() && nanos != Long.MAX_VALUE) {
            nowNanos = Math.max(nowNanos, nanos);
        }
    }

    private void takeInstant() {
        nowNanos = events.element().nanos();
        while (!events.isEmpty() && events.element().nanos() == nowNanos) {
            events.remove().action().run();
        }
    }

    private void schedule() {
        long wakeNanos = core.scheduleIdleLanes(clock, this::start);
        if (wakeNanos != EngineCore.NEVER) {
            enqueue(wakeNanos, () -> {});
        }
    }

    /// The time of the event that is handled; decisions take none.
    public Clock clock() {
        return clock;
    }

    /// Lanes, pools and limits.
    public EngineSetup setup() {
        return setup;
    }

    /// The core, to read its state.
    public EngineCore core() {
        return core;
    }

    private void enqueue(long nanos, Runnable action) {
        if (nanos < nowNanos) {
            throw new IllegalArgumentException("Instant " + nanos + " has passed; it is " + nowNanos + ".");
        }
        events.add(new QueuedEvent(nanos, number++, action));
    }

    /// Asks the model for the outcome and enqueues its delivery. A queued step starts when the running one ends.
    private void start(Lane lane, LaneJob job) {
        int index = lane.id().index();
        boolean queued = laneEndNanos[index] > nowNanos;
        long startNanos = queued ? laneEndNanos[index] : nowNanos + model.startDelayNanos(lane, job);
        StepOutcome outcome = model.outcome(lane, job, startNanos);
        long endNanos = switch (outcome) {
            case StepOutcome.Completed done -> done.endNanos();
            case StepOutcome.Transferred done -> done.endNanos();
            case StepOutcome.Failed _ -> startNanos;
        };
        laneEndNanos[index] = endNanos;
        enqueue(endNanos + model.deliveryDelayNanos(lane, job), () -> core.complete(lane, outcome, nowNanos));
    }

    /// The time of the event that is handled; decisions take none.
    private final class VirtualClock implements Clock {
        @Override
        public long nanos() {
            return nowNanos;
        }

        @Override
        public Instant wall() {
            return Instant.EPOCH.plusNanos(nowNanos);
        }
    }

    /// @param number keeps events of one instant in the order in which they were enqueued
    private record QueuedEvent(long nanos, long number, Runnable action) {}
}
