package org.inferometer.ui.timeline;

import javafx.beans.value.ObservableValue;
import javafx.css.PseudoClass;
import javafx.scene.layout.BorderPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;

/// Rows, details and events. The details stand right of the rows; where the rows would be too narrow, right of the events.
final class TimelinePicture extends BorderPane {
    /// Of the plots, in pixels of any size of texts.
    private static final double LEAST_PLOT = 560;
    private static final double EVENTS_HEIGHT = 170;
    private static final PseudoClass BELOW = PseudoClass.getPseudoClass("below");
    private final Region details;
    private final Region events;
    private final ObservableValue<Double> textScale;

    /// @param events may be invisible
    TimelinePicture(Region rows, Region details, Region events, ObservableValue<Double> textScale) {
        this.details = details;
        this.events = events;
        this.textScale = textScale;
        setCenter(rows);
        HBox.setHgrow(events, Priority.ALWAYS);
        events.prefHeightProperty().bind(textScale.map(scale -> EVENTS_HEIGHT * (1 + scale) / 2));
        events.setMinHeight(USE_PREF_SIZE);
        arrange(false);
        widthProperty().subscribe(width -> arrange());
        textScale.subscribe(scale -> arrange());
        events.visibleProperty().subscribe(shown -> arrange());
    }

    private void arrange() {
        double beside = getWidth() - TimelinePainter.GUTTER * textScale.getValue() - details.prefWidth(-1);
        boolean below = events.isVisible() && getWidth() > 0 && beside < LEAST_PLOT;
        if (below != (getRight() == null)) {
            arrange(below);
        }
    }

    private void arrange(boolean below) {
        setRight(null);
        setBottom(null);
        details.pseudoClassStateChanged(BELOW, below);
        if (below) {
            // As high as the events, whatever it holds.
            HBox lower = new HBox(events, details);
            lower.prefHeightProperty().bind(events.prefHeightProperty());
            lower.setMinHeight(USE_PREF_SIZE);
            setBottom(lower);
        } else {
            setBottom(events);
            setRight(details);
        }
    }
}
