package org.inferometer.scheduling;

import java.util.List;
import org.inferometer.workload.RequestId;

/// The changes to a KV pool that a decision rests on; the ledger applies them exactly, in this order.
///
/// @param evicted requests that lose all their blocks and go back to waiting, computed from nothing again
/// @param allocations for each request, the blocks its pool must hold for it after this decision
public record KvPlan(PoolId pool, List<RequestId> evicted, List<Allocation> allocations) {
    /// A request's total of blocks in the pool, those it already has included.
    ///
    /// @param cachedBlocks of these, blocks whose content the pool still has; the positions in them count as computed. Only for
    ///     a request that is waiting
    public record Allocation(RequestId request, int blocks, int cachedBlocks) {
        /// A reservation that starts from nothing known.
        public Allocation(RequestId request, int blocks) {
            this(request, blocks, 0);
        }
    }

    /// A plan that changes nothing.
    public static KvPlan none(PoolId pool) {
        return new KvPlan(pool, List.of(), List.of());
    }
}
