package org.inferometer.chart;

import java.awt.Font;
import java.awt.FontMetrics;
import org.inferometer.report.LiberationSans;

/// Measures the text of vector charts in [LiberationSans], whatever the family of the drawing's font.
final class PlainFont extends FontMetrics {
    private static final long serialVersionUID = 1L;
    /// Bold text of Arial is about this much wider.
    private static final double BOLD = 1.07;

    /// @param font size and weight
    PlainFont(Font font) {
        super(font);
    }

    static double width(String text, Font font) {
        return LiberationSans.get().width(text) * font.getSize2D() * (font.isBold() ? BOLD : 1);
    }

    @Override
    public int getAscent() {
        return (int) Math.round(LiberationSans.get().ascent() * font.getSize2D());
    }

    @Override
    public int getDescent() {
        return (int) Math.round(LiberationSans.get().descent() * font.getSize2D());
    }

    @Override
    public int getLeading() {
        return 0;
    }

    @Override
    public int charWidth(char unit) {
        return stringWidth(String.valueOf(unit));
    }

    @Override
    public int charsWidth(char[] units, int offset, int length) {
        return stringWidth(String.valueOf(units, offset, length));
    }

    @Override
    public int stringWidth(String text) {
        return (int) Math.round(width(text, font));
    }
}
