package org.inferometer.ui.fx;

import javafx.beans.binding.Bindings;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.scene.control.TableView;
import javafx.scene.layout.Region;

/// Makes tables as high as their rows. The stylesheet sets the height of a row, which grows with the size of texts.
public final class RowHeights {
    /// Heading and borders, in pixels.
    private static final double HEADING = 38;
    private static final double SCROLL_BAR = 14;
    /// Of a row without a stylesheet.
    private static final double LEAST = 24;

    private RowHeights() {}

    /// Makes a table so high that it shows some of its rows.
    ///
    /// @param scrollsSideways needs room for the scroll bar
    public static void fit(TableView<?> table, int rows, ReadOnlyBooleanProperty scrollsSideways) {
        table.setMinHeight(Region.USE_PREF_SIZE);
        table.prefHeightProperty()
                .bind(Bindings.createDoubleBinding(
                        () -> rows * Math.max(LEAST, table.getFixedCellSize()) + HEADING
                                + (scrollsSideways.get() ? SCROLL_BAR : 0),
                        table.fixedCellSizeProperty(), scrollsSideways));
    }
}
