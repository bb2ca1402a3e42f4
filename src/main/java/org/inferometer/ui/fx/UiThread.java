package org.inferometer.ui.fx;

/// The thread that owns the window: view models change their properties on it and nowhere else.
///
/// The desktop's is the JavaFX thread; tests run everything inline.
public interface UiThread {
    /// Runs an action on the thread soon, in order of arrival. May be called from any thread.
    void later(Runnable action);

    /// Whether the caller is on it.
    boolean current();

    /// Runs an action at once when already on the thread, else soon.
    default void run(Runnable action) {
        if (current()) {
            action.run();
        } else {
            later(action);
        }
    }
}
