package org.inferometer.serving;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.inferometer.execution.KvTransfer;
import org.inferometer.execution.Step;
import org.inferometer.execution.StepOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.scheduling.CompletedWork;
import org.inferometer.scheduling.Decision;
import org.inferometer.scheduling.KvPlan;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.PoolId;
import org.inferometer.scheduling.Scheduler;
import org.inferometer.scheduling.Work;
import org.inferometer.target.RequestListener;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestId;
import org.jspecify.annotations.Nullable;

/// Serves requests step by step without a clock and without threads: time comes in as a value, so the same core runs live and
/// in virtual time.
///
/// One thread. Listeners are called from within these methods. After a failure or a close every request that is left, and every
/// one that still arrives, ends at once; steps that run are still to be completed, and then all blocks are free again.
public final class EngineCore {
    private final EngineSetup setup;
    private final Scheduler scheduler;
    private final RequestListener requests;
    private final EngineListener engine;
    private final EngineState ledger;
    private final AdmissionCheck refusals;
    private final StepAssembler departures;
    private final @Nullable InFlightStep[] flights; // [lanes]
    private int flying;
    private @Nullable Ending ending;

    /// @param scheduler a fresh one, for this engine alone
    public EngineCore(EngineSetup setup, Scheduler scheduler, RequestListener requests, EngineListener engine) {
        this.setup = setup;
        this.scheduler = scheduler;
        this.requests = requests;
        this.engine = engine;
        this.ledger = new EngineState(setup, scheduler.reusesPrefixes());
        this.refusals = new AdmissionCheck(setup);
        this.departures = new StepAssembler(ledger, setup.limits(), requests, engine);
        this.flights = new InFlightStep[setup.lanes().size()];
    }

    /// What a lane is to do next.
    public sealed interface Next {
        /// Run this step, then [EngineCore#complete].
        record Run(Step step) implements Next {}

        /// Copy these keys and values, then [EngineCore#complete].
        record Transfer(KvTransfer transfer) implements Next {}

        /// Ask again at this instant, or after the next event.
        record WaitUntil(long nanos) implements Next {}

        /// Ask again after the next event.
        record Nothing() implements Next {}
    }

    /// Takes a request in; one that can never be served ends as refused.
    public void arrive(Request request, long nanos) {
        Ending over = ending;
        if (over != null) {
            requests.ended(request.id(), nanos, over.status(), over.reason());
            return;
        }
        String refusal = refusals.refusal(request);
        if (refusal.isEmpty()) {
            List<String> faults =
                    scheduler.faults(setup.limits(), request.promptTokens().length, request.totalPositions());
            refusal = faults.isEmpty() ? "" : faults.getFirst();
        }
        if (!refusal.isEmpty()) {
            requests.ended(request.id(), nanos, RequestStatus.REFUSED, refusal);
            return;
        }
        try {
            ledger.arrive(request, nanos);
            ledger.arrivalsEnded(false);
        } catch (ContractViolation e) {
            fail(Objects.requireNonNull(e.getMessage()), nanos);
        }
    }

    /// Ends a request as cancelled; one in flight keeps its blocks until its step is done. Unknown ids are ignored.
    public void cancel(RequestId id, long nanos) {
        LiveRequest request = ledger.find(id);
        if (request != null && !request.ended) {
            end(request, nanos, RequestStatus.CANCELLED, "Its sender gave it up.");
        }
    }

    /// Says that no further request comes; the next arrival revokes it.
    public void arrivalsEnded() {
        ledger.arrivalsEnded(true);
    }

    /// Asks the scheduler what an idle lane does at this instant, and puts it in the books.
    public Next decide(Lane lane, long nowNanos) {
        if (ending != null || flights[lane.id().index()] != null) {
            return new Next.Nothing();
        }
        ledger.now(nowNanos);
        try {
            while (true) {
                switch (scheduler.decide(lane, ledger)) {
                    case Decision.Run(Work.Compute work, KvPlan plan, String reason) -> {
                        InFlightStep.Computing flight = departures.compute(lane, work, plan, reason, nowNanos);
                        takeOff(flight);
                        return new Next.Run(flight.step());
                    }
                    case Decision.Run(Work.Move work, KvPlan plan, String reason) -> {
                        InFlightStep.Moving flight = departures.move(lane, work, plan, reason, nowNanos);
                        takeOff(flight);
                        return new Next.Transfer(flight.transfer());
                    }
                    case Decision.Evict(KvPlan plan, String _) -> departures.evict(plan, nowNanos);
                    case Decision.WaitUntil(long nanos) -> {
                        if (nanos <= nowNanos) {
                            throw new ContractViolation("It waits for an instant that has passed.");
                        }
                        return new Next.WaitUntil(nanos);
                    }
                    case Decision.Idle() -> {
                        return new Next.Nothing();
                    }
                }
            }
        } catch (ContractViolation e) {
            fail("The scheduler broke its contract: " + e.getMessage(), nowNanos);
        } catch (RuntimeException e) {
            fail("The scheduler failed: " + e + ".", nowNanos);
        }
        return new Next.Nothing();
    }

