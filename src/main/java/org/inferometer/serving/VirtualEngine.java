package org.inferometer.serving;

import java.util.Comparator;
import java.util.PriorityQueue;
import org.inferometer.execution.KvTransfer;
import org.inferometer.execution.Step;
import org.inferometer.execution.StepOutcome;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.Scheduler;
import org.inferometer.target.RequestListener;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestId;

/// Serves requests in virtual time: the same core and schedulers as the live loop, with a model of the steps' cost in place of an
/// executor and a queue of events in place of a clock.
///
/// One thread, no waiting; equal input gives equal output. Listeners may send and cancel while it runs.
public final class VirtualEngine {
    private final EngineSetup setup;
    private final EngineCore core;
    private final StepModel model;
    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::nanos).thenComparingLong(Event::number));
    private final boolean[] busy; // [lanes]
    private long number;
    private long nowNanos;
    private int sent;
    private int arrived;

    /// @param scheduler a fresh one, for this engine alone
    public VirtualEngine(EngineSetup setup, Scheduler scheduler, StepModel model, RequestListener requests,
            EngineListener engine) {
        this.setup = setup;
        this.model = model;
        this.core = new EngineCore(setup, scheduler, requests, engine);
        this.busy = new boolean[setup.lanes().size()];
    }

    /// Lets a request arrive at an instant, not before now.
    public void sendAt(long nanos, Request request) {
        sent++;
        schedule(nanos, new Happening.Arrives(request));
    }

    /// Lets a request be given up at an instant, not before now.
    public void cancelAt(long nanos, RequestId id) {
        schedule(nanos, new Happening.Cancelled(id));
    }

    /// Closes the engine at an instant, not before now.
    public void closeAt(long nanos) {
        schedule(nanos, new Happening.Closes());
    }

    /// Runs until nothing is left to happen; arrivals end after the last one that was sent before.
    public void run() {
        run(sent);
    }

    /// The same for a load whose listeners send more while it runs: arrivals end after this many.
    public void run(int totalArrivals) {
        while (!events.isEmpty()) {
            nowNanos = events.element().nanos();
            while (!events.isEmpty() && events.element().nanos() == nowNanos) {
                happen(events.remove().what());
            }
            if (arrived >= totalArrivals) {
                core.arrivalsEnded();
            }
            askIdleLanes();
        }
    }

    /// The instant it has come to.
    public long nowNanos() {
        return nowNanos;
    }

    /// What it serves with.
    public EngineSetup setup() {
        return setup;
    }

    /// What serves, to look into the books.
    public EngineCore core() {
        return core;
    }

    private void schedule(long nanos, Happening what) {
        if (nanos < nowNanos) {
            throw new IllegalArgumentException("Instant " + nanos + " has passed; it is " + nowNanos + ".");
        }
        events.add(new Event(nanos, number++, what));
    }

    private void happen(Happening what) {
        switch (what) {
            case Happening.Arrives(Request request) -> {
                arrived++;
                core.arrive(request, nowNanos);
            }
            case Happening.Cancelled(RequestId id) -> core.cancel(id, nowNanos);
            case Happening.StepEnds(Lane lane, StepOutcome outcome) -> {
                busy[lane.id().index()] = false;
                core.complete(lane, outcome, nowNanos, 0);
            }
            case Happening.Closes() -> core.close(nowNanos);
            case Happening.Wakes() -> {}
        }
    }

    private void askIdleLanes() {
        boolean waits = false;
        for (Lane lane : setup.lanes()) {
            if (busy[lane.id().index()]) {
                continue;
            }
            switch (core.decide(lane, nowNanos)) {
                case EngineCore.Next.Run(Step step) -> start(lane, model.run(lane, step, nowNanos));
                case EngineCore.Next.Transfer(KvTransfer transfer) ->
                    start(lane, model.transfer(lane, transfer, nowNanos));
                case EngineCore.Next.WaitUntil(long nanos) -> {
                    waits = true;
                    schedule(nanos, new Happening.Wakes());
                }
                case EngineCore.Next.Nothing() -> {}
            }
        }
        if (!waits) {
            core.failIfStalled(nowNanos);
        }
    }

    private void start(Lane lane, StepOutcome outcome) {
        busy[lane.id().index()] = true;
        long endNanos = switch (outcome) {
            case StepOutcome.Completed done -> done.endNanos();
            case StepOutcome.Moved done -> done.endNanos();
            case StepOutcome.Failed _ -> nowNanos;
        };
        schedule(endNanos, new Happening.StepEnds(lane, outcome));
    }

    private record Event(long nanos, long number, Happening what) {}

    private sealed interface Happening {
        record Arrives(Request request) implements Happening {}

        record Cancelled(RequestId id) implements Happening {}

        record StepEnds(Lane lane, StepOutcome outcome) implements Happening {}

        record Closes() implements Happening {}

        record Wakes() implements Happening {}
    }
}
