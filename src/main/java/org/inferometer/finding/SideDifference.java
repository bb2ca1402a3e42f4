package org.inferometer.finding;

import org.jspecify.annotations.Nullable;

/// Why two compared sides are not comparable.
public sealed interface SideDifference {
    /// A property that both sides must share.
    enum Property {
        MODEL, DEVICE
    }

    /// A property that differs, or that a side does not know.
    ///
    /// @param base its value of the base; absent where it is not known
    /// @param candidate its value of the candidate; absent where it is not known
    record OfProperty(Property property, @Nullable String base, @Nullable String candidate) implements SideDifference {
        @Override
        public boolean isUnknown() {
            return base == null || candidate == null;
        }
    }

    /// The requests of one side or of both were not recorded.
    record UnknownRequests(boolean ofBase, boolean ofCandidate) implements SideDifference {
        @Override
        public boolean isUnknown() {
            return true;
        }
    }

    /// Not all seeds were drawn on both sides.
    record UnsharedSeeds(int shared, int seeds) implements SideDifference {}

    /// Two workloads that draw different requests from the same seeds.
    ///
    /// @param base name of the base's workload
    /// @param candidate name of the candidate's workload
    record OtherDraws(String base, String candidate) implements SideDifference {}

    /// What of a request was counted.
    enum Length {
        ANSWER, PROMPT
    }

    /// The same requests became other work: mean tokens of a request, as counted by each side.
    record OtherLengths(Length length, double base, double candidate) implements SideDifference {}

    /// Whether a side does not know what is compared; else both do, and it differs.
    default boolean isUnknown() {
        return false;
    }
}
