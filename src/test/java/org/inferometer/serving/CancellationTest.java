package org.inferometer.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.inferometer.serving.Loads.request;

import java.util.List;
import java.util.TreeSet;
import org.inferometer.options.Selection;
import org.inferometer.scheduling.Limits;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Gives each request up at every instant at which anything happens, and closes the engine at each of them.
class CancellationTest {
    private static final List<Request> REQUESTS =
            List.of(request(0, 4, 4), request(1, 3, 5), request(2, 6, 1), request(3, 1, 6), request(4, 2, 2));
    private static final Limits LIMITS = new Limits(4, 8, 100);
    private static final EngineSetup TIGHT = Loads.setup(2, 2, 6, LIMITS);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "naive:batch_timeout=0.000001",
                "dynamic:batch_timeout=0.000001,min_batch_size=1",
                "simple",
                "simple:capacity=static_batch,chunking=equal_progress",
                "simple:capacity=max_utilization,chunking=first_come_first_served",
                "continuous"
            })
    void whoeverIsGivenUpAtAnyMomentEndsOnceAndDisturbsNobody(String scheduler) throws Exception {
        Journal undisturbed = new Journal();
        run(scheduler, undisturbed, -1, -1, -1);
        assertThat(undisturbed.ends.values()).hasSize(REQUESTS.size()).containsOnly(RequestStatus.OK);
        TreeSet<Long> instants = new TreeSet<>(undisturbed.endNanos.values());
        undisturbed.steps.forEach(step -> instants.addAll(List.of(step.startNanos(), step.startNanos() + 1, step.endNanos())));

        for (long nanos : instants) {
            for (Request cancelled : REQUESTS) {
                Journal journal = new Journal();
                VirtualEngine engine = run(scheduler, journal, cancelled.id().index(), nanos, -1);
                for (Request request : REQUESTS) {
                    List<Integer> right = CacheModel.answer(request);
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
            Journal journal = new Journal();
            VirtualEngine closed = run(scheduler, journal, -1, -1, nanos);
            assertThat(journal.ends).hasSize(REQUESTS.size());
            assertThat(journal.ends.values()).isSubsetOf(RequestStatus.OK, RequestStatus.CANCELLED);
            assertClean(closed, journal);
        }
    }

    private static void assertClean(VirtualEngine engine, Journal journal) {
        assertThat(journal.faults).isEmpty();
        assertThat(journal.failures).isEmpty();
        assertThat(engine.core().liveRequests()).isZero();
        assertThat(engine.core().heldBlocks(Loads.POOL)).isZero();
        assertThat(engine.core().isFlying()).isFalse();
    }

    private static VirtualEngine run(String scheduler, Journal journal, int cancelled, long cancelNanos, long closeNanos) throws Exception {
        Auditor auditor = new Auditor(SchedulerRegistry.standard().create(Selection.parse(scheduler)), TIGHT);
        CacheModel model = new CacheModel(TIGHT.pools().getFirst(), 1_000, 100, 1_000);
        VirtualEngine engine = new VirtualEngine(TIGHT, auditor, model, journal, journal);
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
