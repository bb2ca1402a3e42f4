package org.inferometer.scheduling;

/// Which requests are admitted; see [CapacitySelector].
public enum CapacityPolicy {
    /// Requests that can finish without preemption.
    GUARANTEED_NO_EVICT,
    /// Requests that fit the next step; younger ones are preempted when blocks run out.
    MAX_UTILIZATION,
    /// Like `GUARANTEED_NO_EVICT`, but only after all admitted requests have ended.
    STATIC_BATCH
}
