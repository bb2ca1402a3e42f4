package org.inferometer.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.inferometer.serving.TestRequests.request;

import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.inferometer.options.Selection;
import org.inferometer.record.RequestStatus;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.Limits;
import org.inferometer.workload.Arrival;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestId;
import org.inferometer.workload.Sampling;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Gives each request up at every instant at which anything happens, and closes the engine at each of them.
class CancellationTest {
    private static final Limits LIMITS = new Limits(4, 8, 100);

    /// The last begins as the first does.
    private static final List<Request> REQUESTS =
            List.of(request(0, 4, 4), request(1, 3, 5), request(2, 6, 1), request(3, 1, 6), request(4, 2, 2),
                    new Request(new RequestId(5), new int[]{0, 1, 2, 9}, 2, new Arrival.At(0), Sampling.GREEDY));

    /// Options that matter here, and every other scheduler of the registry as it comes.
    static Stream<String> schedulers() {
        List<String> chosen = List.of("naive:batch_timeout=0.000001", "dynamic:batch_timeout=0.000001,min_batch_size=1",
                "simple", "simple:capacity=static_batch,chunking=equal_progress",
                "simple:capacity=max_utilization,chunking=first_come_first_served", "mover:reuse=true,chunk=3");
        return Stream.concat(chosen.stream(), RandomSchedulers.REGISTRY.names().stream()
                .filter(name -> chosen.stream().noneMatch(other -> Selection.parse(other).name().equals(name))));
    }

    @ParameterizedTest
    @MethodSource("schedulers")
    void whoeverIsGivenUpAtAnyMomentEndsOnceAndDisturbsNobody(String scheduler) throws Exception {
        EventJournal undisturbed = new EventJournal();
        run(scheduler, undisturbed, -1, -1, -1);
        assertThat(undisturbed.ends.values()).hasSize(REQUESTS.size()).containsOnly(RequestStatus.OK);
        TreeSet<Long> instants = new TreeSet<>(undisturbed.endNanos.values());
        undisturbed.steps
                .forEach(step -> instants.addAll(List.of(step.startNanos(), step.startNanos() + 1, step.endNanos())));

        for (long nanos : instants) {
            for (Request cancelled : REQUESTS) {
                EventJournal journal = new EventJournal();
                VirtualEngine engine = run(scheduler, journal, cancelled.id().index(), nanos, -1);
                for (Request request : REQUESTS) {
                    List<Integer> right = PrefixCacheModel.answer(request);
                    List<Integer> got = journal.tokens.getOrDefault(request.id().index(), List.of());
                    if (journal.ends.get(request.id().index()) == RequestStatus.OK) {
                        assertThat(got).isEqualTo(right);
                    } else {
                        assertThat(request).isEqualTo(cancelled);
                        assertThat(journal.ends).containsEntry(request.id().index(), RequestStatus.CANCELLED);
                        assertThat(journal.endNanos).containsEntry(request.id().index(), nanos);
                        assertThat(right.subList(0, got.size())).isEqualTo(got);
                    }
                }
                assertClean(engine, journal);
            }
            EventJournal journal = new EventJournal();
            VirtualEngine closed = run(scheduler, journal, -1, -1, nanos);
            assertThat(journal.ends).hasSize(REQUESTS.size());
            assertThat(journal.ends.values()).isSubsetOf(RequestStatus.OK, RequestStatus.CANCELLED);
            assertClean(closed, journal);
        }
    }

    private static void assertClean(VirtualEngine engine, EventJournal journal) {
        assertThat(journal.faults).isEmpty();
        assertThat(journal.failures).isEmpty();
        assertThat(engine.core().liveRequests()).isZero();
        engine.setup().pools().forEach(pool -> assertThat(engine.core().heldBlocks(pool.pool())).isZero());
        assertThat(engine.core().hasStepsInFlight()).isFalse();
    }

    private static VirtualEngine run(String scheduler, EventJournal journal, int cancelled, long cancelNanos,
            long closeNanos) throws Exception {
        Selection selection = Selection.parse(scheduler);
        LaneLayout layout = RandomSchedulers.REGISTRY.find(selection.name()).layout(selection, 2);
        EngineSetup setup = new RandomLoad(2, 2, 6 * layout.poolShares().size(), LIMITS, List.of()).setup(layout);
        PrefixCacheModel model = new PrefixCacheModel(setup.pools(), 1_000, 100, 1_000);
        ReservationAuditor watch = new ReservationAuditor(RandomSchedulers.create(selection), model);
        VirtualEngine engine = new VirtualEngine(setup, new EngineAuditor(watch, setup), watch, journal, journal);
        watch.watch(setup, engine.core());
        REQUESTS.forEach(request -> engine.sendAt(request.id().index() * 700L, request));
        if (cancelNanos >= 0) {
            engine.cancelAt(cancelNanos, new RequestId(cancelled));
        }
        if (closeNanos >= 0) {
            engine.closeAt(closeNanos);
        }
        engine.run();
        return engine;
    }
}
