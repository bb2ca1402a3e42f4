package org.inferometer.chart;

import java.awt.Font;
import java.awt.FontMetrics;
import java.awt.Graphics2D;

/// The room that text takes in a font. Heights are shares of the font's size: the window's canvas reports none below the baseline.
record Letters(FontMetrics metrics) {
    private static final double ASCENT = 0.95;
    private static final double DESCENT = 0.25;

    static Letters of(Graphics2D g2, Font font) {
        return new Letters(g2.getFontMetrics(font));
    }

    double width(String text) {
        return metrics.stringWidth(text);
    }

    double ascent() {
        return ASCENT * metrics.getFont().getSize2D();
    }

    double descent() {
        return DESCENT * metrics.getFont().getSize2D();
    }

    /// Of one line.
    double height() {
        return ascent() + descent();
    }

    /// The baseline of a line around a middle.
    float baseline(double middle) {
        return (float) (middle + (ascent() - descent()) / 2);
    }
}
