package org.inferometer.scheduling;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;

/// Collects padded batches and runs them one after the other on each lane: what `naive` and `dynamic` have in common.
///
/// A batch reserves at once all blocks that its members can need, so none of them ever loses any. It ends early where the pool is
/// full: a batch is then smaller than asked.
final class PaddedBatching {
    private final Map<LaneId, PaddedBatch> batches = new HashMap<>();

    /// The next step of the lane's batch; empty when it has none or its last member has ended.
    Optional<Decision> goOn(Lane lane, EngineView view) {
        PaddedBatch batch = batches.get(lane.id());
        if (batch == null) {
            return Optional.empty();
        }
        List<Progress> left = PaddedBatch.left(lane, view);
        if (left.isEmpty()) {
            batches.remove(lane.id());
            return Optional.empty();
        }
        return Optional.of(batch.step(left, view.limits(), view.tryKv(lane.pool())));
    }

    /// Starts a batch of the oldest requests that wait, once it is full, its time is up, or nothing more can come.
    ///
    /// @param deadline the instant until which to wait for more, given the oldest
    Decision collect(Lane lane, EngineView view, int size, ToLongFunction<Progress> deadline) {
        int rows = Math.min(size, Math.min(view.limits().maxBatchRows(), view.limits().maxStepPositions()));
        KvTrial kv = view.tryKv(lane.pool());
        List<Progress> members = new ArrayList<>();
        boolean poolIsFull = false;
        for (Progress progress : view.waiting()) {
            if (members.size() == rows) {
                break;
            }
            if (!kv.reserve(progress, progress.request().totalPositions())) {
                poolIsFull = true;
                break;
            }
            members.add(progress);
        }
        if (members.isEmpty()) {
            return new Decision.Idle();
        }
        long untilNanos = deadline.applyAsLong(members.getFirst());
        if (members.size() < rows && !poolIsFull && !view.arrivalsEnded() && untilNanos > view.nowNanos()) {
            return new Decision.WaitUntil(untilNanos);
        }
        PaddedBatch batch = new PaddedBatch(members);
        batches.put(lane.id(), batch);
        return batch.step(members, view.limits(), kv);
    }
}
