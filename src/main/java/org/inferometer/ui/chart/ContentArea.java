package org.inferometer.ui.chart;

import java.util.List;
import javafx.scene.Node;
import javafx.scene.layout.Pane;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.theme.StyleClasses;
import org.jspecify.annotations.Nullable;

/// The content of the window: one view, or one of its charts over the whole area.
public final class ContentArea extends StackPane {
    private @Nullable Maximised maximised;

    /// A tile and the region that keeps its place in the view.
    private record Maximised(ChartTile tile, Pane parent, Region place) {}

    /// Replaces the view; a maximised chart goes back to its place first.
    ///
    /// @return false if the view was shown already
    public boolean show(Node view) {
        restore();
        return !getChildren().equals(List.of(view)) && getChildren().setAll(view);
    }

    /// Shows a tile over the whole area.
    void maximise(ChartTile tile) {
        restore();
        if (tile.getParent() instanceof Pane parent) {
            Region place = new Region();
            place.setPrefSize(tile.getWidth(), tile.getHeight());
            place.getProperties().putAll(tile.getProperties());
            parent.getChildren().set(parent.getChildren().indexOf(tile), place);
            getChildren().forEach(view -> view.setVisible(false));
            maximised = new Maximised(tile, parent, place);
            StackPane frame = Panes.styled(new StackPane(tile), StyleClasses.VIEW_BODY);
            getChildren().add(frame);
            applyCss();
            layout();
            tile.setMaximised(true);
        }
    }

    /// Puts the maximised tile back.
    void restore() {
        Maximised shown = maximised;
        if (shown != null) {
            maximised = null;
            getChildren().removeLast();
            getChildren().forEach(view -> view.setVisible(true));
            int at = shown.parent().getChildren().indexOf(shown.place());
            if (at >= 0) {
                shown.parent().getChildren().set(at, shown.tile());
            }
            shown.tile().setMaximised(false);
        }
    }

    /// Whether a node in it has the focus.
    public boolean holdsFocus() {
        Node focused = getScene() == null ? null : getScene().getFocusOwner();
        while (focused != null && focused != this) {
            focused = focused.getParent();
        }
        return focused != null;
    }

    boolean isMaximised(ChartTile tile) {
        return maximised != null && maximised.tile() == tile;
    }

    /// The area that a node is in; null outside of a window.
    static @Nullable ContentArea around(Node node) {
        Node parent = node.getParent();
        while (parent != null && !(parent instanceof ContentArea)) {
            parent = parent.getParent();
        }
        return (ContentArea) parent;
    }
}
