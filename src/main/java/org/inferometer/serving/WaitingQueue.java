package org.inferometer.serving;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.inferometer.scheduling.Progress;
import org.jspecify.annotations.Nullable;

/// Waiting requests by age, linked through their own pages: joining, leaving and looking at the head cost the same at any length.
final class WaitingQueue implements Iterable<Progress> {
    private @Nullable LiveRequest head;
    private @Nullable LiveRequest tail;
    private int size;

    int size() {
        return size;
    }

    @Nullable
    LiveRequest head() {
        return head;
    }

    /// A new arrival: looks for its place from the young end.
    void join(LiveRequest request) {
        LiveRequest before = tail;
        while (before != null && request.isOlderThan(before)) {
            before = before.previousWaiting;
        }
        link(before, request);
    }

    /// An evicted request, which is older than most that wait: looks for its place from the old end.
    void rejoin(LiveRequest request) {
        LiveRequest before = null;
        LiveRequest at = head;
        while (at != null && at.isOlderThan(request)) {
            before = at;
            at = at.nextWaiting;
        }
        link(before, request);
    }

    void leave(LiveRequest request) {
        LiveRequest before = request.previousWaiting;
        LiveRequest after = request.nextWaiting;
        if (before == null) {
            head = after;
        } else {
            before.nextWaiting = after;
        }
        if (after == null) {
            tail = before;
        } else {
            after.previousWaiting = before;
        }
        request.previousWaiting = null;
        request.nextWaiting = null;
        size--;
    }

    private void link(@Nullable LiveRequest before, LiveRequest request) {
        LiveRequest after = before == null ? head : before.nextWaiting;
        request.previousWaiting = before;
        request.nextWaiting = after;
        if (before == null) {
            head = request;
        } else {
            before.nextWaiting = request;
        }
        if (after == null) {
            tail = request;
        } else {
            after.previousWaiting = request;
        }
        size++;
    }

    @Override
    public Iterator<Progress> iterator() {
        return new Iterator<>() {
            private @Nullable LiveRequest next = head;

            @Override
            public boolean hasNext() {
                return next != null;
            }

            @Override
            public Progress next() {
                LiveRequest current = next;
                if (current == null) {
                    throw new NoSuchElementException();
                }
                next = current.nextWaiting;
                return current.progress();
            }
        };
    }
}
