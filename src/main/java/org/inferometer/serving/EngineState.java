package org.inferometer.serving;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.execution.Executor.KvGeometry;
import org.inferometer.execution.Executor.OwnedMemory;
import org.inferometer.execution.LaneJob.KvTransfer;
import org.inferometer.scheduling.EngineView;
import org.inferometer.scheduling.KvPlan;
import org.inferometer.scheduling.KvReservation;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.Limits;
import org.inferometer.scheduling.PoolId;
import org.inferometer.scheduling.RequestProgress;
import org.inferometer.scheduling.Slice;
import org.inferometer.scheduling.Work;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestId;
import org.jspecify.annotations.Nullable;

/// The state of an engine: every live request, the blocks of every KV pool, and the requests in flight.
///
/// Decisions are applied exactly; a breach of the contract throws [ContractViolation] and is never repaired. One thread. As an
/// [EngineView] it copies nothing, so reading it costs the same for any number of waiting requests.
final class EngineState implements EngineView {
    private final EngineSetup setup;
    private final List<BlockPool> pools = new ArrayList<>();
    private final List<PoolReservation> reservations = new ArrayList<>();
    private final RequestTable live = new RequestTable();
    private final WaitingQueue waiting = new WaitingQueue();
    private final RunningRequests running = new RunningRequests();
    private final ArrayDeque<Integer> freeSlots = new ArrayDeque<>();
    private final long[] laneBusyNanos;
    private final KvTransfers transfers = new KvTransfers(pools);
    private final boolean reusesPrefixes;
    private long nowNanos;
    private boolean arrivalsEnded;
    private long admissions;
    private long heldBytesOfLastStep;

    /// @param reusesPrefixes whether blocks of pools with admissions keep their content
    EngineState(EngineSetup setup, boolean reusesPrefixes) {
        this.setup = setup;
        this.reusesPrefixes = reusesPrefixes;
        for (KvGeometry geometry : setup.pools()) {
            boolean reuses = reusesPrefixes && letsIn(setup.lanes(), geometry.pool());
            BlockPool pool =
                    new BlockPool(geometry, reuses ? new PrefixIndex(geometry.blocks(), geometry.blockTokens()) : null);
            pools.add(pool);
            reservations.add(new PoolReservation(this, pool));
        }
        laneBusyNanos = new long[setup.lanes().size()];
    }

    /// Whether requests are admitted to the pool: decode and transfer lanes only take requests over.
    private static boolean letsIn(List<Lane> lanes, PoolId pool) {
        return lanes.stream().anyMatch(
                lane -> lane.pool().equals(pool) && (lane.role() == Lane.Role.ANY || lane.role() == Lane.Role.PREFILL));
    }

    // The view

    @Override
    public long nowNanos() {
        return nowNanos;
    }

    @Override
    public Iterable<RequestProgress> waiting() {
        return waiting;
    }

    @Override
    public int waitingCount() {
        return waiting.size();
    }

