package org.inferometer.results;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Events with output by request number: an array for dense numbers, a map beyond, so that a false number allocates no memory.
final class TokensByRequest {
    private static final int ALWAYS_DENSE = 1 << 16;
    private static final int SPARSENESS = 4;
    private @Nullable Events[] dense = new Events[ALWAYS_DENSE];
    private final Map<Integer, Events> sparse = new HashMap<>();
    private int count;

    /// The events of a request.
    ///
    /// @param nanos `[events]` ascending
    /// @param tokens `[events]`, or empty where the file has none
    /// @param answers `[events]`, or empty where the request has one answer
    record Events(long[] nanos, int[] tokens, int[] answers) {}

    /// The events of a request; null if there are none.
    @Nullable
    Events of(int request) {
        Events found = request < dense.length ? dense[request] : null;
        return found != null || sparse.isEmpty() ? found : sparse.get(request);
    }

    /// Adds the events of a request; false if it already has some.
    boolean put(int request, Events events) {
        if (of(request) != null) {
            return false;
        }
        count++;
        if (request >= dense.length && request < (long) SPARSENESS * count + ALWAYS_DENSE) {
            dense = Arrays.copyOf(dense, (int) Math.min(Integer.MAX_VALUE - 8, 2L * request));
        }
        if (request < dense.length) {
            dense[request] = events;
        } else {
            sparse.put(request, events);
        }
        return true;
    }
}
