package org.inferometer.ui.timeline;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.util.Locale;
import javafx.geometry.Pos;
import javafx.scene.canvas.Canvas;
import javafx.scene.canvas.GraphicsContext;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Pane;
import org.inferometer.ui.fx.Labels;

/// One entry of the legend: shape and name.
final class TimelineSwatch extends HBox {
    /// Width of the shape.
    static final double WIDTH = 22;
    private static final double HEIGHT = 14;
    private final TimelineColor ink;
    private final Canvas canvas = new Canvas(WIDTH, HEIGHT);
    private final TimelineColors inks = new TimelineColors(this::draw);

    TimelineSwatch(TimelineColor ink) {
        this.ink = ink;
        Pane picture = new Pane(inks, canvas);
        picture.setMinSize(WIDTH, HEIGHT);
        picture.setMaxSize(WIDTH, HEIGHT);
        setSpacing(6);
        setAlignment(Pos.CENTER_LEFT);
        getChildren().addAll(picture, Labels.of(name(ink), Styles.TEXT_MUTED, Styles.TEXT_SMALL));
    }

    /// What a colour shows.
    static String name(TimelineColor ink) {
        return text("timeline.ink." + ink.name().toLowerCase(Locale.ROOT));
    }

    private void draw() {
        GraphicsContext graphics = canvas.getGraphicsContext2D();
        graphics.clearRect(0, 0, WIDTH, HEIGHT);
        paint(new CanvasSurface(graphics), inks, ink, 0, 0);
    }

    /// Draws the shape.
    ///
    /// @param x left end
    /// @param y upper end
    static void paint(TimelineSurface graphics, TimelineColors inks, TimelineColor ink, double x, double y) {
        graphics.setFill(inks.color(ink));
        switch (ink) {
            case DECODE -> graphics.fillRect(x, y + HEIGHT * 0.45, WIDTH, HEIGHT * 0.55);
            case TRANSFER -> graphics.fillRect(x, y + 4, WIDTH, 6);
            case QUEUED -> graphics.fillRect(x, y + 6, WIDTH, 3);
            case UNSPLIT -> {
                graphics.fillRect(x, y + 2, WIDTH, 1);
                graphics.fillRect(x, y + HEIGHT - 3, WIDTH, 1);
            }
            case PADDING, PREEMPTED -> {
                graphics.setHatch(inks, ink);
                graphics.fillRect(x, y, WIDTH, HEIGHT);
                graphics.strokeRect(x + 0.5, y + 0.5, WIDTH - 1, HEIGHT - 1, 1, inks.color(ink));
            }
            default -> graphics.fillRect(x, y, WIDTH, HEIGHT);
        }
    }
}
