package org.inferometer.serving;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.inferometer.execution.LaneJob.KvTransfer;
import org.inferometer.scheduling.KvPlan;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.Work;

/// Requests in transfer between pools. Until the copy has ended, a request holds blocks in both pools.
final class KvTransfers {
    private final List<BlockPool> pools;

    KvTransfers(List<BlockPool> pools) {
        this.pools = pools;
    }

    /// Reserves blocks in the lane's pool and marks the request as in flight.
    ///
    /// @throws ContractViolation if request, lane and plan do not match or the pool is full
    void start(Lane lane, Work.Transfer work, LiveRequest request, List<KvPlan.Allocation> allocations) {
        check(lane, work, request);
        if (allocations.size() != 1 || !allocations.getFirst().request().equals(request.id())
                || allocations.getFirst().cachedBlocks() != 0) {
            throw breach(request, "the plan does not reserve blocks for this request alone");
        }
        BlockPool pool = pools.get(lane.pool().index());
        int blocks = allocations.getFirst().blocks();
        if (blocks < pool.blocksFor(request.computed())) {
            throw breach(request, blocks + " blocks do not cover its " + request.computed() + " positions");
        }
        BlockTable target = new BlockTable();
        if (!pool.extend(target, blocks)) {
            throw new ContractViolation(
                    "KV pool " + lane.pool().index() + " has too few free blocks for request " + request.id() + ".");
        }
        request.startTransfer(lane.id(), new LiveRequest.Destination(lane.pool(), target));
    }

    /// The copy that a request in transfer needs.
    KvTransfer copyOf(long number, LiveRequest request) {
        LiveRequest.Destination to = Objects.requireNonNull(request.destination);
        int[] from = Arrays.copyOf(request.blocks.ids(), poolOf(request).blocksFor(request.computed()));
        int[] into = Arrays.copyOf(to.blocks().ids(), to.blocks().count());
        return new KvTransfer(number, request.pool, from, to.pool(), into, request.computed());
    }

    /// Moves the request to its new pool and frees its blocks in the old one.
    void end(LiveRequest request) {
        poolOf(request).release(request.endTransfer());
        poolOf(request).noteWritten(request);
    }

    /// Frees all blocks of a request in every pool.
    void release(LiveRequest request) {
        poolOf(request).release(request.blocks);
        LiveRequest.Destination to = request.destination;
        if (to != null) {
            pools.get(to.pool().index()).release(to.blocks());
        }
    }

    private BlockPool poolOf(LiveRequest request) {
        return pools.get(request.pool.index());
    }

    private static void check(Lane lane, Work.Transfer work, LiveRequest request) {
        if (lane.role() != Lane.Role.TRANSFER) {
            throw breach(request, "lane " + lane.id().index() + " takes " + lane.role() + " work only");
        }
        if (request.inFlight) {
            throw breach(request, "it is in flight on lane " + request.lane.index());
        }
        if (!request.running || !request.pool.equals(work.from())) {
            throw breach(request, "it holds no blocks in KV pool " + work.from().index());
        }
        if (work.from().equals(work.to()) || !work.to().equals(lane.pool())) {
            throw breach(request, "lane " + lane.id().index() + " copies into KV pool " + lane.pool().index()
                    + ", not from " + work.from().index() + " to " + work.to().index());
        }
        if (request.computed() == 0) {
            throw breach(request, "nothing of it is computed");
        }
    }

    private static ContractViolation breach(LiveRequest request, String reason) {
        return new ContractViolation("Request " + request.id() + " cannot be transferred: " + reason + ".");
    }
}
