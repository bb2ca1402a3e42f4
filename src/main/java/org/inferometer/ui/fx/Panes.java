package org.inferometer.ui.fx;

import java.util.Optional;
import javafx.application.Platform;
import javafx.beans.value.ObservableValue;
import javafx.geometry.Bounds;
import javafx.geometry.Insets;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.Scene;
import javafx.scene.control.ScrollPane;
import javafx.scene.layout.ColumnConstraints;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.inferometer.ui.theme.StyleClasses;

/// Makes containers and shows or hides nodes.
public final class Panes {
    /// Room above and below a revealed node, for its label and message.
    private static final double AROUND = 60;

    private Panes() {}

    /// Nodes in a row, vertically centred.
    ///
    /// @param gap pixels between two nodes
    public static HBox row(double gap, Node... nodes) {
        HBox row = new HBox(gap, nodes);
        row.setAlignment(Pos.CENTER_LEFT);
        return row;
    }

    /// Nodes in a row, aligned at the top.
    ///
    /// @param gap pixels between two nodes
    public static HBox topRow(double gap, Node... nodes) {
        HBox row = new HBox(gap, nodes);
        row.setAlignment(Pos.TOP_LEFT);
        return row;
    }

    /// The region, which takes the remaining width of a row.
    public static Region filling(Region region) {
        HBox.setHgrow(region, Priority.ALWAYS);
        return region;
    }

    /// A node with an id in the scene and style classes.
    public static <N extends Node> N named(String id, N node, String... styleClasses) {
        node.setId(id);
        return styled(node, styleClasses);
    }

    /// A node with style classes.
    public static <N extends Node> N styled(N node, String... styleClasses) {
        node.getStyleClass().addAll(styleClasses);
        return node;
    }

    /// Takes the remaining width of a row.
    public static Region spacer() {
        Region spacer = new Region();
        HBox.setHgrow(spacer, Priority.ALWAYS);
        return spacer;
    }

    /// A card with a heading.
    public static VBox section(String heading, Node... content) {
        VBox section = new VBox(10, Labels.of(heading, StyleClasses.TILE_TITLE));
        section.getChildren().addAll(content);
        section.getStyleClass().addAll(StyleClasses.CARD, StyleClasses.SECTION_CARD);
        return section;
    }

    /// Content that scrolls vertically and is as wide as the pane.
    public static ScrollPane scroll(Node content) {
        ScrollPane scroll = new ScrollPane(content);
        scroll.setFitToWidth(true);
        scroll.getStyleClass().add(StyleClasses.PLAIN_SCROLL);
        // A cached picture of all content would be drawn again for each move of a crosshair and each new datum.
        scroll.skinProperty().subscribe(skin -> Optional.ofNullable(scroll.lookup(".viewport"))
                .ifPresent(viewport -> viewport.setCache(false)));
        return scroll;
    }

    /// Keeps content as wide with a scroll bar as without: the bar stands in a gutter at its right.
    ///
    /// @param gutter pixels
    public static void keepGutter(ScrollPane scroll, Region content, double gutter) {
        Insets around = content.getPadding();
        scroll.viewportBoundsProperty().subscribe(viewport -> {
            double bar = viewport.getWidth() == 0 ? 0 : Math.rint(scroll.getWidth() - viewport.getWidth());
            content.setPadding(
                    new Insets(around.getTop(), Math.max(0, gutter - bar), around.getBottom(), around.getLeft()));
        });
    }

    /// Scrolls up or down until a node within the content is seen, with what stands close to it.
    public static void reveal(ScrollPane scroll, Node node) {
        scroll.applyCss();
        scroll.layout();
        Node content = scroll.getContent();
        double hidden = content.getLayoutBounds().getHeight() - scroll.getViewportBounds().getHeight();
        Bounds place = content.sceneToLocal(node.localToScene(node.getLayoutBounds()));
        double top = scroll.getVvalue() * hidden;
        boolean seen =
                place.getMinY() >= top && place.getMaxY() + AROUND <= top + scroll.getViewportBounds().getHeight();
        if (hidden > 0 && !seen) {
            scroll.setVvalue(Math.clamp((place.getMinY() - AROUND) / hidden, 0, 1));
        }
    }

    /// A node that takes the focus: the node itself, or the first shown within it; empty if none does.
    public static Optional<Node> firstFocusable(Node node) {
        if (!node.isVisible() || node.isDisabled()) {
            return Optional.empty();
        }
        return node.isFocusTraversable() ? Optional.of(node)
                : node instanceof Parent parent ? parent.getChildrenUnmodifiable().stream()
                        .flatMap(child -> firstFocusable(child).stream()).findFirst()
                : Optional.empty();
    }

    /// A grid whose columns are never narrower than their content; the last one takes the remaining width.
    public static GridPane grid(int columns, double horizontalGap, double verticalGap) {
        GridPane grid = new GridPane(horizontalGap, verticalGap);
        for (int i = 0; i < columns; i++) {
            ColumnConstraints column = new ColumnConstraints();
            if (i == columns - 1) {
                column.setHgrow(Priority.ALWAYS);
            } else {
                column.setMinWidth(Region.USE_PREF_SIZE);
            }
            grid.getColumnConstraints().add(column);
        }
        return grid;
    }

    /// Shows a node, or hides it so that it takes no room.
    public static void show(Node node, boolean visible) {
        node.setVisible(visible);
        node.setManaged(visible);
    }

    /// Shows a node while a condition holds; a hidden node takes no room.
    public static void showWhen(Node node, ObservableValue<Boolean> condition) {
        node.visibleProperty().bind(condition);
        node.managedProperty().bind(node.visibleProperty());
    }

    /// Asks for a layout and runs an action once after it: then new nodes have their places and can take the focus. Called on the JavaFX
    /// thread, and so is the action.
    public static void afterLayout(Scene scene, Runnable action) {
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
