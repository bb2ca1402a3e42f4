package org.inferometer.ui.fx;

import javafx.application.Platform;

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

    /// The JavaFX application thread.
    public static final class JavaFxThread implements UiThread {
        @Override
        public void later(Runnable action) {
            Platform.runLater(action);
        }

        @Override
        public boolean current() {
            return Platform.isFxApplicationThread();
        }
    }
}
