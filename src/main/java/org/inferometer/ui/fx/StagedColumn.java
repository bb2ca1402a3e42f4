package org.inferometer.ui.fx;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Supplier;
import javafx.beans.value.ObservableValue;
import javafx.scene.Node;
import javafx.scene.Scene;
import javafx.scene.layout.VBox;
import javafx.stage.Window;

/// A column whose lower parts are made one in each frame, so that a long page does not stop the window.
///
/// Outside a shown window all parts are made with the first layout. Belongs to the JavaFX thread.
public final class StagedColumn extends VBox {
    private final Queue<Supplier<? extends Node>> waiting = new ArrayDeque<>();
    private boolean coming;

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

    private void await() {
        if (!coming && !waiting.isEmpty() && isShown()) {
            coming = true;
            Panes.afterLayout(getScene(), () -> {
                coming = false;
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
