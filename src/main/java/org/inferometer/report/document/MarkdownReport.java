package org.inferometer.report.document;

import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.inferometer.report.ReportTable;
import org.inferometer.report.ReportTable.Align;
import org.inferometer.report.charts.ChartSheet;

/// A report as GitHub Markdown.
public final class MarkdownReport {
    private final ReportDocument document;
    private final BiFunction<ReportDocument.Part, ChartSheet, String> picture;
    private final StringBuilder out = new StringBuilder();

    /// @param picture the relative link to the picture of a chart; empty for none
    public MarkdownReport(ReportDocument document, BiFunction<ReportDocument.Part, ChartSheet, String> picture) {
        this.document = document;
        this.picture = picture;
    }

    public String render() {
        line("# " + escaped(document.title()));
        if (!document.outline().byLine().isEmpty()) {
            line("");
            line(escaped(document.outline().byLine()));
        }
        for (ReportDocument.Part part : document.parts()) {
            line("");
            line(escaped(part.id() + " · " + part.subtitle()));
        }
        document.outline().sections().forEach(this::section);
        return out.toString();
    }

    private boolean several() {
        return document.parts().size() > 1;
    }

    private void section(ReportSection section) {
        if (section == ReportSection.TABLES) {
            TableNotes all = document.tables();
            if (!all.tables().isEmpty()) {
                heading(section.title());
                all.shared().forEach(shared -> line(escaped(shared) + "  "));
            }
            all.tables().forEach(table -> table(table, "### "));
            definitions();
        } else if (section == ReportSection.DIFFERENCES) {
            document.differences().ifPresent(table -> table(table, "## "));
        } else {
            if (section == ReportSection.NOTES && !document.outline().noteLines().isEmpty()) {
                heading(section.title());
                document.outline().noteLines().forEach(line -> line(escaped(line) + "\n"));
            }
            document.parts().forEach(part -> section(section, part));
        }
    }

    private void section(ReportSection section, ReportDocument.Part part) {
        switch (section) {
            case ANSWER -> answer(part);
            case FINDINGS -> {
                list("Findings", part,
                        part.otherFindings().stream().map(finding -> document.sentence(part, finding)).toList());
                explanations(part);
            }
            case CHARTS -> charts(part);
            case ENVIRONMENT -> {
                heading("Environment", part);
                line("| | |");
                line("| --- | --- |");
                part.environment().forEach((name, value) -> out.append(row(List.of(name, value))));
            }
            case REPRODUCE -> {
                heading("Reproduce", part);
                // Text inside a fence could end it; an indented block cannot be ended.
                part.command().lines().forEach(command -> line("    " + command));
            }
            case NOTES -> list("Notes of the runs", part, part.notes());
            case TABLES, DIFFERENCES -> throw new IllegalArgumentException(section + " is not of one part.");
        }
    }

    private void list(String heading, ReportDocument.Part part, List<String> items) {
        if (!items.isEmpty()) {
            heading(heading, part);
            items.forEach(item -> line("- " + escaped(item)));
        }
    }

    private void definitions() {
        if (!document.definitions().isEmpty()) {
            line("\n### Definitions\n");
            document.definitions()
                    .forEach(metric -> line("- **" + escaped(metric.label()) + "**: " + escaped(metric.definition())));
        }
    }

    private void answer(ReportDocument.Part part) {
        if (several()) {
            heading(part.id());
        } else {
            line("");
        }
        line(part.verdict()
                .map(verdict -> "**" + verdict.grade().name() + "**: " + escaped(VerdictText.meaning(verdict)))
                .orElse(answerWithoutVerdict(part.notJudged())));
        part.verdict().map(VerdictText::open).orElse(List.of())
                .forEach(condition -> line("- " + escaped(VerdictText.sentence(condition))));
        part.firstFindings().forEach(finding -> line("\n" + escaped(document.sentence(part, finding))));
        if (!document.firstCharts(part).isEmpty()) {
            line("");
            pictures(part, document.firstCharts(part));
        }
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
            heading("Scheduler insights", part);
            part.explanations().forEach(explanation -> {
                line("- " + escaped(explanation.heading()));
                explanation.seen().forEach(seen -> line("  - " + escaped(seen)));
            });
        }
    }

    private void table(ReportTable table, String level) {
        line("\n" + level + escaped(table.title()) + "\n");
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
        if (document.otherCharts(part).stream().anyMatch(chart -> !picture.apply(part, chart).isEmpty())) {
            heading("Charts", part);
            pictures(part, document.otherCharts(part));
        }
    }

    private void pictures(ReportDocument.Part part, List<ChartSheet> charts) {
        charts.stream().filter(chart -> !picture.apply(part, chart).isEmpty()).forEach(chart -> {
            line("![" + escaped(chart.title()) + "](" + picture.apply(part, chart) + ")");
            line("");
        });
    }

    private void heading(String text, ReportDocument.Part part) {
        heading(several() ? text + ": " + part.id() : text);
    }

    private void heading(String text) {
        line("");
        line("## " + escaped(text));
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
