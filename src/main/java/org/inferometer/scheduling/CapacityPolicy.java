package org.inferometer.scheduling;

/// How many requests a capacity scheduler lets in; the rules stand at [CapacityScheduler].
public enum CapacityPolicy {
    /// Only who can finish without ever losing its blocks.
    GUARANTEED_NO_EVICT,
    /// Whoever fits the next step; younger requests lose their blocks when it gets tight.
    MAX_UTILIZATION,
    /// As the first, but only once everything that was let in has ended.
    STATIC_BATCH
}
