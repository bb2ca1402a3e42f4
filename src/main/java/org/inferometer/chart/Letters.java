package org.inferometer.chart;

import java.awt.Font;
import java.awt.Graphics2D;
import java.util.ArrayList;
import java.util.List;

/// The room that text takes in a font of a drawing. Heights are shares of the size: the window's canvas reports none below the baseline.
///
/// @param g2 measures widths
record Letters(Graphics2D g2, Font font) {
    private static final double ASCENT = 0.95;
    private static final double DESCENT = 0.25;

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

    /// Breaks text at spaces into lines of a width. Text that does not fit ends with an ellipsis.
    record TextFit(Letters letters, double width, int mostLines) {
        List<String> lines(String text) {
            List<String> lines = new ArrayList<>();
            String rest = text;
            while (!rest.isEmpty()) {
                if (lines.size() + 1 == mostLines || letters.width(rest) <= width) {
                    lines.add(cut(rest));
                    return lines;
                }
                int end = rest.indexOf(' ');
                for (int next = end; next > 0 && letters.width(rest.substring(0, next)) <= width;) {
                    end = next;
                    next = rest.indexOf(' ', next + 1);
                }
                lines.add(cut(end < 0 ? rest : rest.substring(0, end)));
                rest = end < 0 ? "" : rest.substring(end + 1);
            }
            return lines;
        }

        private String cut(String line) {
            if (letters.width(line) <= width) {
                return line;
            }
            for (int end = line.length() - 1; end > 0; end--) {
                String shorter = line.substring(0, end).stripTrailing() + "…";
                if (letters.width(shorter) <= width) {
                    return shorter;
                }
            }
            return "";
        }

        /// The widest of some lines.
        double widest(List<String> lines) {
            return lines.stream().mapToDouble(letters::width).max().orElse(0);
        }
    }
}
