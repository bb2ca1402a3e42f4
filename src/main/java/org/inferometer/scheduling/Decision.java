package org.inferometer.scheduling;

/// A scheduler's answer for one idle lane.
public sealed interface Decision {
    /// Run this now; waiting requests for which its plan reserves blocks are thereby admitted.
    ///
    /// @param reason what and why, in a few words, for the record: "prefill 1, decode 8; batch full"
    record Run(Work work, KvPlan plan, String reason) implements Decision {}

    /// Take blocks away first, then ask again. The plan evicts at least one request and reserves nothing.
    record Evict(KvPlan plan, String reason) implements Decision {}

    /// Nothing yet; ask again at this instant, which is still to come, or earlier if something arrives or ends.
    record WaitUntil(long nanos) implements Decision {}

    /// Nothing to do until something arrives or ends.
    record Idle() implements Decision {}
}
