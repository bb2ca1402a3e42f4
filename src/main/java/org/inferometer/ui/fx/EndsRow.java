package org.inferometer.ui.fx;

import javafx.geometry.Insets;
import javafx.geometry.Orientation;
import javafx.scene.Node;
import javafx.scene.layout.Pane;

/// A row of two nodes, one at each end. Where the first would be cut to less than half of the row or below its least width, the second
/// stands below it.
public final class EndsRow extends Pane {
    private static final double GAP = 10;
    private static final double LEAST_SHARE = 0.5;
    private final Node first;
    private final Node last;

    /// @param first may be cut; has all of the row that the other leaves
    /// @param last never cut while it fits the row
    public EndsRow(Node first, Node last) {
        super(first, last);
        getStyleClass().add("ends-row");
        this.first = first;
        this.last = last;
    }

    /// Whether the second node stands below the first.
    private boolean folds(double width) {
        double left = width - last.prefWidth(-1) - GAP;
        return left < Math.max(first.minWidth(-1), Math.min(first.prefWidth(-1), width * LEAST_SHARE));
    }

    @Override
    public Orientation getContentBias() {
        return Orientation.HORIZONTAL;
    }

    @Override
    protected double computeMinWidth(double height) {
        return 0;
    }

    @Override
    protected double computePrefWidth(double height) {
        Insets insets = getInsets();
        return insets.getLeft() + first.prefWidth(-1) + GAP + last.prefWidth(-1) + insets.getRight();
    }

    @Override
    protected double computeMinHeight(double width) {
        return computePrefHeight(width);
    }

    @Override
    protected double computePrefHeight(double width) {
        Insets insets = getInsets();
        double inner = width < 0 ? Double.MAX_VALUE : width - insets.getLeft() - insets.getRight();
        double above = first.prefHeight(-1);
        double beside = last.prefHeight(-1);
        double height = folds(inner) ? above + GAP + beside : Math.max(above, beside);
        return insets.getTop() + height + insets.getBottom();
    }

    @Override
    protected void layoutChildren() {
        Insets insets = getInsets();
        double width = getWidth() - insets.getLeft() - insets.getRight();
        double above = first.prefHeight(-1);
        double lastWidth = Math.min(width, last.prefWidth(-1));
        if (folds(width)) {
            first.resizeRelocate(insets.getLeft(), insets.getTop(), width, above);
            last.resizeRelocate(insets.getLeft(), insets.getTop() + above + GAP, lastWidth, last.prefHeight(-1));
            return;
        }
        double height = Math.max(above, last.prefHeight(-1));
        first.resizeRelocate(insets.getLeft(), insets.getTop(), Math.max(0, width - lastWidth - GAP), height);
        last.resizeRelocate(insets.getLeft() + width - lastWidth, insets.getTop(), lastWidth, height);
    }
}
