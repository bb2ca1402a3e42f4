package org.inferometer.scheduling;

/// A what-if on one KV pool: a scheduler tries reservations and evictions and takes the result along in its decision.
///
/// Nothing changes in the pool until the ledger applies the plan. Used by one decision, on the loop's thread. Requests in flight
/// can be neither reserved for nor evicted.
public interface KvReservation {
    /// Tokens in a block.
    int blockTokens();

    /// Blocks of the whole pool.
    int totalBlocks();

    /// Blocks free after what was tried so far.
    int freeBlocks();

    /// Blocks the request holds after what was tried so far.
    int heldBlocks(Progress progress);

    /// Makes room for the request's first `positions` positions; false, and nothing tried, where the pool has too few free blocks.
    boolean reserve(Progress progress, int positions);

    /// Positions at the start of a waiting request whose keys and values the pool still has: whole blocks, and always fewer than are
    /// known, because the last position must be computed to yield a token. 0 unless the scheduler reuses prefixes.
    int cachedPositions(Progress progress);

    /// As `reserve` for a waiting request, beginning with the blocks that hold its cached positions; its first slice then starts
    /// behind those.
    boolean reserveAfterCached(Progress progress, int positions);

    /// Gives all blocks of a running request back; it will be waiting again. Not allowed while it is in flight.
    void evict(Progress progress);

    /// What was tried, to travel in the decision.
    KvPlan plan();
}
