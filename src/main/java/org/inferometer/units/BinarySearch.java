package org.inferometer.units;

import java.util.function.IntPredicate;

/// Binary search by a condition.
public final class BinarySearch {
    private BinarySearch() {}

    /// The first index in 0..size − 1 that meets a condition which holds for all later ones; size if there is none.
    public static int first(int size, IntPredicate condition) {
        return last(-1, size, index -> !condition.test(index)) + 1;
    }

    /// The last index from a known one on that meets a condition, found by steps that double: near ones take few reads.
    ///
    /// @param known meets the condition, or is one before all indices
    /// @param end one after the last index
    /// @param condition holds for no index after one that does not meet it
    public static int last(int known, int end, IntPredicate condition) {
        int within = known;
        int step = 1;
        while (within + step < end && condition.test(within + step)) {
            within += step;
            step *= 2;
        }
        int beyond = Math.min(end, within + step);
        while (beyond - within > 1) {
            int middle = (within + beyond) >>> 1;
            if (condition.test(middle)) {
                within = middle;
            } else {
                beyond = middle;
            }
        }
        return within;
    }
}
