package org.inferometer.measurement.statistics;

import java.util.List;

/// Whether pairs of positive values are equal but for a margin: two one-sided tests of the mean logarithm of their ratios at 5 % each
/// (Schuirmann, 1987), which is an interval at 90 % confidence within the margin.
///
/// @param mean of the relative differences, as a fraction: the mean logarithm of candidate / base
/// @param halfWidth of its interval at 90 %
/// @param margin largest difference that counts as equal
public record PairedEquivalence(int pairs, double mean, double halfWidth, double margin) {
    private static final double CONFIDENCE = 0.90;

    /// What the pairs show.
    public enum Outcome {
        /// The interval lies within the margin.
        EQUIVALENT,
        /// The interval lies beyond the margin.
        DIFFERENT,
        /// The interval contains a margin, so the pairs are too few or too noisy.
        UNDECIDED
    }

    /// @param base one value per pair, above 0; at least two
    /// @param candidate in the order of the base
    /// @throws IllegalArgumentException with fewer than two pairs
    public static PairedEquivalence of(List<Double> base, List<Double> candidate, double margin) {
        if (base.size() < 2 || base.size() != candidate.size()) {
            throw new IllegalArgumentException("An equivalence test needs at least two pairs.");
        }
        MeanDifference difference = MeanDifference.ofPairs(base.stream().map(Math::log).toList(),
                candidate.stream().map(Math::log).toList());
        return new PairedEquivalence(base.size(), difference.difference(), difference.halfWidth(CONFIDENCE), margin);
    }

    public Outcome outcome() {
        double limit = Math.log1p(margin);
        return Math.abs(mean) + halfWidth <= limit ? Outcome.EQUIVALENT
                : Math.abs(mean) - halfWidth > limit ? Outcome.DIFFERENT
                : Outcome.UNDECIDED;
    }
}
