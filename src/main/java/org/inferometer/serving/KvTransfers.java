package org.inferometer.serving;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.inferometer.execution.KvTransfer;
import org.inferometer.scheduling.KvPlan;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.Work;

/// Keeps the books of requests on their way between pools: until the copy has landed, a request holds blocks in both.
final class KvTransfers {
    private final List<BlockPool> pools;

    KvTransfers(List<BlockPool> pools) {
        this.pools = pools;
    }

    /// Puts a request in flight to the lane's pool.
    ///
    /// @throws ContractViolation where request, lane and plan do not belong together or the pool is full
    void start(Lane lane, Work.Move move, LiveRequest request, List<KvPlan.Reservation> reserved) {
        check(lane, move, request);
        String who = "Request " + request.id() + " was to move ";
        if (reserved.size() != 1 || !reserved.getFirst().request().equals(request.id())
                || reserved.getFirst().cachedBlocks() != 0) {
            throw new ContractViolation(who + "on a plan that does not reserve for it alone.");
        }
        BlockPool pool = pools.get(lane.pool().index());
        int blocks = reserved.getFirst().blocks();
        if (blocks < pool.blocksFor(request.computed())) {
            throw new ContractViolation(
                    who + "into " + blocks + " blocks, which do not cover its " + request.computed() + " positions.");
        }
        BlockTable target = new BlockTable();
        if (!pool.extend(target, blocks)) {
            throw new ContractViolation(
                    "KV pool " + lane.pool().index() + " has too few free blocks for request " + request.id() + ".");
        }
        request.startMove(lane.id(), new LiveRequest.Destination(lane.pool(), target));
    }

    /// What is to be copied of a request that moves.
    KvTransfer transfer(long number, LiveRequest request) {
        LiveRequest.Destination to = Objects.requireNonNull(request.destination);
        int[] from = Arrays.copyOf(request.blocks.ids(), home(request).blocksFor(request.computed()));
        int[] into = Arrays.copyOf(to.blocks().ids(), to.blocks().count());
        return new KvTransfer(number, request.home, from, to.pool(), into, request.computed());
    }

    /// The keys and values have arrived: their old blocks are given back, and the new pool is the request's home.
    void end(LiveRequest request) {
        BlockPool left = home(request);
        left.release(request.endMove());
        home(request).noteWritten(request);
    }

    /// Gives back what a request holds, wherever that is.
    void release(LiveRequest request) {
        home(request).release(request.blocks);
        LiveRequest.Destination to = request.destination;
        if (to != null) {
            pools.get(to.pool().index()).release(to.blocks());
        }
    }

    private BlockPool home(LiveRequest request) {
        return pools.get(request.home.index());
    }

    private static void check(Lane lane, Work.Move move, LiveRequest request) {
        String who = "Request " + request.id() + " was to move ";
        if (lane.role() != Lane.Role.TRANSFER) {
            throw new ContractViolation(
                    who + "on lane " + lane.id().index() + ", which takes " + lane.role() + " work only.");
        }
        if (request.inFlight) {
            throw new ContractViolation(who + "while it is in flight on lane " + request.lane.index() + ".");
        }
        if (!request.running || !request.home.equals(move.from())) {
            throw new ContractViolation(who + "but holds no blocks in KV pool " + move.from().index() + ".");
        }
        if (move.from().equals(move.to()) || !move.to().equals(lane.pool())) {
            throw new ContractViolation(who + "from KV pool " + move.from().index() + " to " + move.to().index()
                    + ", but lane " + lane.id().index() + " moves into KV pool " + lane.pool().index() + ".");
        }
        if (request.computed() == 0) {
            throw new ContractViolation(who + "but nothing of it is computed.");
        }
    }
}
