package org.inferometer.serving;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.inferometer.execution.LaneJob;
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
import org.inferometer.units.Clock;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestId;
import org.jspecify.annotations.Nullable;

/// Serves requests step by step, without threads; the live loop and virtual time share it.
///
/// One thread. Listeners are called from within these methods. After a failure or a close, every request ends at once, also later
/// arrivals; steps in flight must still be completed, which frees the last blocks.
public final class EngineCore {
    /// An instant that never comes.
    static final long NEVER = Long.MAX_VALUE;

    private final EngineSetup setup;
    private final Scheduler scheduler;
    private final RequestListener requests;
    private final EngineListener engine;
    private final EngineState state;
    private final AdmissionCheck admissionCheck;
    private final StepAssembler assembler;
    private final NextStep nextStep;
    private final List<LaneSteps> laneSteps; // by lane index
    private int stepsInFlight;
    private @Nullable Termination termination;

    /// @param scheduler a new instance, for this engine only
    public EngineCore(EngineSetup setup, Scheduler scheduler, RequestListener requests, EngineListener engine) {
        this.setup = setup;
        this.scheduler = scheduler;
        this.requests = requests;
        this.engine = engine;
        this.state = new EngineState(setup, scheduler.reusesPrefixes());
        this.admissionCheck = new AdmissionCheck(setup);
        this.assembler = new StepAssembler(state, setup.limits(), requests, engine);
        this.nextStep = new NextStep(scheduler, state);
        this.laneSteps = setup.lanes().stream().map(_ -> new LaneSteps()).toList();
    }

