package org.inferometer.ui.fx;

import javafx.geometry.Insets;
import javafx.geometry.Orientation;
import javafx.scene.layout.Pane;
import javafx.scene.layout.Region;

/// A sentence with a link or a button behind it; below it where both do not fit a line.
public final class TailRow extends Pane {
    private static final double GAP = 8;
    private final Region words;
    private final Region tail;

    /// @param words wraps
    /// @param tail never cut
    public TailRow(Region words, Region tail) {
        super(words, tail);
        this.words = words;
        this.tail = tail;
        setMinHeight(USE_PREF_SIZE);
    }

    private boolean fits(double width) {
        return Math.ceil(words.prefWidth(-1)) + GAP + tail.prefWidth(-1) <= width;
    }

    @Override
    public Orientation getContentBias() {
        return Orientation.HORIZONTAL;
    }

    @Override
    protected double computeMinWidth(double height) {
        return Math.min(words.minWidth(-1), tail.prefWidth(-1));
    }

    @Override
    protected double computePrefWidth(double height) {
        Insets insets = getInsets();
        return insets.getLeft() + Math.ceil(words.prefWidth(-1)) + GAP + tail.prefWidth(-1) + insets.getRight();
    }

    @Override
    protected double computePrefHeight(double outside) {
        Insets insets = getInsets();
        double width = outside < 0 ? Double.MAX_VALUE : outside - insets.getLeft() - insets.getRight();
        double below = tail.prefHeight(-1);
        double height = fits(width) ? Math.max(words.prefHeight(-1), below) : words.prefHeight(width) + below;
        return insets.getTop() + height + insets.getBottom();
    }

    @Override
    protected void layoutChildren() {
        Insets insets = getInsets();
        double width = getWidth() - insets.getLeft() - insets.getRight();
        double tailWidth = Math.min(width, Math.ceil(tail.prefWidth(-1)));
        double tailHeight = tail.prefHeight(-1);
        if (fits(width)) {
            double wordsWidth = Math.ceil(words.prefWidth(-1));
            double wordsHeight = words.prefHeight(-1);
            double height = Math.max(wordsHeight, tailHeight);
            words.resizeRelocate(insets.getLeft(), insets.getTop() + Math.floor((height - wordsHeight) / 2), wordsWidth,
                    wordsHeight);
            tail.resizeRelocate(insets.getLeft() + wordsWidth + GAP,
                    insets.getTop() + Math.floor((height - tailHeight) / 2), tailWidth, tailHeight);
            return;
        }
        double wordsHeight = words.prefHeight(width);
        words.resizeRelocate(insets.getLeft(), insets.getTop(), width, wordsHeight);
        tail.resizeRelocate(insets.getLeft(), insets.getTop() + wordsHeight, tailWidth, tailHeight);
    }
}
