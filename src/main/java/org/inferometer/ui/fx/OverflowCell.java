package org.inferometer.ui.fx;

import javafx.scene.control.TableCell;
import javafx.scene.control.Tooltip;
import org.jspecify.annotations.Nullable;

/// A text cell with a tooltip when its text is cut.
///
/// @param <R> a row
public class OverflowCell<R> extends TableCell<R, String> {
    /// An empty cell.
    public OverflowCell() {
        textTruncatedProperty().addListener((observed, before, now) -> explain());
        textProperty().addListener((observed, before, now) -> explain());
    }

    @Override
    protected void updateItem(@Nullable String item, boolean empty) {
        super.updateItem(item, empty);
        setText(empty ? null : item);
    }

    private void explain() {
        if (!isTextTruncated() || getText() == null) {
            setTooltip(null);
            return;
        }
        Tooltip whole = new Tooltip(getText());
        whole.setWrapText(true);
        whole.setMaxWidth(480);
        setTooltip(whole);
    }
}
