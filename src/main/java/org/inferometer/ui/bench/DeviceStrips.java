package org.inferometer.ui.bench;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.util.ArrayList;
import java.util.List;
import javafx.scene.control.Label;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.Priority;
import javafx.scene.layout.RowConstraints;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import org.inferometer.ui.fx.EndsRow;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.theme.StyleClasses;
import org.inferometer.units.QuantityText;

/// Device and load generator over the current run: one strip for each quantity that is sampled, all over the same time.
final class DeviceStrips extends VBox {
    private final List<Row> rows = new ArrayList<>();
    private final GridPane grid = new GridPane(8, 3);
    private final Label message = Labels.of(text("chart.waiting"), StyleClasses.CHART_MESSAGE);
    private final Label from = Labels.of("", StyleClasses.TILE_FOOTER);

    private record Row(Label name, StripPlot plot, Label values) {}

    DeviceStrips(LiveViewModel live) {
        setId("live-device");
        getStyleClass().add(StyleClasses.DEVICE_STRIPS);
        StackPane body = new StackPane(grid, message);
        VBox.setVgrow(body, Priority.ALWAYS);
        body.setMinHeight(0);
        getChildren().addAll(body, new EndsRow(Labels.of(text("live.device.footer"), StyleClasses.TILE_FOOTER), from));
        live.strips().subscribe(strips -> {
            // A hidden view is not laid out.
            if (isVisible()) {
                show(strips);
            }
        });
        visibleProperty().subscribe(visible -> {
            if (visible) {
                show(live.strips().get());
            }
        });
    }

    private void show(List<LiveStrip> strips) {
        message.setVisible(strips.isEmpty());
        if (rows.size() != strips.size()) {
            build(strips.size());
        }
        for (int i = 0; i < strips.size(); i++) {
            LiveStrip strip = strips.get(i);
            Row row = rows.get(i);
            row.name.setText(strip.name());
            row.values.setText(text("strip.values", strip.latest(), strip.top()));
            row.plot.show(strip);
            row.plot.setAccessibleText(text("strip.accessible", strip.name(), strip.latest(), strip.top()));
        }
        if (!strips.isEmpty() && strips.getFirst().seconds().length > 0) {
            double[] seconds = strips.getFirst().seconds();
            from.setText(text("strip.time", QuantityText.significant(seconds[0]).replace('-', '−'),
                    QuantityText.significant(seconds[seconds.length - 1])));
        }
    }

    private void build(int count) {
        rows.clear();
        grid.getChildren().clear();
        grid.getRowConstraints().clear();
        for (int i = 0; i < count; i++) {
            Row row = new Row(Labels.fixed("", Styles.TEXT_SMALL), new StripPlot(),
                    Labels.fixed("", Styles.TEXT_SMALL, StyleClasses.FIGURE));
            GridPane.setHgrow(row.plot, Priority.ALWAYS);
            grid.addRow(i, row.name, row.plot, row.values);
            RowConstraints height = new RowConstraints(16, 40, 60);
            height.setVgrow(Priority.ALWAYS);
            grid.getRowConstraints().add(height);
            rows.add(row);
        }
    }
}
