package org.inferometer.scheduling;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Selects the requests whose keys and values fit the pool, with the policies of what TensorRT-LLM calls the capacity
/// scheduler.
///
/// Blocks are counted in a simulation; the step reserves them. Only evictions go into the reservation.
/// Differences from the original:
/// - A request's last token is never fed back, so no block is kept for it.
/// - The original lets a request that does not fit evict itself. Here only an older request evicts a younger one. A
///   request without a victim keeps its blocks and waits, so the oldest always progresses.
/// - A batch of `static_batch` is in progress until its last context and generation have ended.
/// - Age is the arrival, also after a preemption. A request in flight on another lane is never evicted.
final class CapacitySelector {
    private static final String BATCH_FULL = "batch full";
    private static final String POOL_FULL = "KV pool full";

    private final CapacityPolicy policy;
    private final int stepsAhead;
    private List<RequestProgress> fitting = List.of();
    private List<RequestProgress> running = List.of();
    private String limit = "";

    /// @param twoSteps whether `MAX_UTILIZATION` counts a generation's blocks of two steps; only those of the next step are reserved
    CapacitySelector(CapacityPolicy policy, boolean twoSteps) {
        this.policy = policy;
        this.stepsAhead = twoSteps ? 1 : 0;
    }

    /// The requests that fit the pool, in the order in which they may enter the step, including those in flight.
    List<RequestProgress> fitting(PoolId pool, EngineView view, KvReservation kv, int maxRequests) {
        // New lists: storing references in long-lived ones costs a GC write barrier each.
        fitting = new ArrayList<>(view.running().size() + 16);
        running = new ArrayList<>(policy == CapacityPolicy.MAX_UTILIZATION ? view.running().size() : 16);
        limit = "all requests fit";
        switch (policy) {
            case GUARANTEED_NO_EVICT, STATIC_BATCH -> withoutEviction(pool, view, kv, maxRequests);
            case MAX_UTILIZATION -> atMostUse(pool, view, kv, maxRequests);
        }
        return fitting;
    }

    /// Why the last selection ended.
    String limit() {
        return limit;
    }

    /// Generations first, then contexts, then waiting requests, each with all the blocks that it needs to finish. The
    /// first that does not fit ends the selection.
    private void withoutEviction(PoolId pool, EngineView view, KvReservation kv, int maxRequests) {
        List<RequestProgress> contexts = running;
        List<RequestProgress> all = view.running();
        for (int i = 0; i < all.size(); i++) {
            RequestProgress progress = all.get(i);
            if (progress.pool().equals(pool)) {
                (progress.inContext() ? contexts : fitting).add(progress);
            }
        }
        fitting.addAll(contexts);
        if (policy == CapacityPolicy.STATIC_BATCH && !fitting.isEmpty()) {
            limit = "batch in progress";
        } else if (view.waitingCount() > 0 && fitting.size() >= maxRequests) {
            limit = BATCH_FULL;
        } else if (view.waitingCount() > 0) {
            letIn(view, kv, maxRequests);
        }
    }

    private void letIn(EngineView view, KvReservation kv, int maxRequests) {
        int blockTokens = kv.blockTokens();
        // Running requests may grow to their end, so their full size is subtracted.
        int free = kv.totalBlocks();
        for (int i = 0; i < fitting.size(); i++) {
            free -= Math.ceilDiv(fitting.get(i).request().totalPositions(), blockTokens);
        }
        for (RequestProgress progress : view.waiting()) {
            int needed = Math.ceilDiv(progress.request().totalPositions(), blockTokens);
            if (fitting.size() >= maxRequests || needed > free) {
                limit = needed > free ? POOL_FULL : BATCH_FULL;
                return;
            }
            free -= needed;
            fitting.add(progress);
        }
    }

    /// All requests by age with the blocks of the next step; a first chunk takes the blocks of its whole context.
    private void atMostUse(PoolId pool, EngineView view, KvReservation kv, int maxRequests) {
        List<RequestProgress> all = view.running();
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).pool().equals(pool)) {
                running.add(all.get(i));
            }
        }
        Iterator<RequestProgress> waiting = view.waiting().iterator();
        int free = kv.freeBlocks();
        int turn = 0;
        RequestProgress nextWaiting = waiting.hasNext() ? waiting.next() : null;
        while (true) {
            RequestProgress nextRunning = turn < running.size() ? running.get(turn) : null;
            RequestProgress tried = older(nextRunning, nextWaiting);
            if (tried == null) {
                return;
            }
            if (fitting.size() >= maxRequests) {
                limit = BATCH_FULL;
                return;
            }
            boolean isRunning = tried == nextRunning;
            int needed = isRunning ? furtherBlocks(tried, kv) : Math.ceilDiv(tried.known(), kv.blockTokens());
            while (needed > free) {
                limit = POOL_FULL;
                int victim = youngestEvictable(isRunning ? turn + 1 : turn);
                if (victim < 0) {
                    return;
                }
                RequestProgress evicted = running.remove(victim);
                free += kv.heldBlocks(evicted);
                kv.evict(evicted);
            }
            free -= needed;
            fitting.add(tried);
            if (isRunning) {
                turn++;
            } else {
                nextWaiting = waiting.hasNext() ? waiting.next() : null;
            }
        }
    }

    private int furtherBlocks(RequestProgress progress, KvReservation kv) {
        // A pool look-up per row would cost more than the rest of the loop.
        if (stepsAhead == 0 && (progress.pending() == 0 || progress.fillsBegunBlock(kv.blockTokens()))) {
            return 0;
        }
        int positions = progress.inContext() ? progress.known()
                : Math.min(progress.known() + stepsAhead, progress.request().totalPositions());
        return Math.max(0, Math.ceilDiv(positions, kv.blockTokens()) - kv.heldBlocks(progress));
    }

    private static @Nullable RequestProgress older(@Nullable RequestProgress a, @Nullable RequestProgress b) {
        if (a == null || b == null) {
            return a == null ? b : a;
        }
        return a.isOlderThan(b) ? a : b;
    }

    private int youngestEvictable(int from) {
        for (int i = running.size() - 1; i >= from; i--) {
            if (!running.get(i).inFlight()) {
                return i;
            }
        }
        return -1;
    }
}
