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
    private final CapacityPolicy policy;

    CapacityScheduler(CapacityPolicy policy) {
        this.policy = policy;
    }

    /// The requests that fit the pool, in the order in which they may enter the step; those in flight are among them.
    List<Progress> fitting(PoolId pool, EngineView view, KvTrial kv, int maxRequests) {
        return switch (policy) {
            case GUARANTEED_NO_EVICT, STATIC_BATCH -> withoutEviction(pool, view, kv, maxRequests);
            case MAX_UTILIZATION -> atMostUse(pool, view, kv, maxRequests);
        };
    }

    /// Generations first, then contexts, each with all the blocks it needs to finish; the first that does not fit ends the walk.
    private List<Progress> withoutEviction(PoolId pool, EngineView view, KvTrial kv, int maxRequests) {
        List<Progress> fitting = new ArrayList<>(view.running().size() + 8);
        List<Progress> contexts = new ArrayList<>();
        int free = kv.freeBlocks();
        for (Progress progress : view.running()) {
            if (progress.home().equals(pool)) {
                free -= blocks(progress.request().totalPositions(), kv) - kv.heldBlocks(progress);
                (progress.inContext() ? contexts : fitting).add(progress);
            }
        }
        fitting.addAll(contexts);
        if (policy == CapacityPolicy.STATIC_BATCH && !fitting.isEmpty()) {
            return fitting;
        }
        for (Progress progress : view.waiting()) {
            int needed = blocks(progress.request().totalPositions(), kv);
            if (fitting.size() >= maxRequests || needed > free) {
                break;
            }
            free -= needed;
            fitting.add(progress);
        }
        return fitting;
    }

    /// Everyone by age with the blocks of the next step alone; a first chunk of a context takes the blocks of all of it.
    private static List<Progress> atMostUse(PoolId pool, EngineView view, KvTrial kv, int maxRequests) {
        List<Progress> running = new ArrayList<>(view.running().size());
        for (Progress progress : view.running()) {
            if (progress.home().equals(pool)) {
                running.add(progress);
            }
        }
        Iterator<Progress> waiting = view.waiting().iterator();
        List<Progress> fitting = new ArrayList<>(running.size() + 8);
        int free = kv.freeBlocks();
        int turn = 0;
        Progress nextWaiting = waiting.hasNext() ? waiting.next() : null;
        while (fitting.size() < maxRequests) {
            Progress nextRunning = turn < running.size() ? running.get(turn) : null;
            Progress tried = older(nextRunning, nextWaiting);
            if (tried == null) {
                break;
            }
            boolean isRunning = tried == nextRunning;
            int held = isRunning ? kv.heldBlocks(tried) : 0;
            int needed = (long) held * kv.blockTokens() >= tried.known() ? 0 : blocks(tried.known(), kv) - held;
            while (needed > free) {
                int victim = youngestEvictable(running, isRunning ? turn + 1 : turn);
                if (victim < 0) {
                    return fitting;
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
        return fitting;
    }

    private static @Nullable Progress older(@Nullable Progress a, @Nullable Progress b) {
        if (a == null || b == null) {
            return a == null ? b : a;
        }
        return a.isOlderThan(b) ? a : b;
    }

    private static int youngestEvictable(List<Progress> running, int from) {
        for (int i = running.size() - 1; i >= from; i--) {
            if (!running.get(i).inFlight()) {
                return i;
            }
        }
        return -1;
    }

    private static int blocks(int positions, KvTrial kv) {
        return Math.ceilDiv(positions, kv.blockTokens());
    }
}