    /// Takes the outcome of a lane's step or transfer in: tokens go out, finished requests end, moved ones live in their new pool; a
    /// failure ends the engine.
    ///
    /// @param decisionNanos time that deciding it took, as the caller measured it
    public void complete(Lane lane, StepOutcome outcome, long nowNanos, long decisionNanos) {
        InFlightStep flight = Objects.requireNonNull(flights[lane.id().index()], "no step runs on this lane");
        flights[lane.id().index()] = null;
        flying--;
        flight.riders().forEach(LiveRequest::land);
        try {
            switch (outcome) {
                case StepOutcome.Completed done -> {
                    if (flight instanceof InFlightStep.Computing computing) {
                        land(computing, done, nowNanos, decisionNanos);
                    } else {
                        fail("The executor answered a transfer with a step.", nowNanos);
                    }
                }
                case StepOutcome.Moved done -> {
                    if (flight instanceof InFlightStep.Moving moving) {
                        land(moving, done, nowNanos, decisionNanos);
                    } else {
                        fail("The executor answered a step with a transfer.", nowNanos);
                    }
                }
                case StepOutcome.Failed failed ->
                    fail(Objects.requireNonNullElse(failed.cause().getMessage(), "A step failed."), nowNanos);
            }
        } finally {
            for (LiveRequest request : flight.riders()) {
                if (request.ended && ledger.find(request.id()) == request) {
                    ledger.remove(request);
                }
            }
        }
    }

    /// Fails the engine where requests are left, nothing runs, and nothing more will come: they would wait forever.
    ///
    /// To be called when every idle lane was asked and none ran or waits for an instant.
    public void failIfStalled(long nanos) {
        if (ending == null && flying == 0 && ledger.arrivalsEnded() && ledger.liveCount() > 0) {
            fail("The scheduler leaves " + ledger.liveCount() + " requests waiting forever.", nanos);
        }
    }

    /// Ends every request as failed with this sentence and serves no more. A second failure changes nothing.
    public void fail(String sentence, long nanos) {
        if (ending == null) {
            endAll(new Ending(RequestStatus.FAILED, sentence), nanos);
            engine.engineFailed(nanos, sentence);
        }
    }

    /// Ends every request as cancelled and serves no more.
    public void close(long nanos) {
        if (ending == null) {
            endAll(new Ending(RequestStatus.CANCELLED, "The engine was closed."), nanos);
        }
    }

    /// Whether a step runs on any lane.
    public boolean isFlying() {
        return flying > 0;
    }

    /// Requests that are waiting, running or in flight.
    public int liveRequests() {
        return ledger.liveCount();
    }

    /// Blocks that are not free in a pool.
    public int heldBlocks(PoolId pool) {
        return ledger.heldBlocks(pool);
    }

    private void takeOff(InFlightStep flight) {
        flights[flight.lane().id().index()] = flight;
        flying++;
    }

    private void land(InFlightStep.Computing flight, StepOutcome.Completed done, long nowNanos, long decisionNanos) {
        if (done.tokens().length != flight.counts().sampled()) {
            fail("The executor returned " + done.tokens().length + " tokens for " + flight.counts().sampled()
                    + " sampled slices.", nowNanos);
            return;
        }
        ledger.stepLanded(flight.riders());
        deliver(flight, done, nowNanos);
        engine.stepEnded(flight.report(done, decisionNanos));
        observe(new CompletedWork(flight.lane(), flight.work(), done.startNanos(), done.endNanos(), done.kernelNanos()),
                nowNanos);
    }

    private void land(InFlightStep.Moving flight, StepOutcome.Moved done, long nowNanos, long decisionNanos) {
        LiveRequest request = flight.rider();
        ledger.endMove(request);
        if (!request.ended) {
            Work.Move work = flight.work();
            int positions = flight.transfer().positions();
            engine.moved(request.id(), work.from(), work.to(), positions, done.bytes(), done.startNanos(),
                    done.endNanos());
        }
        engine.stepEnded(flight.report(done, decisionNanos));
        long nanos = done.endNanos() - done.startNanos();
        observe(new CompletedWork(flight.lane(), flight.work(), done.startNanos(), done.endNanos(), nanos), nowNanos);
    }

    private void observe(CompletedWork outcome, long nowNanos) {
        ledger.laneWasBusy(outcome.lane(), outcome.endNanos() - outcome.startNanos());
        try {
            scheduler.observe(outcome);
        } catch (RuntimeException e) {
            fail("The scheduler failed: " + e + ".", nowNanos);
        }
    }

    private void deliver(InFlightStep.Computing flight, StepOutcome.Completed done, long nowNanos) {
        int next = 0;
        for (LiveRequest request : flight.riders()) {
            boolean sampled = request.computed() == request.known();
            int token = sampled ? done.tokens()[next++] : 0;
            if (request.ended) {
                continue;
            }
            if (!request.prefillTold) {
                request.prefillTold = true;
                requests.prefillStarted(request.id(), done.startNanos());
            }
            if (sampled) {
                request.append(token);
                requests.tokens(request.id(), nowNanos, new int[]{token});
                if (request.isComplete()) {
                    request.ended = true;
                    requests.ended(request.id(), nowNanos, RequestStatus.OK, "");
                }
            }
        }
    }

    private void end(LiveRequest request, long nanos, RequestStatus status, String reason) {
        request.ended = true;
        if (!request.inFlight) {
            ledger.remove(request);
        }
        requests.ended(request.id(), nanos, status, reason);
    }

    private void endAll(Ending how, long nanos) {
        ending = how;
        List<LiveRequest> left = new ArrayList<>(ledger.all());
        left.sort(Comparator.comparing(LiveRequest::id, Comparator.comparingInt(RequestId::index)));
        for (LiveRequest request : left) {
            if (!request.ended) {
                end(request, nanos, how.status(), how.reason());
            }
        }
    }

    private record Ending(RequestStatus status, String reason) {}
}
