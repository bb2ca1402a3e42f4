package org.inferometer.chart;

import java.awt.Font;
import java.awt.Graphics2D;

/// The room that text takes in a font of a drawing. Heights are shares of the size: the window's canvas reports none below the baseline.
///
/// @param g2 measures widths
record Letters(Graphics2D g2, Font font) {
    private static final double ASCENT = 0.95;
    private static final double DESCENT = 0.25;

    static Letters of(Graphics2D g2, Font font) {
        return new Letters(g2, font);
    }

    double width(String text) {
        // On the screen FXGraphics2D measures with the font of the drawing, whatever font is asked for.
        Font before = g2.getFont();
        g2.setFont(font);
        double width = g2.getFontMetrics(font).stringWidth(text);
        g2.setFont(before);
        return width;
    }

    double ascent() {
        return ASCENT * font.getSize2D();
    }

    double descent() {
        return DESCENT * font.getSize2D();
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
