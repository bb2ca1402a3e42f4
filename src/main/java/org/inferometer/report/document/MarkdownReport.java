package org.inferometer.report.document;

import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.inferometer.report.ReportTable;
import org.inferometer.report.ReportTable.Align;
import org.inferometer.report.charts.ChartData;

/// A report as GitHub Markdown.
public final class MarkdownReport {
    private final ReportDocument document;
    private final BiFunction<ReportDocument.Part, ChartData, String> picture;
    private final StringBuilder out = new StringBuilder();

    /// @param picture the relative link to the picture of a chart; empty for none
    public MarkdownReport(ReportDocument document, BiFunction<ReportDocument.Part, ChartData, String> picture) {
        this.document = document;
        this.picture = picture;
    }

    public String render() {
        line("# " + escaped(document.title()));
        for (ReportDocument.Part part : document.parts()) {
            line("");
            line(document.parts().size() > 1 ? "## " + escaped(part.id()) : escaped(part.id()));
            line("");
            line(escaped(part.subtitle()));
            answer(part);
        }
        document.comparison().forEach(this::table);
        document.parts().forEach(this::explanations);
        for (ReportDocument.Part part : document.parts()) {
            charts(part);
            evidence(part);
        }
        if (!document.definitions().isEmpty()) {
            heading("Definitions");
            document.definitions()
                    .forEach(metric -> line("- **" + escaped(metric.label()) + "**: " + escaped(metric.definition())));
        }
        return out.toString();
    }

    private void answer(ReportDocument.Part part) {
        line("");
        line(part.verdict()
                .map(verdict -> "**" + verdict.grade().name() + "**: " + escaped(VerdictText.meaning(verdict)))
                .orElse(answerWithoutVerdict(part.notJudged())));
        part.verdict().map(VerdictText::open).orElse(List.of())
                .forEach(condition -> line("- " + escaped(VerdictText.sentence(condition))));
        part.firstFindings().forEach(finding -> line("\n" + escaped(finding)));
        if (!part.firstCharts().isEmpty()) {
            line("");
            pictures(part, part.firstCharts());
        }
        heading("Findings");
        part.otherFindings().forEach(finding -> line("- " + escaped(finding)));
    }

    /// A heading before a colon is bold, else the first sentence.
    private static String answerWithoutVerdict(String answer) {
        int colon = answer.indexOf(": ");
        int end = colon >= 0 && !answer.substring(0, colon).contains(". ") ? colon : answer.indexOf(". ") + 1;
        return end <= 0 ? "**" + escaped(answer) + "**"
                : "**" + escaped(answer.substring(0, end)) + "**" + escaped(answer.substring(end));
    }

    private void explanations(ReportDocument.Part part) {
        if (!part.explanations().isEmpty()) {
            heading("Scheduler insights");
            part.explanations().forEach(explanation -> {
                line("- " + escaped(explanation.heading()));
                explanation.seen().forEach(seen -> line("  - " + escaped(seen)));
            });
        }
    }

    private void table(ReportTable table) {
        heading(table.title());
        if (!table.caption().isEmpty()) {
            line(escaped(table.caption()));
            line("");
        }
        out.append(markdown(table));
        if (!table.footnotes().isEmpty()) {
            line("");
            line(table.footnotes().stream().map(MarkdownReport::escaped).collect(Collectors.joining(" ")));
        }
    }

    /// A table alone.
    static String markdown(ReportTable table) {
        StringBuilder rows = new StringBuilder();
        rows.append(row(table.columns().stream().map(ReportTable.Column::headerWithUnit).toList()));
        rows.append(table.columns().stream().map(column -> column.align() == Align.RIGHT ? " ---: " : " --- ")
                .collect(Collectors.joining("|", "|", "|\n")));
        for (ReportTable.Row row : table.rows()) {
            switch (row.kind()) {
                case FIGURES -> rows.append(row(row.cells()));
                case HEADING -> rows.append("| **").append(escaped(row.cells().getFirst())).append("** ")
                        .append("| ".repeat(table.columns().size() - 1)).append("|\n");
            }
        }
        return rows.toString();
    }

    private static String row(List<String> cells) {
        return cells.stream().map(String::strip).map(MarkdownReport::escaped)
                .collect(Collectors.joining(" | ", "| ", " |\n"));
    }

    private void charts(ReportDocument.Part part) {
        if (part.otherCharts().stream().anyMatch(chart -> !picture.apply(part, chart).isEmpty())) {
            heading("Charts");
            pictures(part, part.otherCharts());
        }
    }

    private void pictures(ReportDocument.Part part, List<ChartData> charts) {
        charts.stream().filter(chart -> !picture.apply(part, chart).isEmpty()).forEach(chart -> {
            line("![" + escaped(chart.title()) + "](" + picture.apply(part, chart) + ")");
            line("");
        });
    }

    private void evidence(ReportDocument.Part part) {
        heading("Environment");
        line("| | |");
        line("| --- | --- |");
        part.environment().forEach((name, value) -> out.append(row(List.of(name, value))));
        heading("Reproduce");
        // Text inside a fence could end it; an indented block cannot be ended.
        line("    " + part.command().replace("\n", " "));
        if (!part.notes().isEmpty()) {
            heading("Notes");
            part.notes().forEach(note -> line("- " + escaped(note)));
        }
    }

    private void heading(String text) {
        line("");
        line((document.parts().size() > 1 ? "### " : "## ") + escaped(text));
        line("");
    }

    private void line(String text) {
        out.append(text).append('\n');
    }

    /// Text without markup, table breaks, HTML and line breaks.
    static String escaped(String text) {
        StringBuilder safe = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '\\', '`', '*', '_', '[', ']', '#', '|', '~' -> safe.append('\\').append(c);
                case '<' -> safe.append("&lt;");
                case '>' -> safe.append("&gt;");
                case '&' -> safe.append("&amp;");
                case '\n', '\r' -> safe.append(' ');
                default -> safe.append(c);
            }
        }
        return safe.toString();
    }
}
