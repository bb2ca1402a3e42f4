package org.inferometer.ui.shell;

import atlantafx.base.theme.Styles;
import java.util.List;
import java.util.stream.Collectors;
import javafx.scene.layout.GridPane;
import org.inferometer.ui.fx.Action;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.theme.StyleClasses;

/// Keyboard shortcuts: keys at the left, actions at the right. The first part has a column, the others stand below each other beside it.
final class ShortcutSheet {
    private static final String BETWEEN = "   ";

    private ShortcutSheet() {}

    /// The actions that have a key, a line each, and an empty line.
    static String lines(List<Action> actions) {
        return actions.stream().filter(action -> !action.keyText().isEmpty())
                .map(action -> action.keyText() + BETWEEN + action.label() + "\n").collect(Collectors.joining()) + "\n";
    }

    /// @param body one shortcut per line, three spaces between keys and action; a line without is a heading, an empty one ends a part
    static GridPane createView(String body) {
        GridPane grid = new GridPane(24, 3);
        grid.setId("shortcuts");
        int row = 0;
        int column = 0;
        for (String line : body.split("\n", -1)) {
            int between = line.indexOf(BETWEEN);
            if (line.isEmpty() && column == 0) {
                row = 0;
                column = 2;
            } else if (line.isEmpty()) {
                grid.add(Labels.of(""), column, row++);
            } else if (between < 0) {
                grid.add(Labels.fixed(line, StyleClasses.TILE_TITLE), column, row++, 2, 1);
            } else {
                grid.add(Labels.fixed(line.substring(0, between), Styles.TEXT_MUTED), column, row);
                grid.add(Labels.fixed(line.substring(between).strip()), column + 1, row++);
            }
        }
        return grid;
    }
}
