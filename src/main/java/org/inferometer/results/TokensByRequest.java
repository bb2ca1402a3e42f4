package org.inferometer.results;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.inferometer.record.EventPages;

/// Places of events by request number: an array for dense numbers, a map beyond, so that a false number allocates no memory.
final class TokensByRequest {
    private static final int ALWAYS_DENSE = 1 << 16;
    private static final int SPARSENESS = 4;
    private int[] dense = new int[ALWAYS_DENSE];
    private final Map<Integer, Integer> sparse = new HashMap<>();
    private int count;

    /// The place of a request's events; [EventPages#NONE] if there are none.
    int of(int request) {
        int found = request < dense.length ? dense[request] : EventPages.NONE;
        return found != EventPages.NONE || sparse.isEmpty() ? found : sparse.getOrDefault(request, EventPages.NONE);
    }

    /// Adds the place of a request's events; false if it already has one.
    boolean put(int request, int place) {
        if (of(request) != EventPages.NONE) {
            return false;
        }
        count++;
        if (request >= dense.length && request < (long) SPARSENESS * count + ALWAYS_DENSE) {
            dense = Arrays.copyOf(dense, (int) Math.min(Integer.MAX_VALUE - 8, 2L * request));
        }
        if (request < dense.length) {
            dense[request] = place;
        } else {
            sparse.put(request, place);
        }
        return true;
    }
}
