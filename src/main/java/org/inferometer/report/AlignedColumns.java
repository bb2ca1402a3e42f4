package org.inferometer.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A list in aligned columns: a header line and one line per row. A last column that is too wide is wrapped.
public final class AlignedColumns {
    private static final String GAP = "  ";
    private static final int LEAST_LAST_COLUMN = 24;

    private final List<String> headers;
    private final boolean[] atRight;
    private final List<List<String>> rows = new ArrayList<>();

    /// @param headers one per column; `>` at the end aligns the column at the right
    public AlignedColumns(String... headers) {
        this.headers = Arrays.stream(headers).map(header -> header.replace(">", "")).toList();
        this.atRight = new boolean[headers.length];
        for (int c = 0; c < headers.length; c++) {
            atRight[c] = headers[c].endsWith(">");
        }
    }

    /// One text per column.
    public void row(String... cells) {
        if (cells.length != headers.size()) {
            throw new IllegalArgumentException(cells.length + " cells for " + headers.size() + " columns");
        }
        rows.add(List.of(cells));
    }

    public boolean isEmpty() {
        return rows.isEmpty();
    }

    /// The list; every line ends with a line feed.
    public String render(int lineWidth) {
        List<List<String>> all = new ArrayList<>(rows);
        boolean headed = headers.stream().anyMatch(header -> !header.isEmpty());
        if (headed) {
            all.addFirst(headers);
        }
        int[] widths = new int[headers.size()];
        for (List<String> row : all) {
            for (int c = 0; c < widths.length; c++) {
                widths[c] = Math.max(widths[c], length(row.get(c)));
            }
        }
        int last = widths.length - 1;
        int before = Arrays.stream(widths).limit(last).sum() + last * GAP.length();
        widths[last] = Math.min(widths[last], Math.max(LEAST_LAST_COLUMN, lineWidth - before));
        StringBuilder out = new StringBuilder();
        all.forEach(row -> line(out, row, widths, before));
        return out.toString();
    }

    private void line(StringBuilder out, List<String> row, int[] widths, int before) {
        int last = widths.length - 1;
        StringBuilder line = new StringBuilder();
        for (int c = 0; c < last; c++) {
            String space = " ".repeat(widths[c] - length(row.get(c)));
            line.append(atRight[c] ? space + row.get(c) : row.get(c) + space).append(GAP);
        }
        List<String> wrapped = TextTable.wrapped(row.get(last), widths[last], false);
        String first = wrapped.getFirst();
        line.append(atRight[last] ? " ".repeat(widths[last] - length(first)) + first : first);
        out.append(line.toString().stripTrailing()).append('\n');
        wrapped.stream().skip(1).forEach(rest -> out.append(" ".repeat(before)).append(rest).append('\n'));
    }

    /// A wrapped paragraph; each line begins with the indent.
    public static String paragraph(String text, String indent, int lineWidth) {
        StringBuilder out = new StringBuilder();
        TextTable.wrapped(text, lineWidth - indent.length(), false)
                .forEach(line -> out.append(indent).append(line).append('\n'));
        return out.toString();
    }

    public static int length(String text) {
        return text.codePointCount(0, text.length());
    }
}