    @Override
    public List<RequestProgress> running() {
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
    public KvReservation reserveKv(PoolId pool) {
        return reservations.get(pool.index()).reset();
    }

    @Override
    public MemoryState memory() {
        OwnedMemory owned = setup.memory().get();
        long fixed = owned.weightBytes() + owned.activationBytes() + owned.workspaceBytes();
        long poolBytes = 0;
        for (BlockPool pool : pools) {
            poolBytes += pool.geometry().bytes();
        }
        return new MemoryState(fixed + Math.max(heldBytes(), heldBytesOfLastStep), fixed + poolBytes);
    }

    @Override
    public long[] laneBusyNanos() {
        return laneBusyNanos.clone();
    }

    // Arrivals and ends

    void setNow(long nanos) {
        nowNanos = nanos;
    }

    void arrivalsEnded(boolean ended) {
        arrivalsEnded = ended;
    }

    void arrive(Request request, long nanos) {
        if (find(request.id()) != null) {
            throw new ContractViolation("Request " + request.id() + " was sent twice.");
        }
        Integer freed = freeSlots.poll();
        int slot = freed == null ? live.size() : freed;
        Lane first = setup.lanes().getFirst();
        LiveRequest added =
                new LiveRequest(request, setup.ends().check(request.stop()), nanos, slot, first.id(), first.pool());
        live.add(added);
        waiting.add(added);
    }

    /// Removes a request that is not in flight and frees its blocks.
    void remove(LiveRequest request) {
        transfers.release(request);
        if (request.running) {
            running.delete(request);
        } else {
            waiting.remove(request);
        }
        live.remove(request);
        freeSlots.push(request.slot);
    }

    // Decisions

    /// Frees all blocks of a running request and returns it to the waiting queue; returns the positions that are lost.
    int evict(RequestId id, PoolId pool) {
        LiveRequest request = require(id);
        requireEvictable(request, pool);
        int lost = request.computed();
        transfers.release(request);
        running.delete(request);
        request.requeue();
        waiting.addPreempted(request);
        return lost;
    }

    /// Checks that some live request is older: only an older request may evict a younger one.
    void requireEvictable(LiveRequest request, PoolId pool) {
        if (!request.running || !request.pool.equals(pool)) {
            throw new ContractViolation(
                    "Request " + request.id() + " was evicted but holds no blocks in KV pool " + pool.index() + ".");
        }
        if (request.inFlight) {
            throw new ContractViolation("Request " + request.id() + " was evicted while it is in flight on lane "
                    + request.lane.index() + ".");
        }
        LiveRequest oldestWaiting = waiting.head();
        if (running.request(0) == request && (oldestWaiting == null || request.isOlderThan(oldestWaiting))) {
            throw new ContractViolation("Request " + request.id() + " was evicted though no live request is older.");
        }
    }

    /// Gives a waiting request its cached blocks. Called for all allocations of a plan before any reservation, which
    /// might take those blocks.
    void adopt(Lane lane, KvPlan.Allocation allocation) {
        LiveRequest request = require(allocation.request());
        BlockPool pool = pools.get(lane.pool().index());
        int blocks = allocation.cachedBlocks();
        if (request.running || request.blocks.count() > 0) {
            throw new ContractViolation(
                    "Cached blocks were allocated to request " + request.id() + ", which already holds blocks.");
        }
        if (blocks < 0 || blocks > allocation.blocks() || !pool.adopt(request, blocks)) {
            throw new ContractViolation(
                    "Request " + request.id() + " cannot start with " + blocks + " cached blocks: KV pool "
                            + lane.pool().index() + " has " + pool.cachedBlocks(request) + " of its start.");
        }
        request.pool = lane.pool();
    }

    /// Extends the blocks of a request in the lane's pool and admits it if it waits.
    LiveRequest reserve(Lane lane, KvPlan.Allocation allocation) {
        LiveRequest request = require(allocation.request());
        if (request.inFlight) {
            throw new ContractViolation("Blocks were reserved for request " + request.id() + ", which is in flight.");
        }
        if (request.running && !request.pool.equals(lane.pool())) {
            throw new ContractViolation("Blocks were reserved for request " + request.id() + " outside its KV pool "
                    + request.pool.index() + ".");
        }
        if (allocation.blocks() < Math.max(1, request.blocks.count())) {
            throw new ContractViolation("An allocation would shrink request " + request.id() + " from "
                    + request.blocks.count() + " to " + allocation.blocks() + " blocks.");
        }
        BlockPool pool = pools.get(lane.pool().index());
        if (!pool.extend(request.blocks, allocation.blocks())) {
            throw new ContractViolation(
                    "KV pool " + lane.pool().index() + " has too few free blocks for request " + request.id() + ".");
        }
        if (!request.running) {
            waiting.remove(request);
            int cachedPositions = allocation.cachedBlocks() * pool.geometry().blockTokens();
            request.admit(lane.id(), lane.pool(), ++admissions, cachedPositions);
            running.insert(request);
        }
        return request;
    }

    /// Marks a slice of a request as in flight on a lane.
    void schedule(Lane lane, LiveRequest request, Slice slice) {
        if (request.inFlight) {
            throw new ContractViolation("Request " + request.id() + " was scheduled on lane " + lane.id().index()
                    + " while it is in flight on lane " + request.lane.index() + ".");
        }
        if (!request.running || !request.pool.equals(lane.pool())) {
            throw new ContractViolation("Request " + request.id() + " was scheduled without blocks in KV pool "
                    + lane.pool().index() + ".");
        }
        if (slice.from() != request.computed()) {
            throw new ContractViolation("A slice of request " + request.id() + " starts at position " + slice.from()
                    + ", but " + request.computed() + " are computed.");
        }
        if (slice.count() < 1 || slice.count() > request.known() - slice.from()) {
            throw new ContractViolation("A slice of request " + request.id() + " has " + slice.count()
                    + " positions, but " + (request.known() - slice.from()) + " can be computed.");
        }
        if (!pools.get(lane.pool().index()).covers(request.blocks, slice.from() + slice.count())) {
            throw new ContractViolation("The blocks of request " + request.id() + " do not cover the "
                    + (slice.from() + slice.count()) + " positions of its slice.");
        }
        request.schedule(lane.id(), slice.count());
    }

    /// Starts the transfer of a request to the lane's pool; until it ends, the request holds blocks in both.
    LiveRequest startTransfer(Lane lane, Work.Transfer work, List<KvPlan.Allocation> allocations) {
        LiveRequest request = require(work.request());
        transfers.start(lane, work, request, allocations);
        return request;
    }

    /// The copy that a request in transfer needs.
    KvTransfer kvTransfer(long number, LiveRequest request) {
        return transfers.copyOf(number, request);
    }

    void endTransfer(LiveRequest request) {
        transfers.end(request);
    }

    /// Makes the positions that a completed step wrote available to other requests.
    void stepCompleted(List<LiveRequest> requests) {
        if (reusesPrefixes) {
            for (LiveRequest request : requests) {
                if (request.written() >= request.nextFullPositions) {
                    pools.get(request.pool.index()).noteWritten(request);
                }
            }
        }
    }

    /// Keeps the bytes held at the start of a step, for [#memory].
    void stepStarted() {
        heldBytesOfLastStep = heldBytes();
    }

    void addLaneBusyNanos(Lane lane, long nanos) {
        laneBusyNanos[lane.id().index()] += nanos;
    }

    // Look-ups

    LiveRequest require(RequestId id) {
        LiveRequest request = live.find(id.index());
        if (request == null) {
            throw new ContractViolation("Request " + id + " is not alive.");
        }
        return request;
    }

    @Nullable
    LiveRequest find(RequestId id) {
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
        for (BlockPool pool : pools) {
            bytes += pool.heldBlocks() * pool.geometry().blockBytes();
        }
        return bytes;
    }
}
