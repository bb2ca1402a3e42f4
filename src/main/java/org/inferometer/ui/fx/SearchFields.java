package org.inferometer.ui.fx;

import javafx.scene.control.TextField;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import org.controlsfx.control.textfield.CustomTextField;
import org.controlsfx.control.textfield.TextFields;
import org.inferometer.ui.theme.StyleClasses;

/// Fields that find or filter something.
public final class SearchFields {
    private SearchFields() {}

    /// A field with a magnifying glass, and a cross that clears it while it has a text; Esc clears it, too.
    ///
    /// @param prompt what it finds; its accessible text, too
    public static TextField of(String id, String prompt) {
        CustomTextField field = Panes.named(id, (CustomTextField) TextFields.createClearableTextField());
        field.setPromptText(prompt);
        field.setAccessibleText(prompt);
        field.setLeft(Labels.icon("mdmz-search", StyleClasses.SEARCH_ICON));
        field.addEventFilter(KeyEvent.KEY_PRESSED, event -> {
            if (event.getCode() == KeyCode.ESCAPE && !field.getText().isEmpty()) {
                field.clear();
                event.consume();
            }
        });
        return field;
    }
}
