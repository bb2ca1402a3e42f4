package org.inferometer.report.document;

import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.inferometer.report.ReportTable;
import org.inferometer.report.ReportTable.Align;
import org.inferometer.report.charts.ChartSheet;
import org.inferometer.report.document.ReportOutline.ReportSection;

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
        line("# " + MarkdownText.of(document.title()));
        if (!document.outline().byLine().isEmpty()) {
            line("");
            line(MarkdownText.paragraph(document.outline().byLine()));
        }
        for (ReportDocument.Part part : document.parts()) {
            line("");
            line(MarkdownText.paragraph(part.id() + " · " + part.subtitle()));
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
                all.shared().forEach(shared -> line(MarkdownText.paragraph(shared) + "  "));
            }
            all.tables().forEach(table -> table(table, "### "));
            definitions();
        } else if (section == ReportSection.DIFFERENCES) {
            document.differences().ifPresent(table -> table(table, "## "));
        } else {
            if (section == ReportSection.NOTES && !document.outline().noteLines().isEmpty()) {
                heading(section.title());
                document.outline().noteLines().forEach(line -> line(MarkdownText.paragraph(line) + "\n"));
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
            items.forEach(item -> line("- " + MarkdownText.paragraph(item)));
        }
    }

    private void definitions() {
        if (!document.definitions().isEmpty()) {
            line("\n### Definitions\n");
            document.definitions().forEach(metric -> line(
                    "- **" + MarkdownText.of(metric.label()) + "**: " + MarkdownText.of(metric.definition())));
        }
    }

    private void answer(ReportDocument.Part part) {
        if (several()) {
            heading(part.id());
        } else {
            line("");
        }
        line(part.verdict()
                .map(verdict -> "**" + verdict.grade().name() + "**: " + MarkdownText.of(VerdictText.meaning(verdict)))
                .orElse(answerWithoutVerdict(part.notJudged())));
        part.verdict().map(VerdictText::open).orElse(List.of())
                .forEach(condition -> line("- " + MarkdownText.paragraph(VerdictText.sentence(condition))));
        part.firstFindings().forEach(finding -> line("\n" + MarkdownText.paragraph(document.sentence(part, finding))));
        if (!document.firstCharts(part).isEmpty()) {
            line("");
            pictures(part, document.firstCharts(part));
        }
    }

    /// A heading before a colon is bold, else the first sentence.
    private static String answerWithoutVerdict(String answer) {
        int colon = answer.indexOf(": ");
        int end = colon >= 0 && !answer.substring(0, colon).contains(". ") ? colon : answer.indexOf(". ") + 1;
        return end <= 0 ? "**" + MarkdownText.of(answer) + "**"
                : "**" + MarkdownText.of(answer.substring(0, end)) + "**" + MarkdownText.of(answer.substring(end));
    }

    private void explanations(ReportDocument.Part part) {
        if (!part.explanations().isEmpty()) {
            heading("Scheduler insights", part);
            part.explanations().forEach(explanation -> {
                line("- " + MarkdownText.paragraph(explanation.heading()));
                explanation.seen().forEach(seen -> line("  - " + MarkdownText.paragraph(seen)));
            });
        }
    }

    private void table(ReportTable table, String level) {
        line("\n" + level + MarkdownText.of(table.title()) + "\n");
        if (!table.caption().isEmpty()) {
            line(MarkdownText.paragraph(table.caption()));
            line("");
        }
        out.append(markdown(table));
        if (!table.footnotes().isEmpty()) {
            line("");
            line(MarkdownText.paragraph(String.join(" ", table.footnotes())));
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
                case HEADING -> rows.append("| **").append(MarkdownText.of(row.cells().getFirst())).append("** ")
                        .append("| ".repeat(table.columns().size() - 1)).append("|\n");
            }
        }
        return rows.toString();
    }

    private static String row(List<String> cells) {
        return cells.stream().map(String::strip).map(MarkdownText::of).collect(Collectors.joining(" | ", "| ", " |\n"));
    }

    private void charts(ReportDocument.Part part) {
        if (document.otherCharts(part).stream().anyMatch(chart -> !picture.apply(part, chart).isEmpty())) {
            heading("Charts", part);
            pictures(part, document.otherCharts(part));
        }
    }

    private void pictures(ReportDocument.Part part, List<ChartSheet> charts) {
        charts.stream().filter(chart -> !picture.apply(part, chart).isEmpty()).forEach(chart -> {
            line("![" + MarkdownText.of(chart.title()) + "](" + picture.apply(part, chart) + ")");
            line("");
        });
    }

    private void heading(String text, ReportDocument.Part part) {
        heading(several() ? text + ": " + part.id() : text);
    }

    private void heading(String text) {
        line("");
        line("## " + MarkdownText.of(text));
        line("");
    }

    private void line(String text) {
        out.append(text).append('\n');
    }
}
