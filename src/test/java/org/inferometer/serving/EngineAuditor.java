package org.inferometer.serving;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.inferometer.execution.Executor.KvGeometry;
import org.inferometer.scheduling.CompletedWork;
import org.inferometer.scheduling.Decision;
import org.inferometer.scheduling.EngineView;
import org.inferometer.scheduling.KvPlan;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.LaneId;
import org.inferometer.scheduling.Limits;
import org.inferometer.scheduling.PoolId;
import org.inferometer.scheduling.RequestProgress;
import org.inferometer.scheduling.Scheduler;
import org.inferometer.scheduling.Slice;
import org.inferometer.scheduling.Work;
import org.inferometer.workload.RequestId;

/// Keeps books of its own beside the ledger's and holds every decision of a scheduler against them.
///
/// Where prefixes are reused, blocks found in the cache may belong to several requests; only the others are counted against the
/// size of a pool then.
public final class EngineAuditor implements Scheduler {
    private final Scheduler audited;
    private final List<KvGeometry> pools;
    private final Map<RequestId, Integer> computed = new HashMap<>();
    private final Map<RequestId, Holding> held = new HashMap<>();
    private final Map<RequestId, Holding> arriving = new HashMap<>();
    private final Map<LaneId, Set<RequestId>> inFlight = new HashMap<>();

    /// What a request holds in a pool.
    private record Holding(PoolId pool, int blocks, int cachedBlocks) {}

    public EngineAuditor(Scheduler audited, EngineSetup setup) {
        this.audited = audited;
        this.pools = setup.pools();
    }

    @Override
    public Decision decide(Lane lane, EngineView view) {
        assertThat(inFlight).doesNotContainKey(lane.id());
        Map<RequestId, RequestProgress> alive = alive(view);
        computed.keySet().retainAll(alive.keySet());
        held.keySet().retainAll(alive.keySet());
        arriving.keySet().retainAll(alive.keySet());
        assertThat(view.running().stream().map(running -> running.request().id()))
                .containsExactlyInAnyOrderElementsOf(held.keySet());
        view.running().forEach(this::assertBooksAgree);
        Decision decision = audited.decide(lane, view);
        switch (decision) {
            case Decision.Run(Work.Compute work, KvPlan plan, String reason) -> {
                assertThat(reason).isNotBlank();
                apply(plan, alive);
                work.slices().forEach(slice -> apply(lane, slice, alive));
                assertThat(work.slices().stream().mapToInt(Slice::count).sum() + work.paddingRows())
                        .isLessThanOrEqualTo(view.limits().maxStepPositions());
                assertThat(work.slices()).hasSizeLessThanOrEqualTo(view.limits().maxBatchRows()).isNotEmpty();
            }
            case Decision.Run(Work.Transfer move, KvPlan plan, String reason) -> {
                assertThat(reason).isNotBlank();
                apply(lane, move, plan, alive);
            }
            case Decision.Evict(KvPlan plan, String _) -> apply(plan, alive);
            case Decision.WaitUntil(long nanos) -> assertThat(nanos).isGreaterThan(view.nowNanos());
            case Decision.Idle() -> {}
        }
        return decision;
    }

    @Override
    public List<String> faults(Limits limits, int promptTokens, int totalPositions) {
        return audited.faults(limits, promptTokens, totalPositions);
    }

    @Override
    public boolean reusesPrefixes() {
        return audited.reusesPrefixes();
    }

    @Override
    public void observe(CompletedWork outcome) {
        inFlight.remove(outcome.lane().id());
        if (outcome.work() instanceof Work.Transfer move) {
            Holding arrived = arriving.remove(move.request());
            if (arrived != null) {
                held.put(move.request(), arrived);
            }
        }
        audited.observe(outcome);
    }

    private static Map<RequestId, RequestProgress> alive(EngineView view) {
        Map<RequestId, RequestProgress> alive = new HashMap<>();
        RequestProgress before = null;
        for (RequestProgress progress : view.waiting()) {
            assertThat(before == null || before.isOlderThan(progress)).isTrue();
            alive.put(progress.request().id(), progress);
            before = progress;
        }
        assertThat(alive).hasSize(view.waitingCount());
        before = null;
        for (RequestProgress progress : view.running()) {
            assertThat(before == null || before.isOlderThan(progress)).isTrue();
            assertThat(alive.put(progress.request().id(), progress)).isNull();
            before = progress;
        }
        return alive;
    }

