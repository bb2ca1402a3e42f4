package org.inferometer.ui.bench;

import static org.inferometer.ui.fx.Messages.text;

import java.util.ArrayList;
import java.util.List;
import javafx.beans.value.ObservableValue;
import javafx.css.PseudoClass;
import javafx.geometry.Pos;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import javafx.scene.shape.LineTo;
import javafx.scene.shape.MoveTo;
import javafx.scene.shape.Path;
import javafx.scene.shape.PathElement;
import javafx.scene.shape.StrokeLineJoin;
import org.inferometer.ui.bench.LiveViewModel.Kpi;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.theme.StyleClasses;

/// One KPI.
final class KpiTile extends VBox {
    private static final PseudoClass WARM_UP = PseudoClass.getPseudoClass("warm-up");

    /// @param key in the message bundle
    /// @param trend its values over the last minute
    KpiTile(String key, ObservableValue<Kpi> kpi, ObservableValue<List<Double>> trend) {
        setId(key.replace('.', '-'));
        getStyleClass().addAll(StyleClasses.CARD, StyleClasses.KPI);
        Label name = Labels.of(text(key), StyleClasses.KPI_NAME);
        name.setTooltip(new Tooltip(text(key + ".help")));
        Label value = Labels.fixed("", StyleClasses.KPI_VALUE);
        Label unit = Labels.of("", StyleClasses.KPI_UNIT);
        Label note = Labels.of("", StyleClasses.KPI_NOTE);
        note.setMinWidth(0);
        note.setWrapText(true);
        note.setMinHeight(USE_PREF_SIZE);
        kpi.subscribe(now -> {
            value.setText(now.value());
            unit.setText(now.unit());
            note.setText(now.note());
            pseudoClassStateChanged(WARM_UP, now.warmUp());
        });
        HBox figure = new HBox(5, value, unit);
        figure.setAlignment(Pos.BASELINE_LEFT);
        Sparkline line = new Sparkline(trend);
        HBox.setHgrow(line, Priority.ALWAYS);
        getChildren().addAll(name, Panes.row(8, figure, line), note);
        setMinWidth(0);
    }

    /// A KPI over the last minute, from the line at zero to its greatest value. Seconds without a value are gaps. It
    /// appears with the fifth value. One path, drawn when the values
    /// change.
    private static final class Sparkline extends Region {
        private static final double HEIGHT = 22;
        /// Less room shows nothing.
        private static final double NARROWEST = 30;
        /// Fewer values are no course.
        private static final int FEWEST = 5;
        private static final double EDGE = 1.5;
        private final Path path = new Path();
        private final ObservableValue<List<Double>> values;

        Sparkline(ObservableValue<List<Double>> values) {
            this.values = values;
            path.setManaged(false);
            path.setStrokeLineJoin(StrokeLineJoin.ROUND);
            path.getStyleClass().add(StyleClasses.SPARKLINE_LINE);
            getStyleClass().add(StyleClasses.SPARKLINE);
            getChildren().add(path);
            setMouseTransparent(true);
            setMinSize(0, HEIGHT);
            setPrefSize(0, HEIGHT);
            setMaxSize(Double.MAX_VALUE, HEIGHT);
            values.addListener((observed, before, now) -> draw());
        }

        @Override
        protected void layoutChildren() {
            draw();
        }

        private void draw() {
            List<Double> now = values.getValue();
            double top = now.stream().filter(value -> !value.isNaN()).mapToDouble(value -> value).max().orElse(0);
            List<PathElement> elements = new ArrayList<>();
            boolean shown = getWidth() >= NARROWEST
                    && now.stream().filter(value -> !value.isNaN()).limit(FEWEST).count() == FEWEST;
            setOpacity(shown ? 1 : 0);
            if (shown && top > 0) {
                // The newest value stands at the right edge.
                double step = (getWidth() - 2 * EDGE) / (LiveTrends.SECONDS - 1);
                double left = getWidth() - EDGE - step * (now.size() - 1);
                for (int i = 0; i < now.size(); i++) {
                    if (!now.get(i).isNaN()) {
                        double x = left + step * i;
                        double y = EDGE + (getHeight() - 2 * EDGE) * (1 - now.get(i) / top);
                        boolean begins = i == 0 || now.get(i - 1).isNaN();
                        elements.add(begins ? new MoveTo(x, y) : new LineTo(x, y));
                    }
                }
            }
            path.getElements().setAll(elements);
        }
    }
}
