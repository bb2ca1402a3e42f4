package org.inferometer.ui.shell;

import atlantafx.base.theme.Styles;
import javafx.scene.control.Label;
import javafx.scene.layout.GridPane;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.theme.StyleClasses;

/// Keyboard shortcuts: keys at the left, actions at the right, under headings.
final class ShortcutSheet {
    private static final String BETWEEN = "   ";

    private ShortcutSheet() {}

    /// @param body one shortcut per line, three spaces between keys and action; a line without is a heading
    static GridPane createView(String body) {
        GridPane grid = new GridPane(24, 3);
        grid.setId("shortcuts");
        int row = 0;
        for (String line : body.split("\n", -1)) {
            int between = line.indexOf(BETWEEN);
            if (between < 0) {
                Label heading = Labels.fixed(line, StyleClasses.TILE_TITLE);
                grid.add(heading, 0, row++, 2, 1);
            } else {
                Label does = Labels.fixed(line.substring(between).strip());
                grid.addRow(row++, Labels.fixed(line.substring(0, between), Styles.TEXT_MUTED), does);
            }
        }
        return grid;
    }
}
