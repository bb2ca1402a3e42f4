package org.inferometer.scheduling;

import java.util.List;

/// The engine's state at one instant, read-only. Valid during one decision.
public interface EngineView {
    /// The instant of the decision.
    long nowNanos();

    /// Requests without blocks, oldest arrival first; a preempted request keeps its age. Not copied, so any length is
    /// cheap.
    Iterable<RequestProgress> waiting();

    /// Number of waiting requests.
    int waitingCount();

    /// Admitted requests, oldest arrival first, including those in flight on any lane.
    List<RequestProgress> running();

    /// Whether no further request will arrive, so that batching need not wait.
    boolean arrivalsEnded();

    /// The limits of the run.
    Limits limits();

    /// A new reservation on a pool; it invalidates the earlier one of the same pool.
    KvReservation reserveKv(PoolId pool);

    /// Memory use and budget.
    MemoryState memory();

    /// Busy time of each lane so far, by lane index, in nanoseconds.
    long[] laneBusyNanos();

    /// @param usedBytes bytes in use, including the peak of the last step
    /// @param budgetBytes weights, KV pools and workspace
    record MemoryState(long usedBytes, long budgetBytes) {}
}
