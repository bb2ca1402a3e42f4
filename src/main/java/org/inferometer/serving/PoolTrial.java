package org.inferometer.serving;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.inferometer.scheduling.KvPlan;
import org.inferometer.scheduling.KvTrial;
import org.inferometer.scheduling.Progress;
import org.inferometer.workload.RequestId;

/// The what-if of one pool, used again for each decision: its notes lie in arrays by slot and are void once their stamp is old.
final class PoolTrial implements KvTrial {
    private final Ledger ledger;
    private final KvPool pool;
    private final List<LiveRequest> reserved = new ArrayList<>();
    private final List<RequestId> evicted = new ArrayList<>();
    private Note[] notes = {};
    private long stamp;
    private int freeBlocks;

    PoolTrial(Ledger ledger, KvPool pool) {
        this.ledger = ledger;
        this.pool = pool;
    }

    PoolTrial startOver() {
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
        return 0;
    }

    @Override
    public boolean reserveAfterCached(Progress progress, int positions) {
        return reserve(progress, positions);
    }

    @Override
    public void evict(Progress progress) {
        LiveRequest request = ledger.live(progress.request().id());
        Note note = note(request);
        ledger.requireEvictable(request, pool.geometry().pool());
        if (note.evicted) {
            throw new ContractViolation("Request " + request.id() + " was evicted twice in one decision.");
        }
        freeBlocks += note.blocks;
        note.blocks = 0;
        note.evicted = true;
        evicted.add(request.id());
    }

    @Override
    public KvPlan plan() {
        List<KvPlan.Reservation> reservations = new ArrayList<>(reserved.size());
        for (LiveRequest request : reserved) {
            int blocks = note(request).blocks;
            if (blocks > 0) {
                reservations.add(new KvPlan.Reservation(request.id(), blocks));
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
            note.reserved = false;
            note.evicted = false;
        }
        return note;
    }

    private int heldInThisPool(LiveRequest request) {
        return request.home.equals(pool.geometry().pool()) ? request.blocks.count() : 0;
    }

    /// What was tried for the request in a slot.
    private static final class Note {
        private long stamp;
        private int blocks;
        private boolean reserved;
        private boolean evicted;
    }
}
