package org.inferometer.scheduling;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// Collects padded batches and runs them one after the other on each lane: what `naive` and `dynamic` have in common.
///
/// A batch reserves at once all blocks that its members can need, so none of them ever loses any. It ends early where the pool is
/// full: a batch is then smaller than asked.
final class PaddedBatching {
    private final Map<LaneId, PaddedBatch> batches = new HashMap<>();

    /// Until when a batch is collected.
    ///
    /// @param words what has happened when that instant has come: "0.5 s since the first came"
    record Deadline(long nanos, String words) {}

    /// A duration as people write it: "0.5 s".
    static String words(double seconds) {
        return BigDecimal.valueOf(seconds).stripTrailingZeros().toPlainString() + " s";
    }

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
        return Optional.of(batch.step(left, view.limits(), view.reserveKv(lane.pool()), "the batch runs to its end"));
    }

    /// Starts a batch of the oldest requests that wait, once it is full, its time is up, or nothing more can come.
    ///
    /// @param deadline until when to wait for more, given the oldest
    Decision collect(Lane lane, EngineView view, int size, Function<Progress, Deadline> deadline) {
        int rows = Math.min(size, Math.min(view.limits().maxBatchRows(), view.limits().maxStepPositions()));
        KvReservation kv = view.reserveKv(lane.pool());
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
        Deadline until = deadline.apply(members.getFirst());
        String why;
        if (members.size() == rows) {
            why = "batch full";
        } else if (poolIsFull) {
            why = "pool full";
        } else if (until.nanos() <= view.nowNanos()) {
            why = until.words();
        } else if (view.arrivalsEnded()) {
            why = "no more will come";
        } else {
            return new Decision.WaitUntil(until.nanos());
        }
        PaddedBatch batch = new PaddedBatch(members);
        batches.put(lane.id(), batch);
        return batch.step(members, view.limits(), kv, why);
    }
}