    /// Adds a request to the waiting queue; one that can never be served ends as refused.
    public void arrive(Request request, long nanos) {
        Termination ended = termination;
        if (ended != null) {
            requests.ended(request.id(), nanos, ended.status(), ended.reason());
            return;
        }
        String refusal = admissionCheck.refusal(request);
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
            state.arrive(request, nanos);
            state.arrivalsEnded(false);
        } catch (ContractViolation e) {
            fail(Objects.requireNonNull(e.getMessage()), nanos);
        }
    }

    /// Cancels a request; one in flight keeps its blocks until its step has ended. No effect if it is unknown.
    public void cancel(RequestId id, long nanos) {
        LiveRequest request = state.find(id);
        if (request != null && !request.ended) {
            end(request, nanos, RequestStatus.CANCELLED, "The client cancelled the request.");
        }
    }

    /// Declares that no further request comes; the next arrival revokes it.
    public void arrivalsEnded() {
        state.arrivalsEnded(true);
    }

    /// Asks the scheduler for work for every idle lane and starts it. Queues the next step behind a running one where it is
    /// certain. Fails the engine if requests are left, nothing runs, no lane waits for an instant and no request can arrive.
    ///
    /// @param clock measures each decision, the assembly of the step included
    /// @return the earliest instant that a lane waits for, or [#NEVER]
    long scheduleIdleLanes(Clock clock, StepStarter starter) {
        long wakeNanos = NEVER;
        List<Lane> lanes = setup.lanes();
        for (int i = 0; i < lanes.size(); i++) {
            Lane lane = lanes.get(i);
            LaneSteps steps = laneSteps.get(i);
            if (steps.isIdle()) {
                long askedNanos = clock.nanos();
                switch (decide(lane, askedNanos)) {
                    case LaneAction.Start(LaneJob job) -> {
                        steps.decisionNanos(clock.nanos() - askedNanos);
                        starter.start(lane, job);
                    }
                    case LaneAction.Wait(long untilNanos) -> wakeNanos = Math.min(wakeNanos, untilNanos);
                }
            }
            if (setup.queuedSteps() > 0 && steps.askOnce()) {
                queueNext(lane, steps, clock, starter);
            }
        }
        if (wakeNanos == NEVER && termination == null && stepsInFlight == 0 && state.arrivalsEnded()
                && state.liveCount() > 0) {
            fail("The scheduler leaves " + state.liveCount() + " requests waiting forever.", clock.nanos());
        }
        return wakeNanos;
    }

    /// Queues the next step behind a lane's running one if it is certain.
    private void queueNext(Lane lane, LaneSteps steps, Clock clock, StepStarter starter) {
        if (termination != null) {
            return;
        }
        long askedNanos = clock.nanos();
        state.setNow(askedNanos);
        try {
            if (nextStep.after(steps.running()) instanceof NextStep.Answer.Certain next) {
                InFlightStep step = assembler.queue(lane, next, askedNanos);
                steps.queue(step, clock.nanos() - askedNanos);
                stepsInFlight++;
                starter.start(lane, step.job());
            }
        } catch (RuntimeException e) {
            // The running step still uses their blocks.
            steps.running().requests().forEach(LiveRequest::lookBack);
            fail(e, askedNanos);
        }
    }

    /// Asks the scheduler for work for one lane and applies the decision to the state.
    LaneAction decide(Lane lane, long nowNanos) {
        if (termination != null || !steps(lane).isIdle()) {
            return LaneAction.NONE;
        }
        state.setNow(nowNanos);
        try {
            while (true) {
                switch (scheduler.decide(lane, state)) {
                    case Decision.Run(Work.Compute work, KvPlan plan, String reason) -> {
                        return started(assembler.schedule(lane, work, plan, reason, nowNanos));
                    }
                    case Decision.Run(Work.Transfer work, KvPlan plan, String reason) -> {
                        return started(assembler.transfer(lane, work, plan, reason, nowNanos));
                    }
                    case Decision.Evict(KvPlan plan, String _) -> assembler.preempt(plan, nowNanos);
                    case Decision.WaitUntil(long nanos) -> {
                        if (nanos <= nowNanos) {
                            throw new ContractViolation("It waits for a past instant.");
                        }
                        return new LaneAction.Wait(nanos);
                    }
                    case Decision.Idle() -> {
                        return LaneAction.NONE;
                    }
                }
            }
        } catch (RuntimeException e) {
            fail(e, nowNanos);
        }
        return LaneAction.NONE;
    }

    /// Applies the outcome of a lane's job: of its running one, or of a queued one that the executor refused.
    void complete(Lane lane, LaneJob job, StepOutcome outcome, long nowNanos) {
        LaneSteps steps = steps(lane);
        InFlightStep queued = steps.queued();
        if (queued == null || queued.job() != job) {
            complete(lane, outcome, nowNanos);
            return;
        }
        steps.drop();
        stepsInFlight--;
        fail(outcome instanceof StepOutcome.Failed failed ? message(failed)
                : "The executor returned a queued step before the running one.", nowNanos);
    }

    /// Applies the outcome of a lane's running step or transfer: reports tokens, ends complete requests, moves transferred ones to
    /// their new pool. A failure ends the engine.
    public void complete(Lane lane, StepOutcome outcome, long nowNanos) {
        LaneSteps steps = steps(lane);
        InFlightStep step = steps.running();
        long decisionNanos = steps.decisionNanos();
        steps.end();
        stepsInFlight--;
        if (steps.isIdle()) {
            step.requests().forEach(LiveRequest::complete);
        }
        try {
            switch (outcome) {
                case StepOutcome.Completed done when step.work() instanceof Work.Compute ->
                    completeStep(step, done, decisionNanos, nowNanos);
                case StepOutcome.Transferred done when step.work() instanceof Work.Transfer transfer ->
                    completeTransfer(step, transfer, done, decisionNanos, nowNanos);
                case StepOutcome.Completed _ -> fail("The executor answered a transfer with a step.", nowNanos);
                case StepOutcome.Transferred _ -> fail("The executor answered a step with a transfer.", nowNanos);
                case StepOutcome.Failed failed -> fail(message(failed), nowNanos);
            }
        } finally {
            for (LiveRequest request : step.requests()) {
                if (request.ended && !request.inFlight && state.find(request.id()) == request) {
                    state.remove(request);
                }
            }
            if (!steps.isIdle()) {
                steps.occupied(assembler.occupancy(lane));
            }
        }
    }

    private static String message(StepOutcome.Failed failed) {
        return Objects.requireNonNullElse(failed.cause().getMessage(), "A step failed.");
    }

    /// Ends every request as failed with this message and serves no more. A second failure changes nothing.
    public void fail(String message, long nanos) {
        if (termination == null) {
            endAll(new Termination(RequestStatus.FAILED, message), nanos);
            engine.engineFailed(nanos, message);
        }
    }

    /// Ends every request as cancelled and serves no more.
    public void close(long nanos) {
        if (termination == null) {
            endAll(new Termination(RequestStatus.CANCELLED, "The engine was closed."), nanos);
        }
    }

    /// Whether a step or a transfer runs on any lane.
    public boolean hasStepsInFlight() {
        return stepsInFlight > 0;
    }

    /// Requests that are waiting, running or in flight.
    public int liveRequests() {
        return state.liveCount();
    }

    /// Blocks that are not free in a pool.
    public int heldBlocks(PoolId pool) {
        return state.heldBlocks(pool);
    }

    /// The lanes that run a step or a transfer, for messages.
    String busyLanes() {
        return laneSteps.stream().filter(steps -> !steps.isIdle()).map(steps -> steps.running().lane().id().index())
                .toList().toString();
    }

    private LaneSteps steps(Lane lane) {
        return laneSteps.get(lane.id().index());
    }

    private LaneAction started(InFlightStep step) {
        steps(step.lane()).start(step);
        stepsInFlight++;
        return new LaneAction.Start(step.job());
    }

    private void completeStep(InFlightStep step, StepOutcome.Completed done, long decisionNanos, long nowNanos) {
        if (done.sampledSlices() != step.counts().sampledSlices()) {
            fail("The executor returned " + done.sampledSlices() + " tokens for " + step.counts().sampledSlices()
                    + " sampled slices.", nowNanos);
            return;
        }
        if (!steps(step.lane()).isIdle() && done.tokens().length != done.sampledSlices()) {
            fail("The executor returned several tokens of a request whose next step is queued.", nowNanos);
            return;
        }
        if (termination == null) {
            state.stepCompleted(step.requests());
        }
        deliver(step.requests(), done, nowNanos);
        engine.stepEnded(step.report(done.startNanos(), done.endNanos(), done.kernelNanos(), decisionNanos, 0));
        observe(step, done.startNanos(), done.endNanos(), done.kernelNanos(), nowNanos);
    }

    private void completeTransfer(InFlightStep step, Work.Transfer transfer, StepOutcome.Transferred done,
            long decisionNanos, long nowNanos) {
        LiveRequest request = step.requests().getFirst();
        state.endTransfer(request);
        if (!request.ended) {
            engine.transferred(request.id(), transfer.from(), transfer.to(), request.computed(), done.bytes(),
                    done.startNanos(), done.endNanos());
        }
        engine.stepEnded(step.report(done.startNanos(), done.endNanos(), 0, decisionNanos, done.bytes()));
        observe(step, done.startNanos(), done.endNanos(), done.endNanos() - done.startNanos(), nowNanos);
    }

    private void observe(InFlightStep step, long startNanos, long endNanos, long deviceNanos, long nowNanos) {
        state.addLaneBusyNanos(step.lane(), endNanos - startNanos);
        try {
            scheduler.observe(new CompletedWork(step.lane(), step.work(), startNanos, endNanos, deviceNanos));
        } catch (RuntimeException e) {
            fail(e, nowNanos);
        }
    }

    private void fail(RuntimeException ofScheduler, long nowNanos) {
        fail(ofScheduler instanceof ContractViolation ? "The scheduler broke its contract: " + ofScheduler.getMessage()
                : "The scheduler failed: " + ofScheduler + ".", nowNanos);
    }

    private void deliver(List<LiveRequest> stepRequests, StepOutcome.Completed done, long nowNanos) {
        int sampledSlice = 0;
        int from = 0;
        for (LiveRequest request : stepRequests) {
            boolean sampled = request.computed() == request.known();
            int until = sampled ? done.tokenEnd(sampledSlice++) : from;
            if (!request.ended) {
                if (!request.prefillReported) {
                    request.prefillReported = true;
                    requests.prefillStarted(request.id(), done.startNanos());
                }
                if (sampled) {
                    requests.tokens(request.id(), nowNanos, append(request, done.tokens(), from, until));
                    if (request.isComplete()) {
                        request.ended = true;
                        requests.ended(request.id(), nowNanos, RequestStatus.OK, "");
                    }
                }
            }
            from = until;
        }
    }

    /// The tokens that were appended; a single one costs nothing where the listener does not keep the array.
    private static int[] append(LiveRequest request, int[] tokens, int from, int until) {
        int taken = request.append(tokens, from, until);
        return taken == 1 ? new int[]{tokens[from]} : Arrays.copyOfRange(tokens, from, from + taken);
    }

    private void end(LiveRequest request, long nanos, RequestStatus status, String reason) {
        request.ended = true;
        if (!request.inFlight) {
            state.remove(request);
        }
        requests.ended(request.id(), nanos, status, reason);
    }

    private void endAll(Termination cause, long nanos) {
        termination = cause;
        List<LiveRequest> left = new ArrayList<>(state.all());
        left.sort(Comparator.comparing(LiveRequest::id, Comparator.comparingInt(RequestId::index)));
        for (LiveRequest request : left) {
            if (!request.ended) {
                end(request, nanos, cause.status(), cause.reason());
            }
        }
    }

    /// How the engine ended, and with it every request.
    private record Termination(RequestStatus status, String reason) {}
}
