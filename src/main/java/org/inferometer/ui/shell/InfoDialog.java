package org.inferometer.ui.shell;

import java.util.stream.Stream;
import javafx.geometry.Rectangle2D;
import javafx.scene.Node;
import javafx.scene.control.Alert;
import javafx.scene.control.ButtonType;
import javafx.scene.control.DialogPane;
import javafx.scene.control.ScrollPane;
import javafx.scene.layout.Region;
import javafx.stage.Screen;
import javafx.stage.Window;
import javafx.util.Subscription;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.theme.Appearance;
import org.jspecify.annotations.Nullable;

/// A dialog that tells something and is closed.
final class InfoDialog {
    /// For the frame of the window.
    private static final double AROUND = 60;
    /// Scroll bar and edges of the content.
    private static final double BAR = 32;

    private InfoDialog() {}

    /// Shows it over the window of a node, without waiting.
    static void show(String heading, String body, @Nullable Node content, Node over, Appearance appearance) {
        of(heading, body, content, over, appearance).show();
    }

    /// The dialog, over the window of a node.
    ///
    /// @param content in place of the text; may be absent
    static Alert of(String heading, String body, @Nullable Node content, Node over, Appearance appearance) {
        Alert alert = new Alert(Alert.AlertType.INFORMATION, body, ButtonType.CLOSE);
        alert.setTitle(heading);
        alert.setHeaderText(heading);
        alert.setGraphic(null);
        if (content != null) {
            alert.getDialogPane().setContent(content);
        }
        if (over.getScene() != null) {
            alert.initOwner(over.getScene().getWindow());
        }
        appearance.dress(alert.getDialogPane());
        // Controls have a size once they are styled; the window takes its own before that.
        alert.getDialogPane().applyCss();
        alert.getDialogPane().layout();
        keepWithin(screen(over), alert.getDialogPane());
        Subscription[] following = {Subscription.EMPTY};
        alert.showingProperty().subscribe((before, showing) -> {
            following[0].unsubscribe();
            following[0] = showing ? appearance.follow(alert.getDialogPane(), () -> resize(alert, content, over))
                    : Subscription.EMPTY;
        });
        return alert;
    }

    /// The window takes the size that its content has with texts of another size.
    private static void resize(Alert alert, @Nullable Node content, Node over) {
        DialogPane pane = alert.getDialogPane();
        if (content != null && pane.getContent() instanceof ScrollPane scroll) {
            scroll.setContent(null);
            pane.setContent(content);
        }
        pane.applyCss();
        pane.layout();
        Rectangle2D screen = screen(over);
        keepWithin(screen, pane);
        Window window = pane.getScene().getWindow();
        window.sizeToScene();
        window.setX(Math.max(screen.getMinX(), Math.min(window.getX(), screen.getMaxX() - window.getWidth())));
        window.setY(Math.max(screen.getMinY(), Math.min(window.getY(), screen.getMaxY() - window.getHeight())));
    }

    /// Content that is larger than the screen scrolls: with large texts its buttons could be reached by nobody.
    static void keepWithin(Rectangle2D screen, DialogPane pane) {
        double width = Math.max(pane.minWidth(-1), Math.min(pane.prefWidth(-1), pane.maxWidth(-1)));
        double height = pane.prefHeight(width);
        double mostWidth = screen.getWidth() - AROUND;
        double mostHeight = screen.getHeight() - AROUND;
        Node content = pane.getContent();
        if (content == null || (width <= mostWidth && height <= mostHeight)) {
            return;
        }
        ScrollPane scroll = Panes.scroll(content);
        // Tables shrink before anything scrolls.
        scroll.setFitToHeight(true);
        double taken = height - content.prefHeight(width);
        // The theme limits the width of dialogs; a least size goes beyond. The window gets the least size at the place for the preferred one.
        scroll.setPrefSize(Math.min(width + BAR, mostWidth - BAR), Math.min(height, mostHeight) - taken);
        scroll.setMinSize(Region.USE_PREF_SIZE, Region.USE_PREF_SIZE);
        pane.setContent(scroll);
        pane.applyCss();
        pane.layout();
    }

    /// Of the window, or the first one.
    private static Rectangle2D screen(Node over) {
        Window window = over.getScene() == null ? null : over.getScene().getWindow();
        return (window == null ? Stream.<Screen>empty() : Screen
                .getScreensForRectangle(window.getX(), window.getY(), window.getWidth(), window.getHeight()).stream())
                .findFirst().orElse(Screen.getPrimary()).getVisualBounds();
    }
}
