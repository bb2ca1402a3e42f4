package org.inferometer.ui.shell;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.util.List;
import javafx.geometry.BoundingBox;
import javafx.geometry.Bounds;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.TextInputControl;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.fx.Settings;
import org.inferometer.ui.theme.StyleClasses;
import org.jspecify.annotations.Nullable;

/// Four tips on the window, one after another; each outlines what it is about. After the first result it is shown once, later only when it is
/// asked for. Belongs to the JavaFX thread.
final class Tour {
    private static final String SEEN = "tour-seen";
    private static final double MARGIN = 16;
    private static final List<Tip> TIPS =
            List.of(new Tip("#rail-bench", "tour.bench"), new Tip("#primary-action", "tour.run"),
                    new Tip("#rail-results", "tour.results"), new Tip("#palette-open", "tour.palette"));
    private final Node window;
    private final Settings settings;
    private final Label title = Labels.wrapped("", StyleClasses.TILE_TITLE);
    private final Label body = Labels.wrapped("");
    private final Label place = Labels.fixed("", Styles.TEXT_MUTED, Styles.TEXT_SMALL);
    private final Button next = Buttons.of("tour-next", "mdal-arrow_forward", "", this::next);
    private final VBox card =
            Panes.named("tour", new VBox(8), StyleClasses.PALETTE, StyleClasses.TOUR, Styles.ELEVATED_3);
    private final Region outline = Panes.styled(new Region(), StyleClasses.TOUR_OUTLINE);
    private final Layer layer = new Layer();
    private @Nullable Node focusedBefore;
    private int shown;

    /// @param anchor what it is about
    /// @param key of its text among the messages; its title has the ending ".title"
    private record Tip(String anchor, String key) {}

    /// Outline and card over the window.
    private final class Layer extends Region {
        Layer() {
            getChildren().addAll(outline, card);
            setPickOnBounds(false);
        }

        @Override
        protected void layoutChildren() {
            Node anchor = window.lookup(TIPS.get(shown).anchor());
            Bounds bounds = anchor == null ? new BoundingBox(0, 0, 0, 0)
                    : sceneToLocal(anchor.localToScene(anchor.getLayoutBounds()));
            outline.setVisible(anchor != null);
            outline.resizeRelocate(bounds.getMinX(), bounds.getMinY(), bounds.getWidth(), bounds.getHeight());
            double width = Math.min(card.prefWidth(-1), getWidth() - 2 * MARGIN);
            double height = card.prefHeight(width);
            Node rail = window.lookup("#rail");
            double left = rail == null ? 0 : rail.getLayoutBounds().getWidth();
            card.resizeRelocate(left + MARGIN, Math.max(0, getHeight() - height - 3 * MARGIN), width, height);
        }
    }

    /// @param window holds what the tips are about
    /// @param settings remember that it was shown
    Tour(Node window, Settings settings) {
        this.window = window;
        this.settings = settings;
        Button skip = Panes.styled(Buttons.of("tour-skip", "mdal-close", text("tour.skip"), this::end), Styles.FLAT);
        next.getStyleClass().add(Styles.ACCENT);
        card.getChildren().addAll(title, body, Panes.row(8, place, Panes.spacer(), skip, next));
        outline.setMouseTransparent(true);
        layer.addEventHandler(KeyEvent.KEY_PRESSED, event -> {
            if (event.getCode() == KeyCode.ESCAPE) {
                end();
                event.consume();
            }
        });
        Panes.show(layer, false);
    }

    /// Lies over the window.
    Node view() {
        return layer;
    }

    /// Begins, unless it was shown before.
    void startOnce() {
        if (settings.get(SEEN).isEmpty()) {
            start();
        }
    }

    /// Begins with the first tip. A field with the focus keeps it.
    void start() {
        settings.put(SEEN, "true");
        Panes.show(layer, true);
        show(0);
        focusedBefore = layer.getScene() == null ? null : layer.getScene().getFocusOwner();
        if (!(focusedBefore instanceof TextInputControl)) {
            next.requestFocus();
        }
    }

    private void next() {
        if (shown + 1 < TIPS.size()) {
            show(shown + 1);
        } else {
            end();
        }
    }

    private void end() {
        boolean focused = layer.getScene() != null && layer.getScene().getFocusOwner() instanceof Node owner
                && owner.getParent() != null && isIn(owner);
        Panes.show(layer, false);
        if (focused && focusedBefore != null) {
            focusedBefore.requestFocus();
        }
        focusedBefore = null;
    }

    private boolean isIn(Node owner) {
        Node node = owner;
        while (node != null && node != layer) {
            node = node.getParent();
        }
        return node == layer;
    }

    private void show(int tip) {
        shown = tip;
        title.setText(text(TIPS.get(tip).key() + ".title"));
        body.setText(text(TIPS.get(tip).key()));
        place.setText(text("tour.place", tip + 1, TIPS.size()));
        next.setText(text(tip + 1 < TIPS.size() ? "tour.next" : "tour.done"));
        layer.setAccessibleText(title.getText() + ". " + body.getText());
        layer.requestLayout();
    }
}
