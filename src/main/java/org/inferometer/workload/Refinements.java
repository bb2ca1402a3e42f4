package org.inferometer.workload;

import org.jspecify.annotations.Nullable;

/// What a load may have beside lengths and arrivals.
///
/// @param durationNanos sending stops this long after the measured phase began; 0 where a number of requests says it alone
/// @param prefixGroups how many different shared prefixes there are; each request has one of them, drawn
/// @param sessions conversations of several turns; absent where every request stands alone
/// @param trace recorded traffic to replay; absent where lengths are drawn
public record Refinements(long durationNanos, int prefixGroups, @Nullable Sessions sessions,
        DeadlineDistribution patience, @Nullable TraceReplay trace) {
    /// Nothing beside lengths and arrivals.
    public static final Refinements NONE = new Refinements(0, 1, null, DeadlineDistribution.ENDLESS, null);

    /// Sending until an instant.
    public Refinements withDuration(long nanos) {
        return new Refinements(nanos, prefixGroups, sessions, patience, trace);
    }

    /// As many different prefixes.
    public Refinements withPrefixGroups(int groups) {
        return new Refinements(durationNanos, groups, sessions, patience, trace);
    }

    /// Conversations of several turns, or none.
    public Refinements withSessions(@Nullable Sessions changed) {
        return new Refinements(durationNanos, prefixGroups, changed, patience, trace);
    }

    /// Senders with other patience.
    public Refinements withPatience(DeadlineDistribution changed) {
        return new Refinements(durationNanos, prefixGroups, sessions, changed, trace);
    }

    /// Recorded traffic, or none.
    public Refinements withTrace(@Nullable TraceReplay changed) {
        return new Refinements(durationNanos, prefixGroups, sessions, patience, changed);
    }
}
