package org.inferometer.report.document;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.report.ReportTable;
import org.inferometer.report.TextTable;
import org.inferometer.report.compare.BaselineComparison;
import org.inferometer.report.compare.ComparedCell;
import org.inferometer.report.compare.ComparisonTables;
import org.inferometer.report.compare.DeploymentAnswer;
import org.inferometer.report.compare.Findings;
import org.inferometer.report.compare.QuantisationImpact;
import org.inferometer.report.compare.Recommendations;
import org.inferometer.report.compare.SchedulerExplanations;
import org.inferometer.report.compare.SchedulerExplanations.Paragraph;
import org.inferometer.report.document.ReportOutline.ReportSection;
import org.inferometer.scheduling.SchedulerRegistry;

/// A report as plain text.
public final class TextReport {
    /// More cells have their memory by owner in report files.
    private static final int MOST_WITH_OWNERS = 4;
    private final int columns;
    private final StringBuilder out = new StringBuilder();

    private TextReport(int columns) {
        this.columns = columns;
    }

    /// Everything except charts; ends with a line feed.
    public static String render(ReportDocument document, int columns) {
        return new TextReport(columns).whole(document);
    }

    /// Findings, tables and improvements of one experiment; ends with a line feed.
    static String summary(ExperimentRecord record, SchedulerRegistry schedulers, int columns) {
        TextReport text = new TextReport(columns);
        List<String> findings = Findings.of(record);
        text.list("Findings", findings);
        text.out.append(findings.isEmpty() ? "" : "\n");
        List<ComparedCell> cells = ComparedCell.of(List.of(record.manifest()));
        if (!cells.isEmpty()) {
            ComparisonTables figures = new ComparisonTables(cells);
            List<ReportTable> all = new ArrayList<>(figures.all());
            LatencyWithFailures.of(List.of(record)).ifPresent(all::add);
            figures.memory().filter(table -> cells.size() <= MOST_WITH_OWNERS).ifPresent(all::add);
            QuantisationImpact.of(cells).ifPresent(all::add);
            BaselineComparison.overBaselines(cells, List.of(record.manifest())).overview().ifPresent(all::add);
            DeploymentAnswer.of(cells, List.of(record.manifest())).map(DeploymentAnswer::table).ifPresent(all::add);
            Recommendations.of(cells).ifPresent(all::add);
            TableNotes tables = TableNotes.of(all);
            text.block("All tables", tables.shared());
            text.tables(tables.tables());
        }
        text.explanations(SchedulerExplanations.paragraphs(SchedulerExplanations.of(record, schedulers)));
        return text.out.toString().stripTrailing() + "\n";
    }

    private String whole(ReportDocument document) {
        paragraph(document.title(), "");
        if (!document.outline().byLine().isEmpty()) {
            paragraph(document.outline().byLine(), "");
        }
        document.parts().forEach(part -> paragraph(part.id() + " · " + part.subtitle(), ""));
        out.append('\n');
        for (ReportSection section : document.outline().sections()) {
            switch (section) {
                case TABLES -> {
                    block("Tables", document.tables().shared());
                    tables(document.tables().tables());
                    block("Definitions", document.definitions().stream()
                            .map(metric -> metric.label() + ": " + metric.definition()).toList());
                }
                case DIFFERENCES -> tables(document.differences().stream().toList());
                // Charts are pictures.
                case CHARTS -> {}
                case NOTES -> {
                    block("Notes", document.outline().noteLines());
                    parts(document, section);
                }
                case ANSWER, FINDINGS, ENVIRONMENT, REPRODUCE -> parts(document, section);
            }
        }
        return out.toString().stripTrailing() + "\n";
    }

    private void parts(ReportDocument document, ReportSection section) {
        for (ReportDocument.Part part : document.parts()) {
            String of = document.parts().size() > 1 ? ": " + part.id() : "";
            switch (section) {
                case ANSWER -> answer(document, part, of);
                case FINDINGS -> {
                    block("Findings" + of,
                            part.otherFindings().stream().map(finding -> document.sentence(part, finding)).toList());
                    explanations(part.explanations());
                }
                case ENVIRONMENT -> block("Environment" + of, part.environment().entrySet().stream()
                        .map(row -> row.getKey() + ": " + row.getValue()).toList());
                case REPRODUCE -> out.append("Reproduce").append(of).append('\n').append(commands(part)).append('\n');
                case NOTES -> block("Notes of the runs" + of, part.notes());
                case TABLES, DIFFERENCES, CHARTS -> throw new IllegalArgumentException(section + " is no text.");
            }
        }
    }

    /// One command is wrapped; the lines of a file are not.
    private String commands(ReportDocument.Part part) {
        return part.command().contains("\n") ? part.command() + "\n" : TextTable.hanging(part.command(), "  ", columns);
    }

    private void answer(ReportDocument document, ReportDocument.Part part, String of) {
        if (!of.isEmpty()) {
            paragraph(part.id(), "");
        }
        paragraph(part.verdict().map(verdict -> verdict.grade().name() + ". " + VerdictText.meaning(verdict))
                .orElse(part.notJudged()), "");
        part.verdict().map(VerdictText::open).orElse(List.of())
                .forEach(condition -> paragraph(VerdictText.sentence(condition), "  "));
        part.firstFindings().forEach(finding -> paragraph(document.sentence(part, finding), ""));
        out.append('\n');
    }

    private void block(String heading, List<String> items) {
        list(heading, items);
        if (!items.isEmpty()) {
            out.append('\n');
        }
    }

    private void tables(List<ReportTable> tables) {
        tables.forEach(table -> out.append(TextTable.render(table, columns)).append('\n'));
    }

    private void explanations(List<Paragraph> explanations) {
        if (!explanations.isEmpty()) {
            out.append("Scheduler insights\n");
            explanations.forEach(explanation -> {
                paragraph(explanation.heading(), "  ");
                explanation.seen().forEach(seen -> paragraph(seen, "    "));
            });
            out.append('\n');
        }
    }

    private void list(String heading, List<String> items) {
        if (!items.isEmpty()) {
            out.append(heading).append('\n');
            items.forEach(item -> paragraph(item, "  "));
        }
    }

    private void paragraph(String text, String indent) {
        out.append(TextTable.hanging(text, indent, columns));
    }
}
