package org.inferometer.ui.results;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.util.HashSet;
import java.util.Set;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.VBox;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.Verdict;
import org.inferometer.ui.fx.Chips;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.theme.StyleClasses;

/// The figures of a result from its summary, until its requests are read.
final class ResultPreview {
    private ResultPreview() {}

    static Node createView(String name, ExperimentManifest manifest) {
        Label title = Labels.of(name, StyleClasses.PANE_TITLE, StyleClasses.MIDDLE_CUT);
        title.setMinWidth(0);
        title.setTooltip(new Tooltip(name));
        HBox header = new HBox(10, title);
        Verdict verdict = manifest.verdict();
        if (verdict != null) {
            header.getChildren().add(Chips.of(verdict.grade()));
        }
        header.setAlignment(Pos.CENTER_LEFT);
        header.getStyleClass().add(StyleClasses.PANE_HEADER);
        VBox column = Panes.styled(new VBox(12, Labels.of(text("results.reading"), Styles.TEXT_MUTED)),
                StyleClasses.VIEW_BODY);
        Set<String> said = new HashSet<>();
        DetailPane.comparison(manifest).forEach(table -> column.getChildren().add(DetailPane.comparison(table, said)));
        VBox pane = Panes.named("result-preview", new VBox(header, Panes.scroll(column)));
        pane.setMinWidth(0);
        pane.getStyleClass().add(StyleClasses.DETAIL_PANE);
        return pane;
    }
}
