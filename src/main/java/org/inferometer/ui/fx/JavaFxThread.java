package org.inferometer.ui.fx;

import javafx.application.Platform;

/// The JavaFX application thread.
public final class JavaFxThread implements UiThread {
    @Override
    public void later(Runnable action) {
        Platform.runLater(action);
    }

    @Override
    public boolean current() {
        return Platform.isFxApplicationThread();
    }
}
