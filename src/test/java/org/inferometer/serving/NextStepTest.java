package org.inferometer.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.inferometer.serving.TestRequests.LANE;
import static org.inferometer.serving.TestRequests.request;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.LaneJob;
import org.inferometer.execution.LaneJob.Step;
import org.inferometer.execution.StepOutcome;
import org.inferometer.options.OptionException;
import org.inferometer.options.Selection;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.StepReport;
import org.inferometer.scheduling.Decision;
import org.inferometer.scheduling.EngineView;
import org.inferometer.scheduling.KvReservation;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.Limits;
import org.inferometer.scheduling.Scheduler;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.workload.EarlyEnd;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestId;
import org.inferometer.workload.StopRule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Which steps are queued, and when. Each step of the fake executor takes 10 ns; its tokens are their positions.
class NextStepTest {
    private static final int BLOCKS = 20;

    private final EventJournal journal = new EventJournal();
    private final List<LaneJob> open = new ArrayList<>();
    private final List<String> started = new ArrayList<>();
    private long nanos;

    @ParameterizedTest
    @ValueSource(
            strings = {"continuous", "simple", "simple:capacity_scheduler_policy=max_utilization", "naive", "dynamic"})
    void decodesAreQueuedUntilARequestEnds(String scheduler) throws Exception {
        EngineCore core = core(scheduler, BLOCKS);
        core.arrive(request(0, 3, 4), 0);
        core.arrive(request(1, 3, 6), 0);
        core.arrivalsEnded();
        run(core);

        // Step 0 computes prompts, step 3 ends request 0, step 5 ends request 1.
        assertThat(started).containsExactly("0", "1", "2 queued", "3 queued", "4", "5 queued");
        assertThat(journal.tokens).containsEntry(0, List.of(3, 4, 5, 6)).containsEntry(1, List.of(3, 4, 5, 6, 7, 8));
        assertThat(journal.steps).extracting(StepReport::startNanos).containsExactly(0L, 10L, 20L, 30L, 40L, 50L);
        assertThat(core.heldBlocks(TestRequests.POOL)).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"parallel"})
    void otherSchedulersDecideAfterEachStep(String scheduler) throws Exception {
        EngineCore core = core(scheduler, BLOCKS);
        core.arrive(request(0, 3, 4), 0);
        core.arrivalsEnded();
        run(core);

        assertThat(started).noneMatch(step -> step.endsWith("queued"));
        assertThat(journal.tokens).containsEntry(0, List.of(3, 4, 5, 6));
    }

    @Test
    void aRequestThatMayEndEarlyIsNotFollowed() throws Exception {
        EngineCore core = core("continuous", BLOCKS);
        Request plain = request(0, 3, 4);
        core.arrive(new Request(plain.id(), plain.promptTokens(), new StopRule(4, new EarlyEnd(true, List.of())),
                plain.arrival(), plain.sampling(), plain.deadlines(), null), 0);
        run(core);

        assertThat(started).containsExactly("0", "1", "2", "3");
    }

    @Test
    void anArrivalWaitsForTheQueuedStepAndNoLonger() throws Exception {
        EngineCore core = core("continuous", BLOCKS);
        core.arrive(request(0, 3, 9), 0);
        schedule(core);
        end(core);
        schedule(core);
        core.arrive(request(1, 3, 1), nanos);
        end(core);
        schedule(core);
        end(core);
        schedule(core);

        assertThat(started).containsExactly("0", "1", "2 queued", "3");
        assertThat(journal.admittedNanos).containsEntry(1, 30L);
        assertThat(journal.steps.getLast().waiting()).as("at the start of the queued step").isEqualTo(1);
    }

    @Test
    void aWaitingRequestThatFitsIsAdmittedNotPostponed() throws Exception {
        EngineCore core = core("continuous:max_num_seqs=1", BLOCKS);
        core.arrive(request(0, 3, 3), 0);
        core.arrive(request(1, 3, 3), 0);
        run(core);

        assertThat(started).containsExactly("0", "1", "2 queued", "3", "4", "5 queued");
        assertThat(journal.admittedNanos).containsEntry(1, 30L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"continuous", "simple:capacity_scheduler_policy=max_utilization"})
    void aFullPoolPreemptsAfterTheRunningStep(String scheduler) throws Exception {
        EngineCore core = core(scheduler, 6);
        core.arrive(request(0, 4, 7), 0);
        core.arrive(request(1, 4, 7), 0);
        core.arrivalsEnded();
        run(core);

        assertThat(journal.preemptions).isNotEmpty();
        assertThat(started).anyMatch(step -> step.endsWith("queued"));
        assertThat(journal.tokens).containsEntry(0, List.of(4, 5, 6, 7, 8, 9, 10)).containsEntry(1,
                List.of(4, 5, 6, 7, 8, 9, 10));
        assertThat(core.heldBlocks(TestRequests.POOL)).isZero();
    }

    @Test
    void blocksThatQueuedStepsFilledAreReused() throws Exception {
        EngineCore core = core("continuous", BLOCKS);
        core.arrive(request(0, 3, 6), 0);
        run(core);
        Request answered = request(0, 9, 1);
        core.arrive(new Request(new RequestId(1), answered.promptTokens(), 1, answered.arrival(), answered.sampling()),
                nanos);
        run(core);

        assertThat(started).containsExactly("0", "1", "2 queued", "3 queued", "4 queued", "5 queued", "6");
        assertThat(journal.admissions).last(STRING).endsWith(" with 8 cached");
    }

    @Test
    void aCancelledRequestKeepsItsBlocksUntilTheQueuedStepEnds() throws Exception {
        EngineCore core = core("continuous", BLOCKS);
        core.arrive(request(0, 3, 9), 0);
        schedule(core);
        end(core);
        schedule(core);
        core.cancel(new RequestId(0), nanos);
        end(core);
        assertThat(core.heldBlocks(TestRequests.POOL)).isPositive();
        schedule(core);
        end(core);
        schedule(core);

        assertThat(started).containsExactly("0", "1", "2 queued");
        assertThat(journal.tokens).containsEntry(0, List.of(3));
        assertThat(journal.ends).containsEntry(0, RequestStatus.CANCELLED);
        assertThat(core.heldBlocks(TestRequests.POOL)).isZero();
        assertThat(core.hasStepsInFlight()).isFalse();
    }

    @Test
    void aRefusedQueuedStepFailsTheEngineAndNothingIsHeld() throws Exception {
        EngineCore core = core("continuous", BLOCKS);
        core.arrive(request(0, 3, 9), 0);
        schedule(core);
        end(core);
        schedule(core);
        core.complete(LANE, open.removeLast(), new StepOutcome.Failed(new ExecutorException("It is full.")), nanos);
        assertThat(core.hasStepsInFlight()).isTrue();
        end(core);
        schedule(core);

        assertThat(journal.failures).containsExactly("It is full.");
        assertThat(journal.ends).containsEntry(0, RequestStatus.FAILED);
        assertThat(journal.faults).isEmpty();
        assertThat(core.heldBlocks(TestRequests.POOL)).isZero();
        assertThat(core.hasStepsInFlight()).isFalse();
    }

    @Test
    void aStepThatAlsoReservesForAWaitingRequestIsNotQueued() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        EngineCore core = core(ahead((view, decision) -> {
            if (calls.incrementAndGet() == 1) {
                return decision; // for step 1
            }
            KvReservation kv = view.reserveKv(TestRequests.POOL);
            kv.reserve(view.running().getFirst(), view.running().getFirst().known());
            kv.reserve(view.waiting().iterator().next(), 3);
            return new Decision.Run(((Decision.Run) decision).work(), kv.plan(), "admits");
        }), BLOCKS);
        core.arrive(request(0, 3, 9), 0);
        schedule(core);
        core.arrive(request(1, 3, 9), nanos);
        end(core);
        schedule(core);

        assertThat(calls).hasValue(2);
        assertThat(started).containsExactly("0", "1");
        assertThat(journal.failures).isEmpty();
    }

    @Test
    void aSchedulerThatBreaksItsContractAheadFailsTheEngine() throws Exception {
        EngineCore core = core(ahead((view, decision) -> {
            throw new IllegalArgumentException("made up");
        }), BLOCKS);
        core.arrive(request(0, 1, 9), 0);
        schedule(core);
        end(core);
        schedule(core);

        assertThat(journal.failures)
                .containsExactly("The scheduler failed: java.lang.IllegalArgumentException: made up.");
        assertThat(core.heldBlocks(TestRequests.POOL)).isZero();
    }

    @Test
    void aQueuedStepWithoutBlocksFailsTheEngine() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        EngineCore core = core(
                ahead((view,
                        decision) -> calls.incrementAndGet() == 1 ? decision : new Decision.Run(
                                ((Decision.Run) decision).work(), view.reserveKv(TestRequests.POOL).plan(), "none")),
                BLOCKS);
        core.arrive(request(0, 3, 9), 0);
        schedule(core);
        end(core);
        schedule(core);

        assertThat(journal.failures).singleElement(STRING).contains("do not cover the 5 positions");
        assertThat(core.heldBlocks(TestRequests.POOL)).as("of the running step").isEqualTo(2);
        end(core);
        assertThat(core.heldBlocks(TestRequests.POOL)).isZero();
    }

    /// `continuous` for one running request at most, and something else while one runs.
    private static Scheduler ahead(BiFunction<EngineView, Decision, Decision> whileOneRuns) throws OptionException {
        Scheduler continuous = scheduler("continuous:max_num_seqs=1");
        return new Scheduler() {
            @Override
            public Decision decide(Lane lane, EngineView view) {
                Decision decision = continuous.decide(lane, view);
                return view.running().isEmpty() ? decision : whileOneRuns.apply(view, decision);
            }

            @Override
            public boolean decidesAhead() {
                return true;
            }
        };
    }

    private void run(EngineCore core) {
        schedule(core);
        while (!open.isEmpty()) {
            end(core);
            schedule(core);
        }
        assertThat(journal.faults).isEmpty();
        assertThat(journal.failures).isEmpty();
    }

    private void schedule(EngineCore core) {
        core.scheduleIdleLanes(TestRequests.clockAt(nanos), (lane, job) -> {
            started.add(job.number() + (job instanceof Step step && step.repeats() ? " queued" : ""));
            open.add(job);
        });
        assertThat(open).hasSizeLessThanOrEqualTo(2);
    }

    /// Ends the job that was submitted first.
    private void end(EngineCore core) {
        LaneJob job = open.removeFirst();
        Lane lane = LANE;
        StepOutcome outcome = new AffineSteps(10, 0).outcome(lane, job, nanos);
        nanos += 10;
        core.complete(lane, job, outcome, nanos);
    }

    private EngineCore core(String scheduler, int blocks) throws OptionException {
        return core(scheduler(scheduler), blocks);
    }

    private EngineCore core(Scheduler scheduler, int blocks) {
        EngineSetup plain = TestRequests.setup(2, blocks, new Limits(4, 16, 20));
        EngineSetup setup = new EngineSetup(plain.lanes(), plain.pools(), plain.limits(), plain.memory(),
                new AnswerEnds(Set.of(9), null), 1);
        return new EngineCore(setup, scheduler, journal, journal);
    }

    private static Scheduler scheduler(String text) throws OptionException {
        return SchedulerRegistry.standard().create(Selection.parse(text));
    }
}
