package org.inferometer.scheduling;

/// The decision of a scheduler for one idle lane.
public sealed interface Decision {
    /// Starts work. Waiting requests with allocations in the plan are admitted.
    ///
    /// @param reason action and limit, for the record: "prefill 1, decode 8; batch full"
    record Run(Work work, KvPlan plan, String reason) implements Decision {}

    /// Evicts at least one request, reserves nothing, and asks again.
    record Evict(KvPlan plan, String reason) implements Decision {}

    /// No work before this future instant; asked again then, or earlier after an arrival or an end.
    record WaitUntil(long nanos) implements Decision {}

    /// No work before the next arrival or end.
    record Idle() implements Decision {}
}
