package org.inferometer.workload;

import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Requests that are drawn one by one during the run, after those drawn before it, for closed loops that end by time.
///
/// The n-th request depends on specification and seed only; every iterator starts with the first.
public final class LaterRequests implements Iterable<Request> {
    /// No further requests.
    public static final LaterRequests NONE = new LaterRequests(0, () -> () -> null);

    private final int most;
    private final Supplier<Supplier<@Nullable Request>> draws;

    /// @param most maximum number of requests
    /// @param draws starts a draw at the first request; each call gives the next request, or null if there is none
    LaterRequests(int most, Supplier<Supplier<@Nullable Request>> draws) {
        this.most = most;
        this.draws = draws;
    }

    @Override
    public Iterator<Request> iterator() {
        if (most == 0) {
            return Collections.emptyIterator();
        }
        Supplier<@Nullable Request> draw = draws.get();
        return new Iterator<>() {
            private @Nullable Request ahead;

            @Override
            public boolean hasNext() {
                if (ahead == null) {
                    ahead = draw.get();
                }
                return ahead != null;
            }

            @Override
            public Request next() {
                Request next = hasNext() ? ahead : null;
                if (next == null) {
                    throw new NoSuchElementException("All requests are drawn.");
                }
                ahead = null;
                return next;
            }
        };
    }
}