    private void assertBooksAgree(RequestProgress progress) {
        RequestId id = progress.request().id();
        Holding holding = held.get(id);
        assertThat(progress.pool()).isEqualTo(holding.pool());
        assertThat(progress.computed()).isEqualTo(computed.getOrDefault(id, 0));
        assertThat(progress.inFlight()).isEqualTo(isInFlight(id));
        assertThat(progress.computed()).isLessThanOrEqualTo(progress.known());
    }

    private void apply(KvPlan plan, Map<RequestId, RequestProgress> alive) {
        evict(plan, alive);
        for (KvPlan.Allocation reservation : plan.allocations()) {
            RequestId id = reservation.request();
            assertThat(isInFlight(id)).isFalse();
            Holding before = held.get(id);
            int cachedBlocks = reservation.cachedBlocks();
            if (before == null) {
                int cachedPositions = cachedBlocks * blockTokens(plan.pool());
                assertThat(cachedPositions).isLessThan(alive.get(id).known());
                computed.put(id, cachedPositions);
            } else {
                assertThat(before.blocks()).isLessThan(reservation.blocks());
                assertThat(before.pool()).isEqualTo(plan.pool());
                assertThat(cachedBlocks).isZero();
                cachedBlocks = before.cachedBlocks();
            }
            held.put(id, new Holding(plan.pool(), reservation.blocks(), cachedBlocks));
        }
        assertNotOver(plan.pool());
    }

    private void apply(Lane lane, Work.Transfer move, KvPlan plan, Map<RequestId, RequestProgress> alive) {
        evict(plan, alive);
        RequestId id = move.request();
        assertThat(lane.role()).isEqualTo(Lane.Role.TRANSFER);
        assertThat(isInFlight(id)).as("%s moves while in flight", id).isFalse();
        assertThat(plan.allocations()).singleElement().extracting(KvPlan.Allocation::request).isEqualTo(id);
        int blocks = plan.allocations().getFirst().blocks();
        assertThat(held.get(id).pool()).isEqualTo(move.from()).isNotEqualTo(move.to());
        assertThat(blocks * blockTokens(move.to())).isGreaterThanOrEqualTo(computed.get(id));
        inFlight.computeIfAbsent(lane.id(), lanes -> new HashSet<>()).add(id);
        arriving.put(id, new Holding(move.to(), blocks, 0));
        assertNotOver(move.to());
    }

    private void evict(KvPlan plan, Map<RequestId, RequestProgress> alive) {
        for (RequestId id : plan.evicted()) {
            RequestProgress evicted = alive.get(id);
            assertThat(isInFlight(id)).isFalse();
            assertThat(alive.values()).as("someone is older than evicted %s", id)
                    .anyMatch(other -> other.isOlderThan(evicted));
            assertThat(held.remove(id)).extracting(Holding::pool).isEqualTo(plan.pool());
            computed.put(id, 0);
        }
    }

    private void assertNotOver(PoolId pool) {
        int blocks = 0;
        for (Map<RequestId, Holding> holdings : List.of(held, arriving)) {
            for (Holding holding : holdings.values()) {
                blocks += holding.pool().equals(pool) ? holding.blocks() - holding.cachedBlocks() : 0;
            }
        }
        assertThat(blocks).isLessThanOrEqualTo(pools.get(pool.index()).blocks());
    }

    private void apply(Lane lane, Slice slice, Map<RequestId, RequestProgress> alive) {
        assertThat(isInFlight(slice.request())).as("%s in two lanes", slice.request()).isFalse();
        inFlight.computeIfAbsent(lane.id(), id -> new HashSet<>()).add(slice.request());
        assertThat(slice.from()).isEqualTo(computed.getOrDefault(slice.request(), 0));
        int until = slice.from() + slice.count();
        assertThat(until).isLessThanOrEqualTo(alive.get(slice.request()).known());
        Holding holding = held.get(slice.request());
        assertThat(holding.pool()).isEqualTo(lane.pool());
        assertThat(holding.blocks() * blockTokens(lane.pool())).isGreaterThanOrEqualTo(until);
        computed.put(slice.request(), until);
    }

    private int blockTokens(PoolId pool) {
        return pools.get(pool.index()).blockTokens();
    }

    private boolean isInFlight(RequestId id) {
        return inFlight.values().stream().anyMatch(flight -> flight.contains(id));
    }
}
