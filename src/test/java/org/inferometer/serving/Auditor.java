package org.inferometer.serving;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.inferometer.scheduling.Decision;
import org.inferometer.scheduling.EngineView;
import org.inferometer.scheduling.KvPlan;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.LaneId;
import org.inferometer.scheduling.Limits;
import org.inferometer.scheduling.Outcome;
import org.inferometer.scheduling.Progress;
import org.inferometer.scheduling.Scheduler;
import org.inferometer.scheduling.Slice;
import org.inferometer.scheduling.Work;
import org.inferometer.workload.RequestId;

/// Keeps books of its own beside the ledger's and holds every decision of a scheduler against them.
public final class Auditor implements Scheduler {
    private final Scheduler audited;
    private final int blockTokens;
    private final int poolBlocks;
    private final Map<RequestId, Integer> computed = new HashMap<>();
    private final Map<RequestId, Integer> held = new HashMap<>();
    private final Map<LaneId, Set<RequestId>> inFlight = new HashMap<>();

    public Auditor(Scheduler audited, EngineSetup setup) {
        this.audited = audited;
        this.blockTokens = setup.pools().getFirst().blockTokens();
        this.poolBlocks = setup.pools().getFirst().blocks();
    }

    @Override
    public Decision decide(Lane lane, EngineView view) {
        assertThat(inFlight).doesNotContainKey(lane.id());
        Map<RequestId, Progress> alive = alive(view);
        computed.keySet().retainAll(alive.keySet());
        held.keySet().retainAll(alive.keySet());
        assertThat(view.running().stream().map(running -> running.request().id()))
                .containsExactlyInAnyOrderElementsOf(held.keySet());
        Decision decision = audited.decide(lane, view);
        switch (decision) {
            case Decision.Run(Work.Compute work, KvPlan plan, String reason) -> {
                assertThat(reason).isNotBlank();
                apply(plan, alive);
                work.slices().forEach(slice -> apply(lane, slice, alive));
                assertThat(work.usefulPositions() + work.paddingRows()).isLessThanOrEqualTo(view.limits().maxStepPositions());
                assertThat(work.slices()).hasSizeLessThanOrEqualTo(view.limits().maxBatchRows()).isNotEmpty();
            }
            case Decision.Run(Work.Move _, KvPlan _, String _) -> throw new AssertionError("no scheduler here moves");
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
    public void observe(Outcome outcome) {
        inFlight.remove(outcome.lane().id());
        audited.observe(outcome);
    }

    private static Map<RequestId, Progress> alive(EngineView view) {
        Map<RequestId, Progress> alive = new HashMap<>();
        Progress before = null;
        for (Progress progress : view.waiting()) {
            assertThat(before == null || before.isOlderThan(progress)).isTrue();
            alive.put(progress.request().id(), progress);
            before = progress;
        }
        assertThat(alive).hasSize(view.waitingCount());
        before = null;
        for (Progress progress : view.running()) {
            assertThat(before == null || before.isOlderThan(progress)).isTrue();
            assertThat(alive.put(progress.request().id(), progress)).isNull();
            before = progress;
        }
        return alive;
    }

    private void apply(KvPlan plan, Map<RequestId, Progress> alive) {
        for (RequestId id : plan.evicted()) {
            Progress evicted = alive.get(id);
            assertThat(isInFlight(id)).isFalse();
            assertThat(alive.values()).as("someone is older than evicted %s", id).anyMatch(other -> other.isOlderThan(evicted));
            assertThat(held.remove(id)).isPositive();
            computed.put(id, 0);
        }
        for (KvPlan.Reservation reservation : plan.reserved()) {
            assertThat(isInFlight(reservation.request())).isFalse();
            Integer before = held.put(reservation.request(), reservation.blocks());
            assertThat(before == null || before < reservation.blocks()).isTrue();
        }
        assertThat(held.values().stream().mapToInt(Integer::intValue).sum()).isLessThanOrEqualTo(poolBlocks);
    }

    private void apply(Lane lane, Slice slice, Map<RequestId, Progress> alive) {
        assertThat(isInFlight(slice.request())).as("%s in two lanes", slice.request()).isFalse();
        inFlight.computeIfAbsent(lane.id(), id -> new HashSet<>()).add(slice.request());
        assertThat(slice.from()).isEqualTo(computed.getOrDefault(slice.request(), 0));
        int until = slice.from() + slice.count();
        assertThat(until).isLessThanOrEqualTo(alive.get(slice.request()).known());
        assertThat(held.getOrDefault(slice.request(), 0) * blockTokens).isGreaterThanOrEqualTo(until);
        computed.put(slice.request(), until);
    }

    private boolean isInFlight(RequestId id) {
        return inFlight.values().stream().anyMatch(flight -> flight.contains(id));
    }
}
