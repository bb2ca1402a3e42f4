package org.inferometer.record;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Gathers requests in columns. For one thread.
public final class RequestColumnsBuilder {
    private final RequestBlock.Filling filling = new RequestBlock.Filling();
    private final List<RequestBlock> blocks = new ArrayList<>();
    private final EventPages.Writer events = new EventPages.Writer();
    private final @Nullable EventPages given;
    private long[] nanos = new long[64]; // of one request
    private int count;

    /// For requests that are added with their events.
    public RequestColumnsBuilder() {
        given = null;
    }

    /// For requests whose events are packed already.
    public RequestColumnsBuilder(EventPages events) {
        given = events;
    }

    /// Adds a request with its events.
    ///
    /// @throws IllegalStateException if events are packed already
    public void add(RequestOutcome request) {
        if (given != null) {
            throw new IllegalStateException("The events of these requests are packed already.");
        }
        long[] own = request.eventNanos();
        add(request, events.put(own, request.eventTokens(), request.eventAnswers()),
                own.length == 0 ? RequestOutcome.ABSENT : own[own.length - 1]);
    }

    /// Adds a request whose events are packed already.
    ///
    /// @param request without its events
    /// @param place of its events
    /// @throws IllegalStateException if events are not packed already
    public void add(RequestOutcome request, int place) {
        if (given == null) {
            throw new IllegalStateException("The events of these requests are not packed yet.");
        }
        int n = given.count(place);
        nanos = n > nanos.length ? new long[n] : nanos;
        given.nanos(place, nanos);
        add(request, place, n == 0 ? RequestOutcome.ABSENT : nanos[n - 1]);
    }

    private void add(RequestOutcome request, int place, long lastNanos) {
        filling.add(request, place, lastNanos);
        count++;
        if (filling.isFull()) {
            filling.closeInto(blocks);
        }
    }

    /// Requests so far.
    public int size() {
        return count;
    }

    /// The requests in the order in which they were added. Called once.
    public RequestColumns build() {
        filling.closeInto(blocks);
        return RequestColumns.of(blocks, given == null ? events.pages() : given);
    }
}
