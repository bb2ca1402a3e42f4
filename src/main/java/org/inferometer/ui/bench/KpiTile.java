package org.inferometer.ui.bench;

import static org.inferometer.ui.fx.Messages.text;

import javafx.css.PseudoClass;
import javafx.geometry.Pos;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.VBox;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.theme.StyleClasses;

/// One KPI.
final class KpiTile extends VBox {
    private static final PseudoClass WARM_UP = PseudoClass.getPseudoClass("warm-up");

    KpiTile(KpiViewModel kpi) {
        setId(kpi.key().replace('.', '-'));
        getStyleClass().addAll(StyleClasses.CARD, StyleClasses.KPI);
        Label name = Labels.of(text(kpi.key()), StyleClasses.KPI_NAME);
        name.setTooltip(new Tooltip(text(kpi.key() + ".help")));
        Label value = Labels.fixed("", StyleClasses.KPI_VALUE);
        value.textProperty().bind(kpi.value());
        Label unit = Labels.of("", StyleClasses.KPI_UNIT);
        unit.textProperty().bind(kpi.unit());
        HBox line = new HBox(5, value, unit);
        line.setAlignment(Pos.BASELINE_LEFT);
        Label note = Labels.of("", StyleClasses.KPI_NOTE);
        note.textProperty().bind(kpi.note());
        note.setMinWidth(0);
        kpi.warmUp().addListener((observed, before, now) -> pseudoClassStateChanged(WARM_UP, now));
        getChildren().addAll(name, line, note);
        setMinWidth(0);
        setPrefWidth(180);
    }
}
