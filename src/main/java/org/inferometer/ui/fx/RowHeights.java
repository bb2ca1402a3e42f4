package org.inferometer.ui.fx;

import javafx.beans.binding.Bindings;
import javafx.beans.property.DoubleProperty;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.property.SimpleDoubleProperty;
import javafx.geometry.Orientation;
import javafx.scene.control.ScrollBar;
import javafx.scene.control.TableView;
import javafx.scene.layout.Region;

/// Makes tables as high as their rows. The stylesheet sets the height of a row, which grows with the size of texts.
///
/// The height is exact: a table that scrolls sideways shows a second scroll bar if a pixel is left below its rows.
public final class RowHeights {
    /// Of the heading until the table is laid out, in pixels.
    private static final double HEADING = 36;
    private static final double BORDERS = 2;
    private static final double LEAST_BAR = 8;
    /// Of a row without a stylesheet.
    private static final double LEAST = 24;

    private RowHeights() {}

    /// Makes a table so high that it shows some of its rows.
    ///
    /// @param scrollsSideways needs room for the scroll bar
    public static void fit(TableView<?> table, int rows, ReadOnlyBooleanProperty scrollsSideways) {
        DoubleProperty heading = new SimpleDoubleProperty(HEADING);
        DoubleProperty bar = new SimpleDoubleProperty(LEAST_BAR);
        table.skinProperty().subscribe(skin -> {
            if (skin != null) {
                measure(table, heading, bar);
            }
        });
        table.setMinHeight(Region.USE_PREF_SIZE);
        table.prefHeightProperty()
                .bind(Bindings.createDoubleBinding(
                        () -> rows * Math.max(LEAST, table.getFixedCellSize()) + heading.get() + BORDERS
                                + (scrollsSideways.get() ? bar.get() : 0),
                        table.fixedCellSizeProperty(), scrollsSideways, heading, bar));
    }

    /// Follows the heights of the heading and of the scroll bar, which grow with the size of texts, too.
    private static void measure(TableView<?> table, DoubleProperty heading, DoubleProperty bar) {
        if (table.lookup(".column-header-background") instanceof Region head) {
            head.heightProperty().subscribe(height -> {
                if (height.doubleValue() > 0) {
                    heading.set(height.doubleValue());
                }
            });
        }
        table.lookupAll(".scroll-bar").stream().filter(ScrollBar.class::isInstance).map(ScrollBar.class::cast)
                .filter(each -> each.getOrientation() == Orientation.HORIZONTAL).forEach(each -> each.heightProperty()
                        .subscribe(height -> bar.set(Math.max(LEAST_BAR, each.prefHeight(-1)))));
    }
}
