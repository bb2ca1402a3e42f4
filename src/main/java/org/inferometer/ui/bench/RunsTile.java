package org.inferometer.ui.bench;

import static org.inferometer.ui.fx.Messages.text;

import javafx.collections.ListChangeListener;
import javafx.collections.ObservableList;
import javafx.geometry.Pos;
import javafx.scene.control.Label;
import javafx.scene.control.ListCell;
import javafx.scene.control.ListView;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.inferometer.units.QuantityText;
import org.jspecify.annotations.Nullable;
import org.kordamp.ikonli.javafx.FontIcon;

/// The planned runs and how they stand.
final class RunsTile extends VBox {
    RunsTile(ObservableList<LiveSnapshot.RunLine> runs) {
        setId("live-runs");
        getStyleClass().addAll("card", "chart-tile");
        Label title = new Label(text("live.runs.title"));
        title.getStyleClass().add("tile-title");
        Label footer = new Label(text("live.runs.footer"));
        footer.getStyleClass().add("tile-footer");
        footer.setMinWidth(0);
        ListView<LiveSnapshot.RunLine> list = new ListView<>(runs);
        list.setCellFactory(view -> new RunCell());
        list.getStyleClass().addAll("dense", "runs-list", "edge-to-edge");
        list.setFocusTraversable(false);
        Label waiting = new Label(text("live.runs.waiting"));
        waiting.getStyleClass().add("chart-message");
        list.setPlaceholder(waiting);
        list.setMinHeight(0);
        VBox.setVgrow(list, Priority.ALWAYS);
        runs.addListener((ListChangeListener<LiveSnapshot.RunLine>) change -> {
            for (int i = 0; i < runs.size(); i++) {
                if (runs.get(i).state() == LiveSnapshot.RunState.RUNNING) {
                    list.scrollTo(Math.max(0, i - 2));
                }
            }
        });
        HBox header = new HBox(title);
        header.getStyleClass().add("tile-header");
        getChildren().addAll(header, list, footer);
        setMinSize(200, 140);
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
            FontIcon icon = new FontIcon(switch (line.state()) {
                case PLANNED -> "mdmz-radio_button_unchecked";
                case RUNNING -> "mdmz-play_circle_filled";
                case ENDED -> "mdal-check_circle";
                case FAILED -> "mdal-error";
            });
            icon.getStyleClass().add(switch (line.state()) {
                case PLANNED -> "state-planned";
                case RUNNING -> "state-running";
                case ENDED -> "state-ended";
                case FAILED -> "state-failed";
            });
            Label name = new Label(line.label());
            name.setMinWidth(0);
            Region space = new Region();
            HBox.setHgrow(space, Priority.ALWAYS);
            Label rate = new Label(Double.isNaN(line.tokensPerSecond()) ? ""
                    : "≈ " + QuantityText.significant(line.tokensPerSecond()) + " tok/s");
            rate.getStyleClass().add("figure");
            rate.setMinWidth(Region.USE_PREF_SIZE);
            HBox row = new HBox(8, icon, name, space, rate);
            row.setAlignment(Pos.CENTER_LEFT);
            setGraphic(row);
            setPrefWidth(0);
        }
    }
}
