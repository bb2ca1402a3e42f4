package org.inferometer.ui.fx;

/// The thread of the window. View models change their properties only on it.
public interface UiThread {
    /// Queues an action. May be called from any thread.
    void later(Runnable action);

    /// Whether the caller runs on this thread.
    boolean current();

    /// Runs an action at once when called on this thread, else queues it.
    default void run(Runnable action) {
        if (current()) {
            action.run();
        } else {
            later(action);
        }
    }
}
