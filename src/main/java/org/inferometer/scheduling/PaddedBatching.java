package org.inferometer.scheduling;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// Collects padded batches and runs them one after the other on each lane, for `naive` and `dynamic`.
///
/// A batch reserves all blocks that its members can need, so there is no preemption. It is smaller than requested if the
/// pool is full.
final class PaddedBatching {
    private final Map<LaneId, PaddedBatch> batches = new HashMap<>();

    /// The end of the collection of a batch.
    ///
    /// @param reason why the batch starts then: "0.5 s since the first arrival"
    record CollectionDeadline(long nanos, String reason) {}

    /// A duration as text: "0.5 s".
    static String seconds(double seconds) {
        return BigDecimal.valueOf(seconds).stripTrailingZeros().toPlainString() + " s";
    }

    /// The next step of the lane's batch; empty if it has none or its last member has ended.
    Optional<Decision> nextStep(Lane lane, EngineView view) {
        PaddedBatch batch = batches.get(lane.id());
        if (batch == null) {
            return Optional.empty();
        }
        List<RequestProgress> left = PaddedBatch.left(lane, view);
        if (left.isEmpty()) {
            batches.remove(lane.id());
            return Optional.empty();
        }
        return Optional.of(batch.step(left, view.limits(), view.reserveKv(lane.pool()), "batch in progress"));
    }

    /// Starts a batch of the oldest waiting requests once it is full, its deadline has passed, or no further request can arrive.
    ///
    /// @param deadline end of the collection, given the oldest request
    Decision collect(Lane lane, EngineView view, int size, Function<RequestProgress, CollectionDeadline> deadline) {
        int rows = Math.min(size, Math.min(view.limits().maxBatchRows(), view.limits().maxStepPositions()));
        KvReservation kv = view.reserveKv(lane.pool());
        List<RequestProgress> members = new ArrayList<>();
        boolean poolIsFull = false;
        for (RequestProgress progress : view.waiting()) {
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
        CollectionDeadline until = deadline.apply(members.getFirst());
        String why;
        if (members.size() == rows) {
            why = "batch full";
        } else if (poolIsFull) {
            why = "KV pool full";
        } else if (until.nanos() <= view.nowNanos()) {
            why = until.reason();
        } else if (view.arrivalsEnded()) {
            why = "no further arrivals";
        } else {
            return new Decision.WaitUntil(until.nanos());
        }
        PaddedBatch batch = new PaddedBatch(members);
        batches.put(lane.id(), batch);
        return batch.step(members, view.limits(), kv, why);
    }
}
