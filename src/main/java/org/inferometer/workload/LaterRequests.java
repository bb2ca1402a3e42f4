package org.inferometer.workload;

import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Requests that follow those drawn before the run and are drawn one by one while it goes on: nobody knows how many a closed loop
/// needs in a given time.
///
/// What the n-th of them is depends on specification and seed alone; every iterator begins with the same.
public final class LaterRequests implements Iterable<Request> {
    /// There are no more.
    public static final LaterRequests NONE = new LaterRequests(0, () -> () -> null);

    private final int most;
    private final Supplier<Supplier<@Nullable Request>> draws;

    /// @param most there can be
    /// @param draws starts drawing at the first of them; each draw gives the next, or null when there is none
    LaterRequests(int most, Supplier<Supplier<@Nullable Request>> draws) {
        this.most = most;
        this.draws = draws;
    }

    /// No more than this many.
    public int most() {
        return most;
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
