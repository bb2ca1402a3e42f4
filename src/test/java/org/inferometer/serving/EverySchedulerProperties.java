package org.inferometer.serving;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.StepOutcome;
import org.inferometer.options.OptionException;
import org.inferometer.options.Selection;
import org.inferometer.scheduling.Limits;
import org.inferometer.scheduling.Scheduler;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestId;

/// What must hold for every scheduler under any load, in virtual time.
class EverySchedulerProperties {
    private static final List<String> VARIANTS = Stream.concat(
                    SchedulerRegistry.standard().names().stream(),
                    Stream.of(
                            "naive:batch_size=2,batch_timeout=0",
                            "dynamic:batch_size=1,min_batch_size=1,latency_slo=0.00002,memory_threshold=0.5",
                            "simple:capacity=static_batch",
                            "simple:capacity=max_utilization",
                            "simple:chunking=first_come_first_served",
                            "simple:chunking=equal_progress,chunk_unit=3",
                            "simple:capacity=max_utilization,chunking=first_come_first_served,chunk_unit=2",
                            "simple:capacity=max_utilization,chunking=equal_progress",
                            "simple:capacity=static_batch,chunking=equal_progress",
                            "simple:max_batch_size=2,max_num_tokens=9",
                            "continuous:max_num_seqs=3,max_num_batched_tokens=5",
                            "continuous:chunked=false"))
            .toList();

    /// @param cancelNanos when it is given up, after its arrival; negative for never
    record Ask(int promptTokens, int outputTokens, long gapNanos, long cancelNanos) {}

    record Load(int lanes, int blockTokens, int blocks, Limits limits, List<Ask> asks) {
        EngineSetup setup() {
            return Loads.setup(lanes, blockTokens, blocks, limits);
        }

        List<Request> requests() {
            List<Request> requests = new ArrayList<>();
            for (int i = 0; i < asks.size(); i++) {
                requests.add(Loads.request(i, asks.get(i).promptTokens(), asks.get(i).outputTokens()));
            }
            return requests;
        }

        /// Every position of every request once for each request that could evict it, and the same again for slack.
        long mostSteps() {
            long positions = asks.stream().mapToLong(ask -> ask.promptTokens() + ask.outputTokens()).sum();
            return 2 * (positions + 1) * (asks.size() + 1);
        }
    }

    @Provide
    Arbitrary<Load> loads() {
        Arbitrary<Long> gaps = Arbitraries.oneOf(
                Arbitraries.just(0L), Arbitraries.longs().between(0, 200_000), Arbitraries.longs().between(0, 2_000_000_000));
        Arbitrary<Long> cancels = Arbitraries.frequencyOf(
                net.jqwik.api.Tuple.of(6, Arbitraries.just(-1L)), net.jqwik.api.Tuple.of(1, Arbitraries.longs().between(0, 400_000)));
        Arbitrary<Ask> asks = Combinators.combine(
                        Arbitraries.integers().between(1, 30), Arbitraries.integers().between(1, 12), gaps, cancels)
                .as(Ask::new);
        Arbitrary<Limits> limits = Combinators.combine(
                        Arbitraries.integers().between(1, 8), Arbitraries.integers().between(1, 48), Arbitraries.integers().between(16, 64))
                .as(Limits::new);
        return Combinators.combine(
                        Arbitraries.integers().between(1, 3),
                        Arbitraries.integers().between(1, 8),
                        Arbitraries.integers().between(1, 40),
                        limits,
                        asks.list().ofMaxSize(24))
                .as(Load::new);
    }

