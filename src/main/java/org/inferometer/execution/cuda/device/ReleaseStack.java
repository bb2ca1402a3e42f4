package org.inferometer.execution.cuda.device;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/// Releases resources in reverse order, also after a partial failure. Used by one thread at a time with the device's
/// context current.
public final class ReleaseStack implements AutoCloseable {
    private final Deque<Runnable> releases = new ArrayDeque<>();

    /// Adds a resource and its release.
    public <T> T taken(T what, Consumer<? super T> release) {
        releases.push(() -> release.accept(what));
        return what;
    }

    /// Releases everything once.
    @Override
    public void close() {
        while (!releases.isEmpty()) {
            releases.pop().run();
        }
    }
}
