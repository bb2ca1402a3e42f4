package org.inferometer.scheduling;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Chooses the requests whose keys and values fit the pool, after the policies of TensorRT-LLM's capacity scheduler.
///
/// Blocks are counted in a simulation; what is really reserved is decided with the step. Only evictions are put into the trial.
/// Where it differs from the original:
/// - A request's last token is never fed back, so no block is kept for it.
/// - The original lets a request that does not fit evict itself. Here only an older request evicts a younger one: a request
///   without a victim keeps what it has and waits, so the oldest always moves on.
/// - A batch of `static_batch` counts as in progress until its last context and generation have ended.
/// - Age is the arrival, also for a request that was evicted; one in flight on another lane is never evicted.
final class CapacityScheduler {
    private static final String BATCH_FULL = "batch full";
    private static final String POOL_FULL = "pool full";

    private final CapacityPolicy policy;
    private List<Progress> fitting = List.of();
    private List<Progress> running = List.of();
    private String limit = "";

    CapacityScheduler(CapacityPolicy policy) {
        this.policy = policy;
    }

    /// The requests that fit the pool, in the order in which they may enter the step; those in flight are among them.
    List<Progress> fitting(PoolId pool, EngineView view, KvReservation kv, int maxRequests) {
        // Young lists: in old ones each element would cost the collector's barrier.
        fitting = new ArrayList<>(view.running().size() + 16);
        running = new ArrayList<>(policy == CapacityPolicy.MAX_UTILIZATION ? view.running().size() : 16);
        limit = "all that came fit";
        switch (policy) {
            case GUARANTEED_NO_EVICT, STATIC_BATCH -> withoutEviction(pool, view, kv, maxRequests);
            case MAX_UTILIZATION -> atMostUse(pool, view, kv, maxRequests);
        }
        return fitting;
    }

    /// What ended the last walk, in words.
    String limit() {
        return limit;
    }

    /// Generations first, then contexts, each with all the blocks it needs to finish; the first that does not fit ends the walk.
    private void withoutEviction(PoolId pool, EngineView view, KvReservation kv, int maxRequests) {
        List<Progress> contexts = running;
        List<Progress> all = view.running();
        for (int i = 0; i < all.size(); i++) {
            Progress progress = all.get(i);
            if (progress.pool().equals(pool)) {
                (progress.inContext() ? contexts : fitting).add(progress);
            }
        }
        fitting.addAll(contexts);
        if (policy == CapacityPolicy.STATIC_BATCH && !fitting.isEmpty()) {
            limit = "the batch runs to its end";
        } else if (view.waitingCount() > 0 && fitting.size() >= maxRequests) {
            limit = BATCH_FULL;
        } else if (view.waitingCount() > 0) {
            letIn(view, kv, maxRequests);
        }
    }

    private void letIn(EngineView view, KvReservation kv, int maxRequests) {
        int blockTokens = kv.blockTokens();
        // Who runs may grow to its end, whatever it holds now: what is left is the pool without all of that.
        int free = kv.totalBlocks();
        for (int i = 0; i < fitting.size(); i++) {
            free -= Math.ceilDiv(fitting.get(i).request().totalPositions(), blockTokens);
        }
        for (Progress progress : view.waiting()) {
            int needed = Math.ceilDiv(progress.request().totalPositions(), blockTokens);
            if (fitting.size() >= maxRequests || needed > free) {
                limit = needed > free ? POOL_FULL : BATCH_FULL;
                return;
            }
            free -= needed;
            fitting.add(progress);
        }
    }

    /// Everyone by age with the blocks of the next step alone; a first chunk of a context takes the blocks of all of it.
    private void atMostUse(PoolId pool, EngineView view, KvReservation kv, int maxRequests) {
        List<Progress> all = view.running();
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).pool().equals(pool)) {
                running.add(all.get(i));
            }
        }
        Iterator<Progress> waiting = view.waiting().iterator();
        int free = kv.freeBlocks();
        int turn = 0;
        Progress nextWaiting = waiting.hasNext() ? waiting.next() : null;
        while (true) {
            Progress nextRunning = turn < running.size() ? running.get(turn) : null;
            Progress tried = older(nextRunning, nextWaiting);
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
                Progress evicted = running.remove(victim);
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

    private static int furtherBlocks(Progress progress, KvReservation kv) {
        // Looking into the pool for each row costs more than all the rest of the walk.
        if (progress.pending() == 0 || progress.fillsBegunBlock(kv.blockTokens())) {
            return 0;
        }
        return Math.max(0, Math.ceilDiv(progress.known(), kv.blockTokens()) - kv.heldBlocks(progress));
    }

    private static @Nullable Progress older(@Nullable Progress a, @Nullable Progress b) {
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
