package org.inferometer.ui.bench;

import static org.inferometer.ui.fx.Messages.text;

import java.util.List;
import javafx.beans.value.ObservableValue;
import javafx.css.PseudoClass;
import javafx.geometry.Pos;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;
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
}
