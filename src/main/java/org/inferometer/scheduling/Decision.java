package org.inferometer.scheduling;

/// A scheduler's answer for one idle lane.
public sealed interface Decision {
    /// Run this now; waiting requests in it are thereby admitted.
    ///
    /// @param reason why this work, in a few words, for the record: "decode 8, prefill 1"
    record Run(Work work, KvPlan plan, String reason) implements Decision {}

    /// Take blocks away first, then ask again.
    record Evict(KvPlan plan, String reason) implements Decision {}

    /// Nothing yet; ask again at this instant, or earlier if something arrives or ends.
    record WaitUntil(long nanos) implements Decision {}

    /// Nothing to do until something arrives or ends.
    record Idle() implements Decision {}
}
