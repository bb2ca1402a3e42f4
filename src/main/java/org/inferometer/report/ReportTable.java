package org.inferometer.report;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.inferometer.record.Metric;
import org.jspecify.annotations.Nullable;

/// A table as text, for plain text, Markdown, HTML and the desktop.
///
/// @param caption properties that all cells share; may be empty
/// @param rows figures, with headings between groups
/// @param footnotes sentences below the table
public record ReportTable(String title, String caption, List<Column> columns, List<Row> rows, List<String> footnotes) {
    public ReportTable {
        for (Row row : rows) {
            if (row.kind() == RowKind.FIGURES && row.cells().size() != columns.size()) {
                throw new IllegalArgumentException("The table \"" + title + "\" has a row of " + row.cells().size()
                        + " cells for " + columns.size() + " columns.");
            }
        }
    }

    /// The alignment of a column.
    public enum Align {
        LEFT, RIGHT
    }

    /// @param header the heading
    /// @param unit of its numbers; empty without one
    /// @param metric the metric that it shows, whose definition reports print; absent for other columns
    public record Column(String header, String unit, Align align, @Nullable Metric metric) {
        /// Text, at the left.
        public static Column text(String header) {
            return new Column(header, "", Align.LEFT, null);
        }

        /// Numbers, at the right.
        public static Column number(String header, String unit) {
            return new Column(header, unit, Align.RIGHT, null);
        }

        /// Figures of a metric, at the right.
        public static Column figures(String header, String unit, Metric metric) {
            return new Column(header, unit, Align.RIGHT, metric);
        }

        /// Header and unit in one line: "TTFT P50, ms".
        public String headerWithUnit() {
            return unit.isEmpty() ? header : header + ", " + unit;
        }
    }

    /// The kind of a row.
    public enum RowKind {
        /// One text per column.
        FIGURES,
        /// A single text over all columns that names the rows below it.
        HEADING
    }

    /// @param cells one per column; a single one in a heading
    public record Row(RowKind kind, List<String> cells) {
        /// A row with one text per column.
        public static Row of(List<String> cells) {
            return new Row(RowKind.FIGURES, cells);
        }

        /// A row for each name that a map has, with the values of all of them: of names whose values differ, or all.
        public static List<Row> ofNames(Collection<Map<String, String>> columns, boolean all) {
            return columns.stream().flatMap(column -> column.keySet().stream()).distinct()
                    .map(name -> Stream
                            .concat(Stream.of(name), columns.stream().map(column -> column.getOrDefault(name, "–")))
                            .toList())
                    .filter(cells -> all || cells.stream().skip(1).distinct().count() > 1).map(Row::of).toList();
        }

        /// The same under a heading.
        public Row indented() {
            return of(Stream.concat(Stream.of("  " + cells.getFirst()), cells.stream().skip(1)).toList());
        }

        /// A heading over the rows below it.
        public static Row heading(String text) {
            return new Row(RowKind.HEADING, List.of(text));
        }
    }
}
