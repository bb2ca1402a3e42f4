package org.inferometer.ui.fx;

import javafx.scene.control.TableCell;
import org.jspecify.annotations.Nullable;

/// A text cell that is as high as its text at the column's width.
///
/// @param <R> a row
public final class WrappedCell<R> extends TableCell<R, String> {
    /// An empty cell.
    public WrappedCell() {
        setWrapText(true);
    }

    @Override
    protected void updateItem(@Nullable String item, boolean empty) {
        super.updateItem(item, empty);
        setText(empty ? null : item);
    }

    /// A row asks without a width, which would be the height of one line.
    @Override
    protected double computePrefHeight(double width) {
        return super.computePrefHeight(width > 0 || getTableColumn() == null ? width : getTableColumn().getWidth());
    }
}
