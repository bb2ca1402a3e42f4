package org.inferometer.report.timeline;

import java.util.function.IntPredicate;

/// Binary search by a condition.
final class BinarySearch {
    private BinarySearch() {}

    /// The first index in 0..size − 1 that meets a condition which holds for all later ones; size if there is none.
    static int first(int size, IntPredicate condition) {
        int low = 0;
        int high = size;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (condition.test(middle)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }
}
