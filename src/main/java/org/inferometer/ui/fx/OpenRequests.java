package org.inferometer.ui.fx;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/// Requests to a running window from later starts of the program.
@FunctionalInterface
public interface OpenRequests {
    /// There are none.
    OpenRequests NONE = asked -> {};

    /// Begins to pass requests on, from any thread.
    ///
    /// @param asked receives the file to open; empty if the window shall only come to the front
    void listen(Consumer<Optional<Path>> asked);

    /// Takes no more requests; a later start opens a window of its own.
    default void close() {}
}
