package org.inferometer.ui.fx;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Supplier;
import javafx.application.Platform;
import javafx.beans.value.ObservableValue;
import javafx.scene.Node;
import javafx.scene.Scene;
import javafx.scene.layout.VBox;
import javafx.stage.Window;
import org.jspecify.annotations.Nullable;

/// A column whose lower parts are made one in each frame, so that a long page does not stop the window.
///
/// Outside a shown window all parts are made with the first layout. Belongs to the JavaFX thread.
public final class StagedColumn extends VBox {
    private final Queue<Supplier<? extends Node>> waiting = new ArrayDeque<>();
    private final Runnable laidOut = this::laidOut;
    private @Nullable Scene awaited;

    /// @param spacing between the parts in pixels
    public StagedColumn(double spacing) {
        super(spacing);
        ObservableValue<Boolean> showing =
                sceneProperty().flatMap(Scene::windowProperty).flatMap(Window::showingProperty).orElse(false);
        showing.subscribe(shown -> {
            if (shown) {
                await();
            }
        });
    }

    /// Adds a part below all others, in a later frame.
    public void later(Supplier<? extends Node> part) {
        waiting.add(part);
        await();
    }

    private boolean isShown() {
        return getScene() != null && getScene().getWindow() != null && getScene().getWindow().isShowing();
    }

    /// Waits for the end of the next frame.
    private void await() {
        if (awaited == null && !waiting.isEmpty() && isShown()) {
            awaited = getScene();
            awaited.addPostLayoutPulseListener(laidOut);
            Platform.requestNextPulse();
        }
    }

    private void laidOut() {
        if (awaited != null) {
            awaited.removePostLayoutPulseListener(laidOut);
            // Queued events run after the frame.
            Platform.runLater(() -> {
                awaited = null;
                if (!waiting.isEmpty() && isShown()) {
                    getChildren().add(waiting.remove().get());
                    await();
                }
            });
        }
    }

    @Override
    protected double computePrefHeight(double width) {
        if (!isShown()) {
            while (!waiting.isEmpty()) {
                getChildren().add(waiting.remove().get());
            }
        }
        return super.computePrefHeight(width);
    }
}
