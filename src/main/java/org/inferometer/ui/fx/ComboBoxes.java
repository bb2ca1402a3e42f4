package org.inferometer.ui.fx;

import java.util.function.Function;
import javafx.scene.control.ComboBox;
import javafx.scene.control.ListCell;
import javafx.scene.control.Tooltip;
import javafx.util.StringConverter;
import org.jspecify.annotations.Nullable;

/// Combo boxes whose items are formatted by a function.
public final class ComboBoxes {
    private ComboBoxes() {}

    public static <T> ComboBox<T> of(String id, Function<? super T, String> words) {
        ComboBox<T> combo = new ComboBox<>();
        combo.setId(id);
        combo.setMaxWidth(Double.MAX_VALUE);
        combo.setMinWidth(120);
        combo.setPrefWidth(220);
        combo.setCellFactory(view -> cell(words));
        combo.setButtonCell(cell(words));
        // A value outside the items is formatted by the converter.
        combo.setConverter(new StringConverter<>() {
            @Override
            public String toString(@Nullable T item) {
                return item == null ? "" : words.apply(item);
            }

            @Override
            public @Nullable T fromString(String typed) {
                return combo.getValue();
            }
        });
        return combo;
    }

    /// Redraws the closed box: after a change of items it may show the text of another one.
    public static <T> void redraw(ComboBox<T> combo, Function<? super T, String> words) {
        combo.setButtonCell(cell(words));
    }

    private static <T> ListCell<T> cell(Function<? super T, String> words) {
        return new ListCell<>() {
            @Override
            protected void updateItem(@Nullable T item, boolean empty) {
                super.updateItem(item, empty);
                setText(empty || item == null ? null : words.apply(item));
                // A long text is cut.
                setTooltip(getText() == null || getText().isEmpty() ? null : new Tooltip(getText()));
            }
        };
    }
}
