package org.inferometer.ui.shell;

import javafx.scene.control.Label;
import javafx.scene.layout.GridPane;
import org.inferometer.ui.fx.Labels;

/// The keyboard's shortcuts: keys at the left, what they do at the right, under headings.
final class ShortcutSheet {
    private static final String BETWEEN = "   ";

    private ShortcutSheet() {}

    /// @param body one shortcut a line, three spaces between the keys and what they do; a line without is a heading, an empty one keeps a distance
    static GridPane createView(String body) {
        GridPane grid = new GridPane();
        grid.setId("shortcuts");
        grid.setHgap(24);
        grid.setVgap(3);
        int row = 0;
        for (String line : body.split("\n", -1)) {
            int between = line.indexOf(BETWEEN);
            if (between < 0) {
                Label heading = label(line, "tile-title");
                grid.add(heading, 0, row++, 2, 1);
            } else {
                Label does = label(line.substring(between).strip(), "shortcut-action");
                grid.addRow(row++, label(line.substring(0, between), "shortcut-keys"), does);
            }
        }
        return grid;
    }

    private static Label label(String words, String styleClass) {
        Label label = Labels.fixed(words);
        label.getStyleClass().add(styleClass);
        return label;
    }
}
