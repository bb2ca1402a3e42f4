package org.inferometer.ui.bench;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import atlantafx.base.theme.Tweaks;
import javafx.collections.ListChangeListener;
import javafx.collections.ObservableList;
import javafx.scene.control.Label;
import javafx.scene.control.ListCell;
import javafx.scene.control.ListView;
import javafx.scene.control.ToggleButton;
import javafx.scene.control.ToggleGroup;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.theme.StyleClasses;
import org.inferometer.units.QuantityText;
import org.jspecify.annotations.Nullable;
import org.kordamp.ikonli.javafx.FontIcon;

/// The tile beside the live charts: device and load generator, or the planned runs.
final class SideTile extends VBox {
    SideTile(LiveViewModel live) {
        getStyleClass().addAll(StyleClasses.CARD, StyleClasses.CHART_TILE);
        ToggleGroup group = new ToggleGroup();
        HBox header = Panes.named("live-tabs", new HBox(), StyleClasses.TILE_HEADER);
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
        ToggleButton tab = Panes.named(id, new ToggleButton(label));
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

    /// The planned runs and their states.
    private static final class RunsTile extends VBox {
        RunsTile(ObservableList<LiveSnapshot.RunLine> runs) {
            setId("live-runs");
            Label footer = Labels.of(text("live.runs.footer"), StyleClasses.TILE_FOOTER);
            footer.setMinWidth(0);
            ListView<LiveSnapshot.RunLine> list = new ListView<>(runs);
            list.setCellFactory(view -> new RunCell());
            list.getStyleClass().addAll(Styles.DENSE, StyleClasses.RUNS_LIST, Tweaks.EDGE_TO_EDGE);
            list.setFocusTraversable(false);
            list.setPlaceholder(Labels.of(text("live.runs.waiting"), StyleClasses.CHART_MESSAGE));
            list.setMinHeight(0);
            VBox.setVgrow(list, Priority.ALWAYS);
            runs.addListener((ListChangeListener<LiveSnapshot.RunLine>) change -> {
                for (int i = 0; i < runs.size(); i++) {
                    if (runs.get(i).state() == LiveSnapshot.RunState.RUNNING) {
                        list.scrollTo(Math.max(0, i - 2));
                    }
                }
            });
            getChildren().addAll(list, footer);
        }

        private static final class RunCell extends ListCell<LiveSnapshot.RunLine> {
            @Override
            protected void updateItem(LiveSnapshot.@Nullable RunLine line, boolean empty) {
                super.updateItem(line, empty);
                setText(null);
                if (empty || line == null) {
                    setGraphic(null);
                    return;
                }
                FontIcon icon = switch (line.state()) {
                    case PLANNED -> Labels.icon("mdmz-radio_button_unchecked", StyleClasses.STATE_PLANNED);
                    case RUNNING -> Labels.icon("mdmz-play_circle_filled", StyleClasses.STATE_RUNNING);
                    case ENDED -> Labels.icon("mdal-check_circle", StyleClasses.STATE_ENDED);
                    case FAILED -> Labels.icon("mdal-error", StyleClasses.STATE_FAILED);
                };
                Label name = new Label(line.label());
                name.setMinWidth(0);
                setGraphic(Panes.row(8, icon, name, Panes.spacer(),
                        Labels.fixed(
                                Double.isNaN(line.tokensPerSecond()) ? ""
                                        : "≈ " + QuantityText.significant(line.tokensPerSecond()) + " tok/s",
                                StyleClasses.FIGURE)));
                setPrefWidth(0);
            }
        }
    }
}
