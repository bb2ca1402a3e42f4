package org.inferometer.serving;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.inferometer.execution.KvGeometry;
import org.inferometer.execution.KvTransfer;
import org.inferometer.execution.OwnedMemory;
import org.inferometer.scheduling.EngineView;
import org.inferometer.scheduling.KvPlan;
import org.inferometer.scheduling.KvTrial;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.Limits;
import org.inferometer.scheduling.PoolId;
import org.inferometer.scheduling.Progress;
import org.inferometer.scheduling.Slice;
import org.inferometer.scheduling.Work;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestId;
import org.jspecify.annotations.Nullable;

/// The books of an engine: every live request, the blocks of every KV pool, and what is in flight.
///
/// It changes only by what a decision says, exactly; whatever breaks the contract is a [ContractViolation], never repaired.
/// One thread. As an [EngineView] it copies nothing: looking at it costs the same however many requests wait.
final class Ledger implements EngineView {
    private final EngineSetup setup;
    private final List<KvPool> pools = new ArrayList<>();
    private final List<PoolTrial> trials = new ArrayList<>();
    private final RequestTable live = new RequestTable();
    private final WaitingLine waiting = new WaitingLine();
    private final RunningList running = new RunningList();
    private final ArrayDeque<Integer> freeSlots = new ArrayDeque<>();
    private final long[] laneBusyNanos;
    private final @Nullable KvGeometry tightestForPrompts;
    private final @Nullable KvGeometry tightestForAll;
    private long nowNanos;
    private boolean arrivalsEnded;
    private long admissions;
    private long heldBytesOfLastStep;

    Ledger(EngineSetup setup) {
        this.setup = setup;
        for (KvGeometry geometry : setup.pools()) {
            KvPool pool = new KvPool(geometry);
            pools.add(pool);
            trials.add(new PoolTrial(this, pool));
        }
        laneBusyNanos = new long[setup.lanes().size()];
        tightestForPrompts = tightest(setup, true);
        tightestForAll = tightest(setup, false);
    }

    /// The smallest pool among those that must hold prompts, or among those that must hold requests to their end; null where no
    /// lane needs one. What prefill lanes computed moves on before the answer grows; transfer lanes only fill the pools of others.
    private static @Nullable KvGeometry tightest(EngineSetup setup, boolean forPrompts) {
        KvGeometry tightest = null;
        for (Lane lane : setup.lanes()) {
            boolean counts =
                    switch (lane.role()) {
                        case PREFILL -> forPrompts;
                        case ANY, DECODE -> !forPrompts;
                        case TRANSFER -> false;
                    };
            KvGeometry pool = setup.pools().get(lane.pool().index());
            if (counts && (tightest == null || positions(pool) < positions(tightest))) {
                tightest = pool;
            }
        }
        return tightest;
    }

    private static long positions(KvGeometry pool) {
        return (long) pool.blocks() * pool.blockTokens();
    }

    // The view

    @Override
    public long nowNanos() {
        return nowNanos;
    }

    @Override
    public Iterable<Progress> waiting() {
        return waiting;
    }

    @Override
    public int waitingCount() {
        return waiting.size();
    }

    @Override
    public List<Progress> running() {
        return running;
    }

    @Override
    public boolean arrivalsEnded() {
        return arrivalsEnded;
    }

    @Override
    public Limits limits() {
        return setup.limits();
    }

    @Override
    public KvTrial tryKv(PoolId pool) {
        return trials.get(pool.index()).startOver();
    }

    @Override
    public MemoryState memory() {
        OwnedMemory owned = setup.memory().get();
        long fixed = owned.weightBytes() + owned.activationBytes() + owned.workspaceBytes();
        long poolBytes = 0;
        for (KvPool pool : pools) {
            poolBytes += pool.geometry().bytes();
        }
        return new MemoryState(fixed + Math.max(heldBytes(), heldBytesOfLastStep), fixed + poolBytes);
    }

    @Override
    public long[] laneBusyNanos() {
        return laneBusyNanos.clone();
    }

    // Arrivals and ends

    void now(long nanos) {
        nowNanos = nanos;
    }

    void arrivalsEnded(boolean ended) {
        arrivalsEnded = ended;
    }

