package org.inferometer.scheduling;

/// A tentative change of one KV pool: a scheduler tries reservations and evictions and passes the resulting plan in its
/// decision.
///
/// The pool changes only when the engine applies the plan. Used by one decision, on the loop's thread. Requests in flight
/// can be neither reserved for nor evicted.
public interface KvReservation {
    /// Tokens in a block.
    int blockTokens();

    /// Blocks of the whole pool.
    int totalBlocks();

    /// Free blocks after the tentative changes.
    int freeBlocks();

    /// Blocks of the request after the tentative changes.
    int heldBlocks(RequestProgress progress);

    /// Reserves blocks for the request's first `positions` positions; false without any change if too few blocks are
    /// free.
    boolean reserve(RequestProgress progress, int positions);

    /// Cached positions at the start of a waiting request: whole blocks, and fewer than are known, because the last
    /// position must be computed to yield a token. 0 unless the scheduler reuses prefixes.
    int cachedPositions(RequestProgress progress);

    /// Like `reserve` for a waiting request, starting with the blocks of its cached positions; its first slice then
    /// starts after them.
    boolean reserveAfterCached(RequestProgress progress, int positions);

    /// Frees all blocks of a running request, which returns to the waiting queue. Not allowed while it is in flight.
    void evict(RequestProgress progress);

    /// The tentative changes, for the decision.
    KvPlan plan();
}
