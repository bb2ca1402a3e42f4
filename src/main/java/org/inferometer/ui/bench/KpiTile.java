package org.inferometer.ui.bench;

import static org.inferometer.ui.fx.Messages.text;

import javafx.css.PseudoClass;
import javafx.geometry.Pos;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.VBox;

/// One headline number.
final class KpiTile extends VBox {
    private static final PseudoClass WARM_UP = PseudoClass.getPseudoClass("warm-up");

    KpiTile(KpiViewModel kpi) {
        setId(kpi.key().replace('.', '-'));
        getStyleClass().addAll("card", "kpi");
        Label name = new Label(text(kpi.key()));
        name.getStyleClass().add("kpi-name");
        name.setTooltip(new Tooltip(text(kpi.key() + ".help")));
        Label value = new Label();
        value.getStyleClass().add("kpi-value");
        value.textProperty().bind(kpi.value());
        value.setMinWidth(USE_PREF_SIZE);
        Label unit = new Label();
        unit.getStyleClass().add("kpi-unit");
        unit.textProperty().bind(kpi.unit());
        HBox line = new HBox(5, value, unit);
        line.setAlignment(Pos.BASELINE_LEFT);
        Label note = new Label();
        note.getStyleClass().add("kpi-note");
        note.textProperty().bind(kpi.note());
        note.setMinWidth(0);
        kpi.warmUp().addListener((observed, before, now) -> pseudoClassStateChanged(WARM_UP, now));
        getChildren().addAll(name, line, note);
        setMinWidth(0);
        setPrefWidth(180);
    }
}