    @Property(tries = 400)
    void nothingIsLostOrDoneTwiceAndEveryAnswerIsRight(@ForAll("loads") Load load) throws Exception {
        for (String variant : VARIANTS) {
            Journal journal = new Journal();
            VirtualEngine engine = run(variant, load, journal, model(load));
            assertThat(journal.failures).as(variant).isEmpty();
            assertThat(journal.faults).as(variant).isEmpty();
            assertThat(engine.core().liveRequests()).as(variant).isZero();
            assertThat(engine.core().heldBlocks(Loads.POOL)).as(variant).isZero();
            Scheduler asked = scheduler(variant);
            for (Request request : load.requests()) {
                RequestStatus status = journal.ends.get(request.id().index());
                boolean neverFits = neverFits(load, request, asked);
                List<Integer> got = journal.tokens.getOrDefault(request.id().index(), List.of());
                List<Integer> right = CacheModel.answer(request);
                if (neverFits) {
                    assertThat(status).as(variant).isEqualTo(RequestStatus.REFUSED);
                    assertThat(got).isEmpty();
                } else if (load.asks().get(request.id().index()).cancelNanos() < 0) {
                    assertThat(status).as(variant).isEqualTo(RequestStatus.OK);
                    assertThat(got).as(variant).isEqualTo(right);
                } else {
                    assertThat(status).as(variant).isIn(RequestStatus.OK, RequestStatus.CANCELLED);
                    assertThat(right.subList(0, got.size())).as(variant).isEqualTo(got);
                }
            }
        }
    }

    @Property(tries = 100)
    void equalLoadsGiveEqualDecisionLogs(@ForAll("loads") Load load) throws Exception {
        for (String variant : VARIANTS) {
            Journal first = new Journal();
            Journal second = new Journal();
            run(variant, load, first, model(load));
            run(variant, load, second, model(load));
            assertThat(first.decisionLog()).as(variant).isEqualTo(second.decisionLog());
            assertThat(first.endNanos).as(variant).isEqualTo(second.endNanos);
            assertThat(first.preemptions).as(variant).isEqualTo(second.preemptions);
        }
    }

    @Property(tries = 100)
    void aFailingStepEndsEveryRequestAndReturnsEveryBlock(@ForAll("loads") Load load, @ForAll("steps") long failingStep) throws Exception {
        for (String variant : VARIANTS) {
            Journal journal = new Journal();
            StepModel fine = model(load);
            StepModel failing = (lane, step, start) -> step.number() == failingStep
                    ? new StepOutcome.Failed(new ExecutorException("The device is gone."))
                    : fine.run(lane, step, start);
            VirtualEngine engine = run(variant, load, journal, failing);
            assertThat(journal.faults).as(variant).isEmpty();
            assertThat(journal.failures).as(variant).isIn(List.of(), List.of("The device is gone."));
            assertThat(journal.ends).as(variant).hasSize(load.asks().size());
            assertThat(engine.core().liveRequests()).as(variant).isZero();
            assertThat(engine.core().heldBlocks(Loads.POOL)).as(variant).isZero();
        }
    }

    @Provide
    Arbitrary<Long> steps() {
        return Arbitraries.longs().between(0, 60);
    }

    private static boolean neverFits(Load load, Request request, Scheduler asked) {
        return request.totalPositions() > load.limits().maxSequencePositions()
                || request.totalPositions() > load.blocks() * load.blockTokens()
                || !asked.faults(load.limits(), request.promptTokens().length, request.totalPositions()).isEmpty();
    }

    private static StepModel model(Load load) {
        return new CacheModel(Loads.pool(load.blockTokens(), load.blocks()), 1_000, 100, load.mostSteps());
    }

    private static VirtualEngine run(String variant, Load load, Journal journal, StepModel model) throws OptionException {
        EngineSetup setup = load.setup();
        VirtualEngine engine = new VirtualEngine(setup, new Auditor(scheduler(variant), setup), model, journal, journal);
        long nanos = 0;
        for (Request request : load.requests()) {
            Ask ask = load.asks().get(request.id().index());
            nanos += ask.gapNanos();
            engine.sendAt(nanos, request);
            if (ask.cancelNanos() >= 0) {
                engine.cancelAt(nanos + ask.cancelNanos(), new RequestId(request.id().index()));
            }
        }
        engine.run();
        return engine;
    }

    private static Scheduler scheduler(String variant) throws OptionException {
        return SchedulerRegistry.standard().create(Selection.parse(variant));
    }
}
