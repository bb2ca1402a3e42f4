package org.inferometer.finding;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Why figures of a compared pair may mislead.
public sealed interface PairCaution {
    /// A run of the side is INVALID.
    ///
    /// @param side its full name
    record InvalidRun(String side) implements PairCaution {}

    /// The result of the side is INVALID, but none of the side's runs is.
    ///
    /// @param experiment id of the result
    /// @param broken its conditions that do not hold
    /// @param side full name of the side
    record InvalidResult(String experiment, String broken, String side) implements PairCaution {}

    /// The sides were measured in two experiments.
    ///
    /// @param shortest time between the experiments, of several pairs the shortest; absent where it is not known
    /// @param longest of several pairs the longest
    /// @param uncovered labels of the metrics whose intervals do not contain the variation between experiments
    /// @param covered whether the intervals of other metrics do
    record TwoExperiments(@Nullable Duration shortest, @Nullable Duration longest, List<String> uncovered,
            boolean covered) implements PairCaution {

        /// Of one pair.
        public static TwoExperiments of(@Nullable Duration apart, List<String> uncovered, boolean covered) {
            return new TwoExperiments(apart, apart, uncovered, covered);
        }

        /// One caution for this and other pairs; empty where they say different things.
        public Optional<TwoExperiments> with(TwoExperiments other) {
            if (uncovered.equals(other.uncovered) && covered == other.covered && shortest != null && longest != null
                    && other.shortest != null && other.longest != null) {
                return Optional.of(new TwoExperiments(
                        Stream.of(shortest, other.shortest).min(Duration::compareTo).orElseThrow(),
                        Stream.of(longest, other.longest).max(Duration::compareTo).orElseThrow(), uncovered, covered));
            }
            return equals(other) ? Optional.of(this) : Optional.empty();
        }
    }
}
