package org.inferometer.serving;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.inferometer.scheduling.KvPlan;
import org.inferometer.scheduling.KvReservation;
import org.inferometer.scheduling.Progress;
import org.inferometer.workload.RequestId;

/// The what-if of one pool, used again for each decision: its notes lie in arrays by slot and are void once their stamp is old.
final class PoolReservation implements KvReservation {
    private final EngineState ledger;
    private final BlockPool pool;
    private final List<LiveRequest> reserved = new ArrayList<>();
    private final List<RequestId> evicted = new ArrayList<>();
    private Note[] notes = {};
    private final int[] addedHolders; // [blocks], where prefixes are reused
    private final long[] holderStamps; // the same
    private long stamp;
    private int freeBlocks;

    PoolReservation(EngineState ledger, BlockPool pool) {
        this.ledger = ledger;
        this.pool = pool;
        int shareable = pool.reusesPrefixes() ? pool.geometry().blocks() : 0;
        this.addedHolders = new int[shareable];
        this.holderStamps = new long[shareable];
    }

    PoolReservation startOver() {
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
    public int heldBlocks(Progress progress) {
        LiveRequest request = ledger.live(progress.request().id());
        Note note = request.slot < notes.length ? notes[request.slot] : null;
        return note != null && note.stamp == stamp ? note.blocks : heldInThisPool(request);
    }

    @Override
    public boolean reserve(Progress progress, int positions) {
        LiveRequest request = ledger.live(progress.request().id());
        if (request.inFlight) {
            throw new ContractViolation("Blocks were reserved for request " + request.id() + ", which is in flight.");
        }
        Note note = note(request);
        if ((long) note.blocks * pool.geometry().blockTokens() >= positions) {
            return true;
        }
        int more = pool.blocksFor(positions) - note.blocks;
        if (more > freeBlocks) {
            return false;
        }
        freeBlocks -= more;
        note.blocks += more;
        if (!note.reserved) {
            note.reserved = true;
            reserved.add(request);
        }
        return true;
    }

    @Override
    public int cachedPositions(Progress progress) {
        LiveRequest request = ledger.live(progress.request().id());
        if (request.running) {
            return 0;
        }
        Note note = note(request);
        return (note.reserved ? note.cachedBlocks : pool.cachedBlocks(request)) * pool.geometry().blockTokens();
    }

    @Override
    public boolean reserveAfterCached(Progress progress, int positions) {
        LiveRequest request = ledger.live(progress.request().id());
        int cached = request.running || note(request).reserved ? 0 : pool.cachedBlocks(request);
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
        Note note = note(request);
        note.blocks = blocks;
        note.cachedBlocks = cached;
        note.reserved = true;
        reserved.add(request);
        return true;
    }

    @Override
    public void evict(Progress progress) {
        LiveRequest request = ledger.live(progress.request().id());
        Note note = note(request);
        ledger.requireEvictable(request, pool.geometry().pool());
        if (note.evicted) {
            throw new ContractViolation("Request " + request.id() + " was evicted twice in one decision.");
        }
        if (pool.reusesPrefixes()) {
            freeBlocks += note.blocks - request.blocks.count();
            for (int place = 0; place < request.blocks.count(); place++) {
                int block = request.blocks.block(place);
                addHolders(block, -1);
                freeBlocks += holders(block) == 0 ? 1 : 0;
            }
        } else {
            freeBlocks += note.blocks;
        }
        note.blocks = 0;
        note.evicted = true;
        evicted.add(request.id());
    }

    @Override
    public KvPlan plan() {
        List<KvPlan.Reservation> reservations = new ArrayList<>(reserved.size());
        for (LiveRequest request : reserved) {
            Note note = note(request);
            if (note.blocks > 0) {
                reservations.add(new KvPlan.Reservation(request.id(), note.blocks, note.cachedBlocks));
            }
        }
        return new KvPlan(pool.geometry().pool(), List.copyOf(evicted), reservations);
    }

    private Note note(LiveRequest request) {
        if (request.slot >= notes.length) {
            int before = notes.length;
            notes = Arrays.copyOf(notes, Math.max(request.slot + 1, before * 2));
            for (int i = before; i < notes.length; i++) {
                notes[i] = new Note();
            }
        }
        Note note = notes[request.slot];
        if (note.stamp != stamp) {
            note.stamp = stamp;
            note.blocks = heldInThisPool(request);
            note.cachedBlocks = 0;
            note.reserved = false;
            note.evicted = false;
        }
        return note;
    }

    /// Requests that would hold the block after what was tried.
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
        return request.home.equals(pool.geometry().pool()) ? request.blocks.count() : 0;
    }

    /// What was tried for the request in a slot.
    private static final class Note {
        private long stamp;
        private int blocks;
        private int cachedBlocks;
        private boolean reserved;
        private boolean evicted;
    }
}
