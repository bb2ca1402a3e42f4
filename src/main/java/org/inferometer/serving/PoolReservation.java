package org.inferometer.serving;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.inferometer.scheduling.KvPlan;
import org.inferometer.scheduling.KvReservation;
import org.inferometer.scheduling.RequestProgress;
import org.inferometer.workload.RequestId;

/// The reservation of one pool, reused for each decision. Entries are in arrays by slot; an entry with an old stamp is
/// void.
final class PoolReservation implements KvReservation {
    private final EngineState state;
    private final BlockPool pool;
    private final List<LiveRequest> reserved = new ArrayList<>();
    private final List<RequestId> evicted = new ArrayList<>();
    private Entry[] entries = {};
    private final int[] addedHolders; // [blocks], where prefixes are reused
    private final long[] holderStamps; // the same
    private long stamp;
    private int freeBlocks;

    PoolReservation(EngineState state, BlockPool pool) {
        this.state = state;
        this.pool = pool;
        int shareable = pool.reusesPrefixes() ? pool.geometry().blocks() : 0;
        this.addedHolders = new int[shareable];
        this.holderStamps = new long[shareable];
    }

    PoolReservation reset() {
        stamp++;
        freeBlocks = pool.freeBlocks();
        reserved.clear();
        evicted.clear();
        return this;
    }

    @Override
    public int blockTokens() {
        return pool.geometry().blockTokens();
    }

    @Override
    public int totalBlocks() {
        return pool.geometry().blocks();
    }

    @Override
    public int freeBlocks() {
        return freeBlocks;
    }

    @Override
    public int heldBlocks(RequestProgress progress) {
        LiveRequest request = state.require(progress.request().id());
        Entry entry = request.slot < entries.length ? entries[request.slot] : null;
        return entry != null && entry.stamp == stamp ? entry.blocks : heldInThisPool(request);
    }

    @Override
    public boolean reserve(RequestProgress progress, int positions) {
        LiveRequest request = state.require(progress.request().id());
        if (request.inFlight) {
            throw new ContractViolation("Blocks were reserved for request " + request.id() + ", which is in flight.");
        }
        Entry entry = entry(request);
        if ((long) entry.blocks * pool.geometry().blockTokens() >= positions) {
            return true;
        }
        int more = pool.blocksFor(positions) - entry.blocks;
        if (more > freeBlocks) {
            return false;
        }
        freeBlocks -= more;
        entry.blocks += more;
        if (!entry.reserved) {
            entry.reserved = true;
            reserved.add(request);
        }
        return true;
    }

    @Override
    public int cachedPositions(RequestProgress progress) {
        LiveRequest request = state.require(progress.request().id());
        if (request.running) {
            return 0;
        }
        Entry entry = entry(request);
        return (entry.reserved ? entry.cachedBlocks : pool.cachedBlocks(request)) * pool.geometry().blockTokens();
    }

    @Override
    public boolean reserveAfterCached(RequestProgress progress, int positions) {
        LiveRequest request = state.require(progress.request().id());
        int cached = request.running || entry(request).reserved ? 0 : pool.cachedBlocks(request);
        if (cached == 0) {
            return reserve(progress, positions);
        }
        int blocks = Math.max(cached, pool.blocksFor(positions));
        int taken = blocks - cached;
        for (int place = 0; place < cached; place++) {
            taken += holders(pool.cachedBlock(request, place)) == 0 ? 1 : 0;
        }
        if (taken > freeBlocks) {
            return false;
        }
        for (int place = 0; place < cached; place++) {
            addHolders(pool.cachedBlock(request, place), 1);
        }
        freeBlocks -= taken;
        Entry entry = entry(request);
        entry.blocks = blocks;
        entry.cachedBlocks = cached;
        entry.reserved = true;
        reserved.add(request);
        return true;
    }

    @Override
    public void evict(RequestProgress progress) {
        LiveRequest request = state.require(progress.request().id());
        Entry entry = entry(request);
        state.requireEvictable(request, pool.geometry().pool());
        if (entry.evicted) {
            throw new ContractViolation("Request " + request.id() + " was evicted twice in one decision.");
        }
        if (pool.reusesPrefixes()) {
            freeBlocks += entry.blocks - request.blocks.count();
            for (int place = 0; place < request.blocks.count(); place++) {
                int block = request.blocks.block(place);
                addHolders(block, -1);
                freeBlocks += holders(block) == 0 ? 1 : 0;
            }
        } else {
            freeBlocks += entry.blocks;
        }
        entry.blocks = 0;
        entry.evicted = true;
        evicted.add(request.id());
    }

    @Override
    public KvPlan plan() {
        List<KvPlan.Allocation> reservations = new ArrayList<>(reserved.size());
        for (LiveRequest request : reserved) {
            Entry entry = entry(request);
            if (entry.blocks > 0) {
                reservations.add(new KvPlan.Allocation(request.id(), entry.blocks, entry.cachedBlocks));
            }
        }
        return new KvPlan(pool.geometry().pool(), List.copyOf(evicted), reservations);
    }

    private Entry entry(LiveRequest request) {
        if (request.slot >= entries.length) {
            int before = entries.length;
            entries = Arrays.copyOf(entries, Math.max(request.slot + 1, before * 2));
            for (int i = before; i < entries.length; i++) {
                entries[i] = new Entry();
            }
        }
        Entry entry = entries[request.slot];
        if (entry.stamp != stamp) {
            entry.stamp = stamp;
            entry.blocks = heldInThisPool(request);
            entry.cachedBlocks = 0;
            entry.reserved = false;
            entry.evicted = false;
        }
        return entry;
    }

    /// Requests that would hold the block if the plan were applied.
    private int holders(int block) {
        return pool.holders(block) + (holderStamps[block] == stamp ? addedHolders[block] : 0);
    }

    private void addHolders(int block, int more) {
        if (holderStamps[block] != stamp) {
            holderStamps[block] = stamp;
            addedHolders[block] = 0;
        }
        addedHolders[block] += more;
    }

    private int heldInThisPool(LiveRequest request) {
        return request.pool.equals(pool.geometry().pool()) ? request.blocks.count() : 0;
    }

    /// The planned change for the request in a slot.
    private static final class Entry {
        private long stamp;
        private int blocks;
        private int cachedBlocks;
        private boolean reserved;
        private boolean evicted;
    }
}
