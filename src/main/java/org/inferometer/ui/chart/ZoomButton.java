package org.inferometer.ui.chart;

import javafx.scene.control.Button;
import javafx.scene.control.Tooltip;
import org.inferometer.ui.fx.Messages;
import org.inferometer.ui.theme.StyleClasses;

/// Leaves the zoom: "Show all", or "Follow live" of a chart whose data keep coming. Seen only while a chart is zoomed.
final class ZoomButton extends Button {
    private final Tooltip keys = new Tooltip();

    ZoomButton(Runnable fit) {
        getStyleClass().add(StyleClasses.ZOOM_BUTTON);
        setManaged(false);
        setVisible(false);
        setFocusTraversable(false);
        setTooltip(keys);
        setOnAction(event -> fit.run());
    }

    void show(boolean zoomed, boolean live) {
        setVisible(zoomed);
        setText(Messages.text(live ? "chart.follow-live" : "chart.fit"));
        keys.setText(Messages.text(live ? "chart.follow-live.tooltip" : "chart.fit.tooltip"));
    }
}
