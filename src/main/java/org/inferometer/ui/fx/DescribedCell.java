package org.inferometer.ui.fx;

import atlantafx.base.theme.Styles;
import java.util.function.Function;
import javafx.scene.control.Label;
import javafx.scene.control.ListCell;
import javafx.scene.layout.VBox;
import org.jspecify.annotations.Nullable;

/// A choice in an open list: its name, and under it what it is for.
///
/// @param <T> a choice
public final class DescribedCell<T> extends ListCell<T> {
    private final Function<? super T, String> sentence;
    private final Label name = Labels.of("");
    private final Label purpose;
    private final VBox lines;

    /// @param sentence what a choice is for; may be empty
    /// @param width of the sentence with texts of the usual size
    public DescribedCell(Function<? super T, String> sentence, double width) {
        this.sentence = sentence;
        purpose = Labels.cell("", width, Styles.TEXT_MUTED, Styles.TEXT_SMALL);
        lines = new VBox(name, purpose);
    }

    @Override
    protected void updateItem(@Nullable T item, boolean empty) {
        super.updateItem(item, empty);
        setText(null);
        setGraphic(empty || item == null ? null : lines);
        if (!empty && item != null) {
            name.setText(item.toString());
            purpose.setText(Labels.unbroken(sentence.apply(item)));
            Panes.show(purpose, !purpose.getText().isEmpty());
        }
    }
}
