package org.inferometer.ui.fx;

import javafx.application.Platform;
import javafx.scene.Scene;

/// Runs an action when a scene was laid out once more: then new nodes have their places and can take the focus.
public final class NextLayout {
    private NextLayout() {}

    /// Asks for a layout and runs the action once after it. Called on the JavaFX thread, and so is the action.
    public static void then(Scene scene, Runnable action) {
        Runnable[] once = new Runnable[1];
        once[0] = () -> {
            scene.removePostLayoutPulseListener(once[0]);
            // Queued events run after the frame.
            Platform.runLater(action);
        };
        scene.addPostLayoutPulseListener(once[0]);
        Platform.requestNextPulse();
    }
}
