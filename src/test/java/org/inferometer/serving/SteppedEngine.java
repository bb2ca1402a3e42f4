package org.inferometer.serving;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.inferometer.execution.Executor;
import org.inferometer.execution.LaneJob;
import org.inferometer.execution.LaneJob.Step;
import org.inferometer.execution.StepOutcome;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.Limits;
import org.inferometer.scheduling.Scheduler;
import org.inferometer.units.Clock;
import org.inferometer.units.SystemClock;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestId;

/// Serves requests on an executor, on the caller's thread: what comes in the middle comes after a number of steps, not of
/// nanoseconds.
public final class SteppedEngine {
    private final Clock clock = new SystemClock();
    private final EventJournal journal = new EventJournal();
    private final BlockingQueue<Ended> outcomes = new LinkedBlockingQueue<>();
    private final List<Event> events = new ArrayList<>();
    private final Executor executor;
    private final EngineCore core;
    private int queuedSteps;

    private record Ended(Lane lane, LaneJob job, StepOutcome outcome) {}

    /// @param afterSteps steps that have ended
    private record Event(int afterSteps, Runnable action) {}

    public SteppedEngine(Executor executor, Limits limits, Scheduler scheduler) {
        this.executor = executor;
        this.core = new EngineCore(EngineSetup.of(executor, limits, AnswerEnds.NONE), scheduler, journal, journal);
    }

    public void send(int afterSteps, Request request) {
        events.add(new Event(afterSteps, () -> core.arrive(request, clock.nanos())));
    }

    public void cancel(int afterSteps, RequestId id) {
        events.add(new Event(afterSteps, () -> core.cancel(id, clock.nanos())));
    }

    /// Serves until nothing is left.
    public EventJournal run() throws InterruptedException {
        int ended = 0;
        happen(ended);
        while (core.hasStepsInFlight()) {
            Ended next = outcomes.poll(60, TimeUnit.SECONDS);
            if (next == null) {
                throw new AssertionError("no outcome after " + ended + " steps");
            }
            core.complete(next.lane, next.job, next.outcome, clock.nanos());
            happen(++ended);
        }
        return journal;
    }

    private void happen(int ended) {
        events.stream().filter(event -> event.afterSteps == ended).forEach(event -> event.action.run());
        if (events.stream().noneMatch(event -> event.afterSteps > ended)) {
            core.arrivalsEnded();
        }
        core.scheduleIdleLanes(clock, (lane, job) -> {
            queuedSteps += job instanceof Step step && step.repeats() ? 1 : 0;
            executor.submit(lane, job, outcome -> outcomes.add(new Ended(lane, job, outcome)));
        });
    }

    /// Steps that were queued behind a running one.
    public int queuedSteps() {
        return queuedSteps;
    }

    /// Requests that are left and blocks that are held, in all pools.
    public int left() {
        return core.liveRequests()
                + executor.pools().stream().mapToInt(geometry -> core.heldBlocks(geometry.pool())).sum();
    }
}
