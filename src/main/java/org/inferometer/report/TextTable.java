package org.inferometer.report;

import static org.inferometer.report.AlignedColumns.length;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.report.ReportTable.Align;
import org.inferometer.report.ReportTable.Column;
import org.inferometer.report.ReportTable.Row;
import org.inferometer.report.ReportTable.RowKind;

/// Tables as aligned plain text. Texts wrap in their columns; columns that do not fit the line form another block below.
public final class TextTable {
    private static final int GAP = 2;
    private static final int WIDEST_TEXT = 34;
    private final ReportTable table;
    private final int[] widths;

    private TextTable(ReportTable table, int lineWidth) {
        this.table = table;
        this.widths = new int[table.columns().size()];
        for (int c = 0; c < widths.length; c++) {
            widths[c] = Math.max(length(table.columns().get(c).header()), length(table.columns().get(c).unit()));
            for (Row row : table.rows()) {
                widths[c] = row.kind() == RowKind.HEADING ? widths[c] : Math.max(widths[c], length(row.cells().get(c)));
            }
        }
        int before = 0;
        for (int c = 0; c < widths.length; c++) {
            boolean last = c > 0 && c == widths.length - 1;
            if (table.columns().get(c).align() == Align.LEFT) {
                widths[c] = Math.min(widths[c], Math.max(WIDEST_TEXT, last ? lineWidth - before : 0));
            }
            before += widths[c] + GAP;
        }
    }

    /// The table at a line width, or wider if a single column is; ends with a line feed.
    public static String render(ReportTable table, int lineWidth) {
        return new TextTable(table, lineWidth).render(lineWidth);
    }

    private String render(int lineWidth) {
        StringBuilder out = new StringBuilder();
        out.append(table.title()).append('\n');
        if (!table.caption().isEmpty()) {
            wrapped(table.caption(), lineWidth).forEach(line -> out.append(line).append('\n'));
        }
        for (List<Integer> block : blocks(lineWidth)) {
            renderBlock(out, block, lineWidth);
        }
        table.footnotes().forEach(note -> wrapped(note, lineWidth).forEach(line -> out.append(line).append('\n')));
        return out.toString();
    }

    private void renderBlock(StringBuilder out, List<Integer> columns, int lineWidth) {
        int width = columns.stream().mapToInt(c -> widths[c] + GAP).sum() - GAP;
        out.append("─".repeat(width)).append('\n');
        line(out, columns, table.columns().stream().map(Column::header).toList());
        if (columns.stream().anyMatch(c -> !table.columns().get(c).unit().isEmpty())) {
            line(out, columns, table.columns().stream().map(Column::unit).toList());
        }
        out.append("─".repeat(width)).append('\n');
        for (Row row : table.rows()) {
            switch (row.kind()) {
                case FIGURES -> line(out, columns, row.cells());
                case HEADING -> out.append(hanging(row.cells().getFirst(), "", Math.max(width, lineWidth)));
            }
        }
        out.append("─".repeat(width)).append('\n');
    }

    /// Texts wrap; numbers are on the first line.
    private void line(StringBuilder out, List<Integer> columns, List<String> cells) {
        List<List<String>> texts = columns.stream().map(c -> wrapped(cells.get(c), widths[c])).toList();
        int lines = texts.stream().mapToInt(List::size).max().orElse(0);
        for (int l = 0; l < lines; l++) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < texts.size(); i++) {
                String text = l < texts.get(i).size() ? texts.get(i).get(l) : "";
                line.append(i == 0 ? "" : " ".repeat(GAP)).append(padded(text, columns.get(i)));
            }
            out.append(line.toString().stripTrailing()).append('\n');
        }
    }

    private List<List<Integer>> blocks(int lineWidth) {
        List<List<Integer>> blocks = new ArrayList<>();
        List<Integer> block = new ArrayList<>(List.of(0));
        int used = widths[0];
        for (int c = 1; c < widths.length; c++) {
            if (used + GAP + widths[c] > lineWidth && block.size() > 1) {
                blocks.add(block);
                block = new ArrayList<>(List.of(0));
                used = widths[0];
            }
            block.add(c);
            used += GAP + widths[c];
        }
        blocks.add(block);
        return blocks;
    }

    private String padded(String text, int column) {
        String space = " ".repeat(Math.max(0, widths[column] - length(text)));
        return table.columns().get(column).align() == Align.RIGHT ? space + text : text + space;
    }

    /// A wrapped paragraph; lines after the first are indented by two more. Ends with a line feed.
    public static String hanging(String text, String indent, int width) {
        return indent + String.join("\n" + indent + "  ", wrapped(text, width - indent.length() - 2)) + "\n";
    }

    private static List<String> wrapped(String text, int width) {
        return wrapped(text, width, true);
    }

    /// Breaks at spaces and keeps the indent.
    ///
    /// @param cutsWords whether a word longer than a line is cut, if possible after a colon, comma or equals sign
    static List<String> wrapped(String text, int width, boolean cutsWords) {
        List<String> lines = new ArrayList<>();
        String indent = " ".repeat(text.length() - text.stripLeading().length());
        StringBuilder line = new StringBuilder();
        for (String word : text.strip().split(" ", -1)) {
            String rest = word;
            if (!line.isEmpty() && length(line.toString()) + 1 + length(rest) > width - indent.length()) {
                lines.add(indent + line);
                line.setLength(0);
            }
            while (cutsWords && length(rest) > Math.max(1, width - indent.length())) {
                int cut = cut(rest, Math.max(1, width - indent.length()));
                lines.add(indent + rest.substring(0, cut));
                rest = rest.substring(cut);
            }
            line.append(line.isEmpty() ? "" : " ").append(rest);
        }
        lines.add(indent + line);
        return lines;
    }

    private static int cut(String word, int width) {
        int hard = word.offsetByCodePoints(0, width);
        int soft = Math.max(word.lastIndexOf('=', hard - 1),
                Math.max(word.lastIndexOf(':', hard - 1), word.lastIndexOf(',', hard - 1)));
        return soft > 0 ? soft + 1 : hard;
    }

}
