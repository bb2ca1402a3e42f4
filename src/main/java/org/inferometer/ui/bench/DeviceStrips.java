package org.inferometer.ui.bench;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.util.ArrayList;
import java.util.List;
import javafx.scene.control.Label;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.RowConstraints;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import javafx.scene.shape.LineTo;
import javafx.scene.shape.MoveTo;
import javafx.scene.shape.Path;
import javafx.scene.shape.PathElement;
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

    /// A line over time from zero, without axes. Least and greatest value of each pixel column stay, and gaps stay gaps.
    static final class StripPlot extends Region {
        private final Path path = new Path();
        private double[] seconds = {};
        private double[] values = {};
        private double greatest = 1;

        StripPlot() {
            getStyleClass().add(StyleClasses.STRIP_PLOT);
            path.setManaged(false);
            path.setMouseTransparent(true);
            getChildren().add(path);
            setMinSize(0, 0);
        }

        void show(LiveStrip strip) {
            seconds = strip.seconds();
            values = strip.values();
            greatest = strip.greatest() > 0 ? strip.greatest() : 1;
            layoutChildren();
        }

        @Override
        protected void layoutChildren() {
            path.getElements().setAll(elements(seconds, values, greatest, getWidth(), getHeight()));
        }

        /// The line in a rectangle.
        static List<PathElement> elements(double[] seconds, double[] values, double greatest, double width,
                double height) {
            List<PathElement> elements = new ArrayList<>();
            if (seconds.length < 2 || width < 2 || seconds[seconds.length - 1] <= seconds[0]) {
                return elements;
            }
            double perSecond = (width - 1) / (seconds[seconds.length - 1] - seconds[0]);
            boolean gap = true;
            for (int i = 0; i < values.length;) {
                long column = Math.round((seconds[i] - seconds[0]) * perSecond);
                double low = Double.POSITIVE_INFINITY;
                double high = Double.NEGATIVE_INFINITY;
                for (; i < values.length && Math.round((seconds[i] - seconds[0]) * perSecond) == column; i++) {
                    if (!Double.isNaN(values[i])) {
                        low = Math.min(low, values[i]);
                        high = Math.max(high, values[i]);
                    }
                }
                if (high < low) {
                    gap = true;
                    continue;
                }
                double y = 1 + (height - 2) * (1 - low / greatest);
                elements.add(gap ? new MoveTo(column, y) : new LineTo(column, y));
                // A value alone between gaps is a short line.
                elements.add(new LineTo(gap && high == low ? column + 1.0 : column,
                        1 + (height - 2) * (1 - high / greatest)));
                gap = false;
            }
            return elements;
        }
    }
}
