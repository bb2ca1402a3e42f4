package org.inferometer.scheduling;

import java.util.List;

/// What a scheduler may look at: the ledger's books at one instant, read-only. Valid during one decision.
public interface EngineView {
    /// The instant of the decision.
    long nowNanos();

    /// Requests that hold no blocks, oldest arrival first (an evicted request keeps its age). Not copied: any length is cheap.
    Iterable<Progress> waiting();

    /// How many are waiting.
    int waitingCount();

    /// Admitted requests, oldest arrival first, those in flight on any lane included.
    List<Progress> running();

    /// Whether no further request will arrive; batching schedulers need not wait for more then.
    boolean arrivalsEnded();

    /// The limits of the run.
    Limits limits();

    /// A what-if on a pool; each call starts over, and the pool's earlier what-if is no longer to be used.
    KvReservation reserveKv(PoolId pool);

    /// Memory of the device against its budget.
    MemoryState memory();

    /// Busy time of each lane so far, by lane index, nanoseconds.
    long[] laneBusyNanos();

    /// Bytes in use (peak of the last step included) and the budget they are held against.
    record MemoryState(long usedBytes, long budgetBytes) {}
}
