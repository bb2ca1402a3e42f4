package org.inferometer.serving;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import org.inferometer.execution.Executor.KvGeometry;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.LaneJob.KvTransfer;
import org.inferometer.execution.LaneJob.Step;
import org.inferometer.execution.StepOutcome;
import org.inferometer.options.OptionException;
import org.inferometer.options.Selection;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.StepReport;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.LaneId;
import org.inferometer.scheduling.Limits;
import org.inferometer.scheduling.Scheduler;
import org.inferometer.scheduling.SchedulerDescription;
import org.inferometer.units.Seed;
import org.inferometer.workload.Request;

/// What must hold for every scheduler with any options under any load, in virtual time. A scheduler that joins the registry is
/// among them.
class EverySchedulerProperties {
    @Provide
    Arbitrary<RandomLoad> loads() {
        Arbitrary<Long> gaps = Arbitraries.oneOf(Arbitraries.just(0L), Arbitraries.longs().between(0, 200_000),
                Arbitraries.longs().between(0, 2_000_000_000));
        Arbitrary<Long> cancels = Arbitraries.frequencyOf(Tuple.of(6, Arbitraries.just(-1L)),
                Tuple.of(1, Arbitraries.longs().between(0, 400_000)));
        Arbitrary<RandomLoad.Ask> asks = Combinators
                .combine(Arbitraries.integers().between(1, 30), Arbitraries.integers().between(1, 12),
                        Arbitraries.integers().between(0, 1), Arbitraries.integers().between(0, 30), gaps, cancels)
                .as(RandomLoad.Ask::new);
        Arbitrary<Limits> limits = Combinators.combine(Arbitraries.integers().between(1, 8),
                Arbitraries.integers().between(1, 48), Arbitraries.integers().between(16, 64)).as(Limits::new);
        return Combinators.combine(Arbitraries.integers().between(1, 3), Arbitraries.integers().between(1, 8),
                Arbitraries.integers().between(1, 60), limits, asks.list().ofMaxSize(24)).as(RandomLoad::new);
    }

    @Property(tries = 300)
    void nothingIsLostOrDoneTwiceAndEveryAnswerIsRight(@ForAll("loads") RandomLoad load, @ForAll long seed)
            throws Exception {
        for (SchedulerDescription<?> description : RandomSchedulers.REGISTRY.descriptions()) {
            Case drawn = Case.draw(description, load, seed);
            EventJournal journal = new EventJournal();
            VirtualEngine engine = drawn.serve(journal, drawn.model());
            assertThat(journal.failures).as("%s", drawn).isEmpty();
            assertThat(journal.faults).as("%s", drawn).isEmpty();
            drawn.assertNothingIsHeld(engine);
            drawn.assertAnswersAreRight(journal);
        }
    }

    @Property(tries = 100)
    void severalTokensOfASliceGiveTheSameAnswers(@ForAll("loads") RandomLoad load, @ForAll long seed) throws Exception {
        for (SchedulerDescription<?> description : RandomSchedulers.REGISTRY.descriptions()) {
            Case drawn = Case.draw(description, load, seed);
            EventJournal journal = new EventJournal();
            VirtualEngine engine =
                    drawn.serve(journal, new PrefixCacheModel(drawn.setup().pools(), 1_000, 100, load.mostSteps(), 3));
            assertThat(journal.failures).as("%s", drawn).isEmpty();
            assertThat(journal.faults).as("%s", drawn).isEmpty();
            drawn.assertNothingIsHeld(engine);
            for (Request request : load.requests()) {
                int id = request.id().index();
                if (journal.ends.get(id) == RequestStatus.OK) {
                    assertThat(journal.tokens.get(id)).as("%s", drawn).isEqualTo(PrefixCacheModel.answer(request));
                }
            }
        }
    }

    @Property(tries = 200)
    void queuedStepsGiveTheSameAnswersOneAfterTheOther(@ForAll("loads") RandomLoad load, @ForAll long seed)
            throws Exception {
        for (SchedulerDescription<?> description : RandomSchedulers.REGISTRY.descriptions()) {
            Case drawn = Case.draw(description, load, seed).queueing();
            EventJournal journal = new EventJournal();
            VirtualEngine engine = drawn.serve(journal, drawn.model());
            assertThat(journal.failures).as("%s", drawn).isEmpty();
            assertThat(journal.faults).as("%s", drawn).isEmpty();
            drawn.assertNothingIsHeld(engine);
            drawn.assertAnswersAreRight(journal);
            Map<LaneId, Long> ended = new HashMap<>();
            for (StepReport step : journal.steps) {
                assertThat(step.startNanos()).as("%s", drawn)
                        .isGreaterThanOrEqualTo(ended.getOrDefault(step.lane(), 0L));
                ended.put(step.lane(), step.endNanos());
            }
        }
    }

    /// Nothing happens between two steps of one lane then, so a decision ahead is the decision after.
    @Property(tries = 200)
    void queuedStepsAreThoseThatWouldRunAnyway(@ForAll("loads") RandomLoad load, @ForAll long seed) throws Exception {
        RandomLoad atOnce = load.atOnce();
        for (SchedulerDescription<?> description : RandomSchedulers.REGISTRY.descriptions()) {
            Case drawn = Case.draw(description, atOnce, seed);
            EventJournal plain = new EventJournal();
            EventJournal queueing = new EventJournal();
            drawn.serve(plain, drawn.model());
            drawn.queueing().serve(queueing, drawn.model());
            assertThat(queueing.decisionLog().stream().map(line -> line.replace("; queued", ""))).as("%s", drawn)
                    .isEqualTo(plain.decisionLog());
            assertThat(queueing.endNanos).as("%s", drawn).isEqualTo(plain.endNanos);
        }
    }

