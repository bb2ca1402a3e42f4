package org.inferometer.ui.results;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javafx.geometry.VPos;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.layout.ColumnConstraints;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;
import org.inferometer.report.CellExplanation;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.theme.StyleClasses;

/// When each scheduler wins, and what was observed in each of its cells.
final class ExplanationList {
    private static final double NAME_WIDTH = 240;

    private ExplanationList() {}

    static Node createView(List<CellExplanation> explanations) {
        GridPane grid = new GridPane(16, 6);
        grid.setId("explanations");
        ColumnConstraints names = new ColumnConstraints(NAME_WIDTH);
        ColumnConstraints words = new ColumnConstraints();
        words.setHgrow(Priority.ALWAYS);
        grid.getColumnConstraints().setAll(names, words);
        Map<String, List<CellExplanation>> byScheduler = new LinkedHashMap<>();
        explanations.forEach(each -> byScheduler.computeIfAbsent(each.scheduler(), key -> new ArrayList<>()).add(each));
        int row = 0;
        for (Map.Entry<String, List<CellExplanation>> scheduler : byScheduler.entrySet()) {
            Label name = Labels.wrapped(scheduler.getKey());
            name.getStyleClass().add(StyleClasses.HEADLINE);
            Label wins = Labels.wrapped(scheduler.getValue().getFirst().whenItWins());
            wins.getStyleClass().add(Styles.TEXT_MUTED);
            add(grid, row++, name, wins);
            for (CellExplanation cell : scheduler.getValue()) {
                Label label = Labels.wrapped(scheduler.getValue().size() == 1 ? text("detail.seen-here")
                        : text("detail.seen-in", cell.cellLabel()));
                label.getStyleClass().addAll(Styles.TEXT_MUTED, Styles.TEXT_SMALL);
                add(grid, row++, label, Labels.wrapped(cell.seen()));
            }
        }
        return new VBox(grid);
    }

    private static void add(GridPane grid, int row, Label left, Label right) {
        GridPane.setValignment(left, VPos.TOP);
        GridPane.setValignment(right, VPos.TOP);
        grid.addRow(row, left, right);
    }
}
