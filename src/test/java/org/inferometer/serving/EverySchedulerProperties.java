package org.inferometer.serving;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.KvGeometry;
import org.inferometer.execution.KvTransfer;
import org.inferometer.execution.Step;
import org.inferometer.execution.StepOutcome;
import org.inferometer.options.OptionException;
import org.inferometer.options.Selection;
import org.inferometer.record.RequestStatus;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.Limits;
import org.inferometer.scheduling.Scheduler;
import org.inferometer.scheduling.SchedulerDescription;
import org.inferometer.units.Seed;
import org.inferometer.workload.Request;

/// What must hold for every scheduler with any options under any load, in virtual time. A scheduler that joins the registry is
/// among them.
class EverySchedulerProperties {
    @Provide
    Arbitrary<Load> loads() {
        Arbitrary<Long> gaps = Arbitraries.oneOf(Arbitraries.just(0L), Arbitraries.longs().between(0, 200_000),
                Arbitraries.longs().between(0, 2_000_000_000));
        Arbitrary<Long> cancels = Arbitraries.frequencyOf(Tuple.of(6, Arbitraries.just(-1L)),
                Tuple.of(1, Arbitraries.longs().between(0, 400_000)));
        Arbitrary<Load.Ask> asks = Combinators
                .combine(Arbitraries.integers().between(1, 30), Arbitraries.integers().between(1, 12),
                        Arbitraries.integers().between(0, 1), Arbitraries.integers().between(0, 30), gaps, cancels)
                .as(Load.Ask::new);
        Arbitrary<Limits> limits = Combinators.combine(Arbitraries.integers().between(1, 8),
                Arbitraries.integers().between(1, 48), Arbitraries.integers().between(16, 64)).as(Limits::new);
        return Combinators.combine(Arbitraries.integers().between(1, 3), Arbitraries.integers().between(1, 8),
                Arbitraries.integers().between(1, 60), limits, asks.list().ofMaxSize(24)).as(Load::new);
    }

    @Property(tries = 300)
    void nothingIsLostOrDoneTwiceAndEveryAnswerIsRight(@ForAll("loads") Load load, @ForAll long seed) throws Exception {
        for (SchedulerDescription<?> description : Candidates.REGISTRY.descriptions()) {
            Case drawn = Case.draw(description, load, seed);
            Journal journal = new Journal();
            VirtualEngine engine = drawn.serve(journal, drawn.model());
            assertThat(journal.failures).as("%s", drawn).isEmpty();
            assertThat(journal.faults).as("%s", drawn).isEmpty();
            drawn.assertNothingIsHeld(engine);
            Scheduler asked = drawn.scheduler();
            for (Request request : load.requests()) {
                RequestStatus status = journal.ends.get(request.id().index());
                List<Integer> got = journal.tokens.getOrDefault(request.id().index(), List.of());
                List<Integer> right = CacheModel.answer(request);
                if (load.neverFits(drawn.setup(), request, asked)) {
                    assertThat(status).as("%s", drawn).isEqualTo(RequestStatus.REFUSED);
                    assertThat(got).isEmpty();
                } else if (load.asks().get(request.id().index()).cancelNanos() < 0) {
                    assertThat(status).as("%s", drawn).isEqualTo(RequestStatus.OK);
                    assertThat(got).as("%s", drawn).isEqualTo(right);
                } else {
                    assertThat(status).as("%s", drawn).isIn(RequestStatus.OK, RequestStatus.CANCELLED);
                    assertThat(right.subList(0, got.size())).as("%s", drawn).isEqualTo(got);
                }
            }
        }
    }

    @Property(tries = 100)
    void equalLoadsGiveEqualDecisionLogs(@ForAll("loads") Load load, @ForAll long seed) throws Exception {
        for (SchedulerDescription<?> description : Candidates.REGISTRY.descriptions()) {
            Case drawn = Case.draw(description, load, seed);
            Journal first = new Journal();
            Journal second = new Journal();
            drawn.serve(first, drawn.model());
            drawn.serve(second, drawn.model());
            assertThat(first.everything()).as("%s", drawn).isEqualTo(second.everything());
        }
    }

    @Property(tries = 100)
    void aFailingStepOrTransferEndsEveryRequestAndReturnsEveryBlock(@ForAll("loads") Load load, @ForAll long seed,
            @ForAll("steps") long failing) throws Exception {
        for (SchedulerDescription<?> description : Candidates.REGISTRY.descriptions()) {
            Case drawn = Case.draw(description, load, seed);
            Journal journal = new Journal();
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
    private record Case(Selection selection, Load load, EngineSetup setup) {
        static Case draw(SchedulerDescription<?> description, Load load, long seed) throws OptionException {
            Selection selection = Candidates.draw(description, new Seed(seed));
            return new Case(selection, load, load.setup(description.layout(selection, load.lanes())));
        }

        Scheduler scheduler() throws OptionException {
            return Candidates.create(selection);
        }

        StepModel model() {
            return new CacheModel(setup.pools(), 1_000, 100, load.mostSteps());
        }

        VirtualEngine serve(Journal journal, StepModel model) throws OptionException {
            try {
                return load.serve(setup, scheduler(), model, journal);
            } catch (AssertionError e) {
                throw new AssertionError(this + ": " + e.getMessage(), e);
            }
        }

        void assertNothingIsHeld(VirtualEngine engine) {
            assertThat(engine.core().liveRequests()).as("%s", this).isZero();
            for (KvGeometry pool : setup.pools()) {
                assertThat(engine.core().heldBlocks(pool.pool())).as("%s", this).isZero();
            }
        }
    }

    /// Goes wrong at one number.
    private record FailingModel(StepModel fine, long failing) implements StepModel {
        @Override
        public StepOutcome run(Lane lane, Step step, long startNanos) {
            return step.number() == failing ? failed() : fine.run(lane, step, startNanos);
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