    @Property(tries = 100)
    void aFailingStepEndsTheQueuedOneToo(@ForAll("loads") RandomLoad load, @ForAll long seed,
            @ForAll("steps") long failing) throws Exception {
        for (SchedulerDescription<?> description : RandomSchedulers.REGISTRY.descriptions()) {
            Case drawn = Case.draw(description, load, seed).queueing();
            EventJournal journal = new EventJournal();
            VirtualEngine engine = drawn.serve(journal, new FailingModel(drawn.model(), failing));
            assertThat(journal.faults).as("%s", drawn).isEmpty();
            assertThat(journal.failures).as("%s", drawn).isIn(List.of(), List.of("The device is gone."));
            assertThat(journal.ends).as("%s", drawn).hasSize(load.asks().size());
            drawn.assertNothingIsHeld(engine);
        }
    }

    @Property(tries = 100)
    void equalLoadsGiveEqualDecisionLogs(@ForAll("loads") RandomLoad load, @ForAll long seed) throws Exception {
        for (SchedulerDescription<?> description : RandomSchedulers.REGISTRY.descriptions()) {
            Case drawn = Case.draw(description, load, seed);
            EventJournal first = new EventJournal();
            EventJournal second = new EventJournal();
            drawn.serve(first, drawn.model());
            drawn.serve(second, drawn.model());
            assertThat(first.everything()).as("%s", drawn).isEqualTo(second.everything());
        }
    }

    @Property(tries = 100)
    void aFailingStepOrTransferEndsEveryRequestAndReturnsEveryBlock(@ForAll("loads") RandomLoad load, @ForAll long seed,
            @ForAll("steps") long failing) throws Exception {
        for (SchedulerDescription<?> description : RandomSchedulers.REGISTRY.descriptions()) {
            Case drawn = Case.draw(description, load, seed);
            EventJournal journal = new EventJournal();
            VirtualEngine engine = drawn.serve(journal, new FailingModel(drawn.model(), failing));
            assertThat(journal.faults).as("%s", drawn).isEmpty();
            assertThat(journal.failures).as("%s", drawn).isIn(List.of(), List.of("The device is gone."));
            assertThat(journal.ends).as("%s", drawn).hasSize(load.asks().size());
            drawn.assertNothingIsHeld(engine);
        }
    }

    @Provide
    Arbitrary<Long> steps() {
        return Arbitraries.longs().between(0, 60);
    }

    /// One load for one scheduler with options.
    private record Case(Selection selection, RandomLoad load, EngineSetup setup) {
        static Case draw(SchedulerDescription<?> description, RandomLoad load, long seed) throws OptionException {
            Selection selection = RandomSchedulers.draw(description, new Seed(seed));
            return new Case(selection, load, load.setup(description.layout(selection, load.lanes())));
        }

        /// The same with steps queued behind running ones.
        Case queueing() {
            return new Case(selection, load,
                    new EngineSetup(setup.lanes(), setup.pools(), setup.limits(), setup.memory(), setup.ends(), 1));
        }

        Scheduler scheduler() throws OptionException {
            return RandomSchedulers.create(selection);
        }

        StepModel model() {
            return new PrefixCacheModel(setup.pools(), 1_000, 100, load.mostSteps());
        }

        VirtualEngine serve(EventJournal journal, StepModel model) throws OptionException {
            try {
                return load.serve(setup, scheduler(), model, journal);
            } catch (AssertionError e) {
                throw new AssertionError(this + ": " + e.getMessage(), e);
            }
        }

        void assertAnswersAreRight(EventJournal journal) throws OptionException {
            Scheduler asked = scheduler();
            for (Request request : load.requests()) {
                RequestStatus status = journal.ends.get(request.id().index());
                List<Integer> got = journal.tokens.getOrDefault(request.id().index(), List.of());
                List<Integer> right = PrefixCacheModel.answer(request);
                if (load.neverFits(setup, request, asked)) {
                    assertThat(status).as("%s", this).isEqualTo(RequestStatus.REFUSED);
                    assertThat(got).isEmpty();
                } else if (load.asks().get(request.id().index()).cancelNanos() < 0) {
                    assertThat(status).as("%s", this).isEqualTo(RequestStatus.OK);
                    assertThat(got).as("%s", this).isEqualTo(right);
                } else {
                    assertThat(status).as("%s", this).isIn(RequestStatus.OK, RequestStatus.CANCELLED);
                    assertThat(right.subList(0, got.size())).as("%s", this).isEqualTo(got);
                }
            }
        }

        void assertNothingIsHeld(VirtualEngine engine) {
            assertThat(engine.core().liveRequests()).as("%s", this).isZero();
            for (KvGeometry pool : setup.pools()) {
                assertThat(engine.core().heldBlocks(pool.pool())).as("%s", this).isZero();
            }
        }
    }

    /// Goes wrong at one number, and with a step that needs tokens of a wrong one.
    private record FailingModel(StepModel fine, long failing) implements StepModel {
        @Override
        public StepOutcome run(Lane lane, Step step, long startNanos) {
            return step.number() == failing || (step.repeats() && step.number() > failing) ? failed()
                    : fine.run(lane, step, startNanos);
        }

        @Override
        public StepOutcome transfer(Lane lane, KvTransfer transfer, long startNanos) {
            return transfer.number() == failing ? failed() : fine.transfer(lane, transfer, startNanos);
        }

        private static StepOutcome failed() {
            return new StepOutcome.Failed(new ExecutorException("The device is gone."));
        }
    }
}