    /// Why the request can never be served, as one sentence; empty when it can.
    String refusal(Request request) {
        if (request.promptTokens().length == 0 || request.outputTokens() < 1) {
            return "Request " + request.id() + " needs at least one prompt token and one output token.";
        }
        long total = (long) request.promptTokens().length + request.outputTokens() - 1;
        if (total > setup.limits().maxSequencePositions()) {
            return "Request " + request.id() + " needs " + total + " positions, but the limit of a request is "
                    + setup.limits().maxSequencePositions() + ".";
        }
        String refusal = refusal(request.id(), total, tightestForAll, "positions");
        return refusal.isEmpty() ? refusal(request.id(), request.promptTokens().length, tightestForPrompts, "prompt positions") : refusal;
    }

    private static String refusal(RequestId id, long positions, @Nullable KvGeometry pool, String what) {
        if (pool == null || positions <= positions(pool)) {
            return "";
        }
        return "Request " + id + " needs " + positions + " " + what + ", but KV pool " + pool.pool().index() + " holds "
                + positions(pool) + "; give the pool more memory or shorten the request.";
    }

    void arrive(Request request, long nanos) {
        if (find(request.id()) != null) {
            throw new ContractViolation("Request " + request.id() + " was sent twice.");
        }
        Integer freed = freeSlots.poll();
        int slot = freed == null ? live.size() : freed;
        Lane first = setup.lanes().getFirst();
        LiveRequest page = new LiveRequest(request, nanos, slot, first.id(), first.pool());
        live.add(page);
        waiting.join(page);
    }

    /// Closes the page of a request that is not in flight; its blocks return to the pool.
    void remove(LiveRequest request) {
        release(request);
        if (request.running) {
            running.leave(request);
        } else {
            waiting.leave(request);
        }
        live.remove(request);
        freeSlots.push(request.slot);
    }

    // Decisions

    /// Takes all blocks of a running request; returns the positions that are lost.
    int evict(RequestId id, PoolId pool) {
        LiveRequest request = live(id);
        requireEvictable(request, pool);
        int lost = request.computed();
        release(request);
        running.leave(request);
        request.backToWaiting();
        waiting.rejoin(request);
        return lost;
    }

    /// Only an older request may take blocks from a younger one, so the oldest of all is safe.
    void requireEvictable(LiveRequest request, PoolId pool) {
        if (!request.running || !request.home.equals(pool)) {
            throw new ContractViolation("Request " + request.id() + " was evicted but holds no blocks in KV pool " + pool.index() + ".");
        }
        if (request.inFlight) {
            throw new ContractViolation(
                    "Request " + request.id() + " was evicted while it is in flight on lane " + request.lane.index() + ".");
        }
        LiveRequest oldestWaiting = waiting.head();
        if (running.request(0) == request && (oldestWaiting == null || request.isOlderThan(oldestWaiting))) {
            throw new ContractViolation("Request " + request.id() + " was evicted though no live request is older.");
        }
    }

    /// Extends what a request holds in the lane's pool, admitting it if it waits.
    LiveRequest reserve(Lane lane, KvPlan.Reservation reservation) {
        LiveRequest request = live(reservation.request());
        if (request.inFlight) {
            throw new ContractViolation("Blocks were reserved for request " + request.id() + ", which is in flight.");
        }
        if (request.running && !request.home.equals(lane.pool())) {
            throw new ContractViolation("Blocks were reserved for request " + request.id() + " outside its KV pool "
                    + request.home.index() + ".");
        }
        if (reservation.blocks() < Math.max(1, request.blocks.count())) {
            throw new ContractViolation("A reservation would shrink request " + request.id() + " from " + request.blocks.count() + " to "
                    + reservation.blocks() + " blocks.");
        }
        if (!pools.get(lane.pool().index()).extend(request.blocks, reservation.blocks())) {
            throw new ContractViolation("KV pool " + lane.pool().index() + " has too few free blocks for request " + request.id() + ".");
        }
        if (!request.running) {
            waiting.leave(request);
            request.admit(lane.id(), lane.pool(), ++admissions, 0);
            running.enter(request);
        }
        return request;
    }

    /// Puts a slice of a request in flight on a lane.
    void takeOff(Lane lane, LiveRequest request, Slice slice) {
        if (request.inFlight) {
            throw new ContractViolation("Request " + request.id() + " was scheduled on lane " + lane.id().index()
                    + " while it is in flight on lane " + request.lane.index() + ".");
        }
        if (!request.running || !request.home.equals(lane.pool())) {
            throw new ContractViolation("Request " + request.id() + " was scheduled without blocks in KV pool " + lane.pool().index() + ".");
        }
        if (slice.from() != request.computed()) {
            throw new ContractViolation("A slice of request " + request.id() + " starts at position " + slice.from() + ", but "
                    + request.computed() + " are computed.");
        }
        if (slice.count() < 1 || slice.count() > request.known() - slice.from()) {
            throw new ContractViolation("A slice of request " + request.id() + " has " + slice.count() + " positions, but "
                    + (request.known() - slice.from()) + " can be computed.");
        }
        if (!pools.get(lane.pool().index()).covers(request.blocks, slice.from() + slice.count())) {
            throw new ContractViolation("The blocks of request " + request.id() + " do not cover the "
                    + (slice.from() + slice.count()) + " positions of its slice.");
        }
        request.takeOff(lane.id(), slice.count());
    }

