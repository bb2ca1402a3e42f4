package org.inferometer.results;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Token instants by request number: an array for dense numbers, a map beyond, so that a false number allocates no memory.
final class TokensByRequest {
    private static final int ALWAYS_DENSE = 1 << 16;
    private static final int SPARSENESS = 4;
    private long[] @Nullable [] dense = new long[ALWAYS_DENSE][];
    private final Map<Integer, long[]> sparse = new HashMap<>();
    private int count;

    /// The instants of a request; null if there are none.
    long @Nullable [] of(int request) {
        long[] found = request < dense.length ? dense[request] : null;
        return found != null || sparse.isEmpty() ? found : sparse.get(request);
    }

    /// Adds the instants of a request; false if it already has some.
    boolean put(int request, long[] nanos) {
        if (of(request) != null) {
            return false;
        }
        count++;
        if (request >= dense.length && request < (long) SPARSENESS * count + ALWAYS_DENSE) {
            dense = Arrays.copyOf(dense, (int) Math.min(Integer.MAX_VALUE - 8, 2L * request));
        }
        if (request < dense.length) {
            dense[request] = nanos;
        } else {
            sparse.put(request, nanos);
        }
        return true;
    }
}
