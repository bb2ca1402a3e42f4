package org.inferometer.ui.bench;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import javafx.scene.control.ToggleButton;
import javafx.scene.control.ToggleGroup;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.theme.StyleClasses;

/// The tile beside the live charts: device and load generator, or the planned runs.
final class SideTile extends VBox {
    SideTile(LiveViewModel live) {
        getStyleClass().addAll(StyleClasses.CARD, StyleClasses.CHART_TILE);
        ToggleGroup group = new ToggleGroup();
        HBox header = new HBox();
        header.setId("live-tabs");
        header.getStyleClass().add(StyleClasses.TILE_HEADER);
        getChildren().add(header);
        add(header, group, "live-tab-device", text("live.device.title"), new DeviceStrips(live), true);
        add(header, group, "live-tab-runs", text("live.runs.title"), new RunsTile(live.runs()), false);
        // One of them stays chosen.
        group.selectedToggleProperty().addListener((observed, before, now) -> {
            if (now == null && before != null) {
                before.setSelected(true);
            }
        });
        setMinSize(200, 140);
    }

    private void add(HBox header, ToggleGroup group, String id, String label, Region content, boolean first) {
        ToggleButton tab = new ToggleButton(label);
        tab.setId(id);
        tab.setTooltip(new Tooltip(label));
        tab.getStyleClass().addAll(Styles.SMALL, Styles.FLAT, StyleClasses.TILE_TAB);
        tab.setToggleGroup(group);
        tab.setSelected(first);
        header.getChildren().add(tab);
        VBox.setVgrow(content, Priority.ALWAYS);
        content.setMinHeight(0);
        Panes.showWhen(content, tab.selectedProperty());
        getChildren().add(content);
    }
}