    /// Puts a request in flight to the lane's pool; until it lands it holds blocks in both.
    LiveRequest startMove(Lane lane, Work.Move move, List<KvPlan.Reservation> reserved) {
        LiveRequest request = live(move.request());
        String who = "Request " + request.id() + " was to move ";
        if (lane.role() != Lane.Role.TRANSFER) {
            throw new ContractViolation(who + "on lane " + lane.id().index() + ", which takes " + lane.role() + " work only.");
        }
        if (request.inFlight) {
            throw new ContractViolation(who + "while it is in flight on lane " + request.lane.index() + ".");
        }
        if (!request.running || !request.home.equals(move.from())) {
            throw new ContractViolation(who + "but holds no blocks in KV pool " + move.from().index() + ".");
        }
        if (move.from().equals(move.to()) || !move.to().equals(lane.pool())) {
            throw new ContractViolation(who + "from KV pool " + move.from().index() + " to " + move.to().index() + ", but lane "
                    + lane.id().index() + " moves into KV pool " + lane.pool().index() + ".");
        }
        if (request.computed() == 0) {
            throw new ContractViolation(who + "but nothing of it is computed.");
        }
        if (reserved.size() != 1 || !reserved.getFirst().request().equals(request.id()) || reserved.getFirst().cachedBlocks() != 0) {
            throw new ContractViolation(who + "on a plan that does not reserve for it alone.");
        }
        KvPool pool = pools.get(lane.pool().index());
        int blocks = reserved.getFirst().blocks();
        if (blocks < pool.blocksFor(request.computed())) {
            throw new ContractViolation(who + "into " + blocks + " blocks, which do not cover its " + request.computed() + " positions.");
        }
        BlockTable target = new BlockTable();
        if (!pool.extend(target, blocks)) {
            throw new ContractViolation("KV pool " + lane.pool().index() + " has too few free blocks for request " + request.id() + ".");
        }
        request.startMove(lane.id(), new LiveRequest.Destination(lane.pool(), target));
        return request;
    }

    /// What is to be copied of a request that moves.
    KvTransfer transfer(long number, LiveRequest request) {
        LiveRequest.Destination to = Objects.requireNonNull(request.destination);
        int[] from = Arrays.copyOf(request.blocks.ids(), pools.get(request.home.index()).blocksFor(request.computed()));
        int[] into = Arrays.copyOf(to.blocks().ids(), to.blocks().count());
        return new KvTransfer(number, request.home, from, to.pool(), into, request.computed());
    }

    /// The keys and values have arrived: their old blocks are free, and the new pool is the request's home.
    void endMove(LiveRequest request) {
        KvPool left = pools.get(request.home.index());
        left.release(request.endMove());
    }

    /// Notes that a step starts with the blocks held now.
    void stepStarts() {
        heldBytesOfLastStep = heldBytes();
    }

    void laneWasBusy(Lane lane, long nanos) {
        laneBusyNanos[lane.id().index()] += nanos;
    }

    // Look-ups

    LiveRequest live(RequestId id) {
        LiveRequest request = live.find(id.index());
        if (request == null) {
            throw new ContractViolation("Request " + id + " is not alive.");
        }
        return request;
    }

    @Nullable LiveRequest find(RequestId id) {
        return live.find(id.index());
    }

    List<LiveRequest> all() {
        return live.all();
    }

    boolean isWaiting(RequestId id) {
        LiveRequest request = find(id);
        return request != null && !request.running;
    }

    int liveCount() {
        return live.size();
    }

    int heldBlocks(PoolId pool) {
        return pools.get(pool.index()).heldBlocks();
    }

    private long heldBytes() {
        long bytes = 0;
        for (KvPool pool : pools) {
            bytes += pool.heldBlocks() * pool.geometry().blockBytes();
        }
        return bytes;
    }

    private void release(LiveRequest request) {
        pools.get(request.home.index()).release(request.blocks);
        LiveRequest.Destination to = request.destination;
        if (to != null) {
            pools.get(to.pool().index()).release(to.blocks());
        }
    }
}
