package org.inferometer.ui.chart;

import java.util.List;
import javafx.beans.value.ObservableValue;
import javafx.geometry.Orientation;
import javafx.scene.Node;
import javafx.scene.layout.Pane;

/// Tiles in columns of equal width: fewer columns where titles and legends would have no room. A single last tile has the whole width.
///
/// Rows are as high as their tiles want to be, and share what is left.
public final class TileGrid extends Pane {
    /// Distance between tiles.
    public static final double GAP = 10;
    private final int most;
    private final double narrowest;
    private final ObservableValue<Double> textScale;

    /// @param most columns
    /// @param narrowest width of a tile in pixels, with texts of the usual size
    public TileGrid(int most, double narrowest, ObservableValue<Double> textScale, List<? extends Node> tiles) {
        this.most = most;
        this.narrowest = narrowest;
        this.textScale = textScale;
        getChildren().setAll(tiles);
    }

    @Override
    public Orientation getContentBias() {
        return Orientation.HORIZONTAL;
    }

    /// How many columns there are at a width.
    int columns(double width) {
        double least = narrowest * textScale.getValue();
        return (int) Math.clamp(Math.floor((width + GAP) / (least + GAP)), 1, Math.min(most, getChildren().size()));
    }

    @Override
    protected double computeMinWidth(double height) {
        return 0;
    }

    @Override
    protected double computeMinHeight(double width) {
        return heights(width, false);
    }

    @Override
    protected double computePrefHeight(double width) {
        return heights(width, true);
    }

    private double heights(double outside, boolean preferred) {
        if (getChildren().isEmpty()) {
            return 0;
        }
        double width = inner(outside);
        int columns = columns(width);
        double sum = -GAP;
        for (int first = 0; first < getChildren().size(); first += columns) {
            sum += GAP + height(first, columns, width, preferred);
        }
        return sum;
    }

    /// Of the row that begins with a tile.
    private double height(int first, int columns, double width, boolean preferred) {
        double height = 0;
        for (int i = first; i < Math.min(getChildren().size(), first + columns); i++) {
            Node tile = getChildren().get(i);
            double wide = isAlone(i, columns) ? width : (width - GAP * (columns - 1)) / columns;
            double least = tile.minHeight(wide);
            height = Math.max(height, preferred ? Math.max(least, tile.prefHeight(wide)) : least);
        }
        return Math.ceil(height);
    }

    private double inner(double width) {
        return width - getInsets().getLeft() - getInsets().getRight();
    }

    private boolean isAlone(int tile, int columns) {
        return tile == getChildren().size() - 1 && tile % columns == 0;
    }

    @Override
    protected void layoutChildren() {
        if (getChildren().isEmpty()) {
            return;
        }
        double width = inner(getWidth());
        int columns = columns(width);
        int rows = (getChildren().size() + columns - 1) / columns;
        // A row has at least its least height; it grows to its preferred one and beyond where there is room.
        double wanted = heights(getWidth(), true);
        double missing = wanted - getHeight();
        double shrinkable = wanted - heights(getWidth(), false);
        double shrink = shrinkable > 0 ? Math.clamp(missing / shrinkable, 0, 1) : 0;
        double grow = Math.max(0, Math.floor(-missing / rows));
        double y = 0;
        for (int first = 0; first < getChildren().size(); first += columns) {
            double preferred = height(first, columns, width, true);
            double height = Math.floor(preferred - shrink * (preferred - height(first, columns, width, false)) + grow);
            for (int i = first; i < Math.min(getChildren().size(), first + columns); i++) {
                double left = Math.rint((i - first) * (width + GAP) / columns);
                double right = isAlone(i, columns) ? width : Math.rint((i - first + 1) * (width + GAP) / columns) - GAP;
                getChildren().get(i).resizeRelocate(left, y, right - left, height);
            }
            y += height + GAP;
        }
    }
}
