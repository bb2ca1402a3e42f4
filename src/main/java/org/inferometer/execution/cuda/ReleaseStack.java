package org.inferometer.execution.cuda;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/// What was taken and how it is given back, the last first; so that whoever fails half way gives back what he has. Used by one thread
/// at a time, with the device's context current.
final class ReleaseStack implements AutoCloseable {
    private final Deque<Runnable> releases = new ArrayDeque<>();

    /// Remembers what was taken just now.
    <T> T taken(T what, Consumer<? super T> release) {
        releases.push(() -> release.accept(what));
        return what;
    }

    /// Gives everything back, once.
    @Override
    public void close() {
        while (!releases.isEmpty()) {
            releases.pop().run();
        }
    }
}
