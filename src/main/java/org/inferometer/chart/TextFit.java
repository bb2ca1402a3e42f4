package org.inferometer.chart;

import java.util.ArrayList;
import java.util.List;

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
