package org.inferometer.scheduling;

import java.util.List;
import org.inferometer.workload.RequestId;

/// The changes to a KV pool that belong to a decision; the engine applies them exactly, in this order.
///
/// @param evicted requests that lose all blocks and return to the waiting queue; they are computed again from the start
/// @param allocations the blocks of each request after this decision
public record KvPlan(PoolId pool, List<RequestId> evicted, List<Allocation> allocations) {
    /// The total of a request's blocks in the pool, including those it has.
    ///
    /// @param cachedBlocks of these, cached blocks at its start, whose positions count as computed; only for waiting
    ///     requests
    public record Allocation(RequestId request, int blocks, int cachedBlocks) {
        /// An allocation without cached blocks.
        public Allocation(RequestId request, int blocks) {
            this(request, blocks, 0);
        }
    }

    /// A plan that changes nothing.
    public static KvPlan none(PoolId pool) {
        return new KvPlan(pool, List.of(), List.of());
    }
}
