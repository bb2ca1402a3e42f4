package org.inferometer.serving;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.inferometer.scheduling.RequestProgress;
import org.jspecify.annotations.Nullable;

/// Waiting requests by age, linked through fields of their own: adding an arrival, removing and reading the head take constant time.
final class WaitingQueue implements Iterable<RequestProgress> {
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

    /// Adds a new arrival; searches its place from the youngest.
    void add(LiveRequest request) {
        LiveRequest before = tail;
        while (before != null && request.isOlderThan(before)) {
            before = before.previousWaiting;
        }
        link(before, request);
    }

    /// Adds a preempted request, which is older than most, so it searches from the oldest.
    void addPreempted(LiveRequest request) {
        LiveRequest before = null;
        LiveRequest at = head;
        while (at != null && at.isOlderThan(request)) {
            before = at;
            at = at.nextWaiting;
        }
        link(before, request);
    }

    void remove(LiveRequest request) {
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
    public Iterator<RequestProgress> iterator() {
        return new Iterator<>() {
            private @Nullable LiveRequest next = head;

            @Override
            public boolean hasNext() {
                return next != null;
            }

            @Override
            public RequestProgress next() {
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
