package org.inferometer.chart;

import java.awt.FontMetrics;
import java.util.ArrayList;
import java.util.List;

/// Breaks text at spaces into lines of a width. Text that does not fit ends with an ellipsis.
record TextFit(FontMetrics metrics, double width, int mostLines) {
    List<String> lines(String text) {
        List<String> lines = new ArrayList<>();
        String rest = text;
        while (!rest.isEmpty()) {
            if (lines.size() + 1 == mostLines || metrics.stringWidth(rest) <= width) {
                lines.add(cut(rest));
                return lines;
            }
            int end = rest.indexOf(' ');
            for (int next = end; next > 0 && metrics.stringWidth(rest.substring(0, next)) <= width;) {
                end = next;
                next = rest.indexOf(' ', next + 1);
            }
            lines.add(cut(end < 0 ? rest : rest.substring(0, end)));
            rest = end < 0 ? "" : rest.substring(end + 1);
        }
        return lines;
    }

    private String cut(String line) {
        if (metrics.stringWidth(line) <= width) {
            return line;
        }
        for (int end = line.length() - 1; end > 0; end--) {
            String shorter = line.substring(0, end).stripTrailing() + "…";
            if (metrics.stringWidth(shorter) <= width) {
                return shorter;
            }
        }
        return "";
    }

    /// The widest of some lines.
    double widest(List<String> lines) {
        return lines.stream().mapToInt(metrics::stringWidth).max().orElse(0);
    }
}
