package org.inferometer.ui.devices;

import java.util.List;
import javafx.geometry.Orientation;
import javafx.scene.Node;
import javafx.scene.layout.Region;

/// Cards in as many equally wide columns as fit. As high as the longest column.
final class CardColumns extends Region {
    private static final double LEAST_WIDTH = 420;
    private static final double GAP = 14;

    CardColumns(List<? extends Node> cards) {
        setId("device-cards");
        setMinWidth(0);
        getChildren().setAll(cards);
    }

    @Override
    public Orientation getContentBias() {
        return Orientation.HORIZONTAL;
    }

    @Override
    protected double computePrefWidth(double height) {
        return 2 * LEAST_WIDTH + GAP;
    }

    @Override
    protected double computeMinHeight(double width) {
        return computePrefHeight(width);
    }

    @Override
    protected double computePrefHeight(double width) {
        return place(width < 0 ? computePrefWidth(-1) : width, false);
    }

    @Override
    protected void layoutChildren() {
        place(getWidth(), true);
    }

    /// Height of all cards in a width.
    ///
    /// @param move whether they take their places
    private double place(double width, boolean move) {
        int columns =
                Math.clamp((int) ((width + GAP) / (LEAST_WIDTH + GAP)), 1, Math.max(1, getManagedChildren().size()));
        double each = Math.floor((width - (columns - 1) * GAP) / columns);
        double[] bottoms = new double[columns];
        int column = 0;
        double highest = 0;
        for (Node card : getManagedChildren()) {
            double height = Math.ceil(card.prefHeight(each));
            double top = bottoms[column] == 0 ? 0 : bottoms[column] + GAP;
            if (move) {
                card.resizeRelocate(column * (each + GAP), top, each, height);
            }
            bottoms[column] = top + height;
            highest = Math.max(highest, bottoms[column]);
            column = (column + 1) % columns;
        }
        return highest;
    }
}
