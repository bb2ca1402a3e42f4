package org.inferometer.ui.devices;

import atlantafx.base.theme.Styles;
import java.util.List;
import javafx.geometry.VPos;
import javafx.scene.control.Label;
import javafx.scene.layout.ColumnConstraints;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import org.inferometer.telemetry.GpuFacts.Fact;
import org.inferometer.ui.fx.Labels;

/// Facts in two columns. Rows are reused while the names stay the same.
final class FactGrid extends GridPane {
    private List<Fact> shown = List.of();

    FactGrid() {
        setHgap(12);
        setVgap(3);
        ColumnConstraints names = new ColumnConstraints();
        names.setMinWidth(Region.USE_PREF_SIZE);
        ColumnConstraints words = new ColumnConstraints();
        words.setHgrow(Priority.ALWAYS);
        getColumnConstraints().addAll(names, words);
    }

    void show(List<Fact> facts) {
        if (names(facts).equals(names(shown)) && !shown.isEmpty()) {
            for (int row = 0; row < facts.size(); row++) {
                ((Label) getChildren().get(2 * row + 1)).setText(facts.get(row).value());
            }
        } else {
            getChildren().clear();
            for (int row = 0; row < facts.size(); row++) {
                Label name = Labels.fixed(facts.get(row).name(), Styles.TEXT_MUTED, Styles.TEXT_SMALL);
                GridPane.setValignment(name, VPos.TOP);
                addRow(row, name, Labels.wrapped(facts.get(row).value()));
            }
        }
        shown = List.copyOf(facts);
    }

    private static List<String> names(List<Fact> facts) {
        return facts.stream().map(Fact::name).toList();
    }
}
