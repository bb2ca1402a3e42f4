package org.inferometer.report.document;

import java.util.List;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.report.Findings;
import org.inferometer.report.ReportTable;
import org.inferometer.report.SchedulerExplanations;
import org.inferometer.report.SchedulerExplanations.Paragraph;
import org.inferometer.report.TextTable;
import org.inferometer.report.compare.BaselineComparison;
import org.inferometer.report.compare.ComparedCell;
import org.inferometer.report.compare.ComparisonTables;
import org.inferometer.report.compare.DeploymentAnswer;
import org.inferometer.report.compare.QuantisationImpact;
import org.inferometer.report.compare.Recommendations;
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

    /// Tables, improvements and findings of one experiment; ends with a line feed.
    static String summary(ExperimentRecord record, SchedulerRegistry schedulers, int columns) {
        TextReport text = new TextReport(columns);
        List<ComparedCell> cells = ComparedCell.of(List.of(record.manifest()));
        if (!cells.isEmpty()) {
            ComparisonTables tables = new ComparisonTables(cells);
            text.tables(tables.all());
            text.tables(tables.memory().filter(table -> cells.size() <= MOST_WITH_OWNERS).stream().toList());
            text.tables(QuantisationImpact.of(cells).stream().toList());
            BaselineComparison.overBaselines(cells, List.of(record.manifest())).overview()
                    .ifPresent(overview -> text.tables(List.of(overview)));
            DeploymentAnswer.of(cells, List.of(record.manifest()))
                    .ifPresent(answer -> text.tables(List.of(answer.table())));
            text.tables(Recommendations.of(cells).stream().toList());
        }
        text.explanations(SchedulerExplanations.paragraphs(SchedulerExplanations.of(record, schedulers)));
        text.list("Findings", Findings.of(record));
        return text.out.toString();
    }

    private String whole(ReportDocument document) {
        paragraph(document.title(), "");
        for (ReportDocument.Part part : document.parts()) {
            paragraph(part.id() + " · " + part.subtitle(), "");
            out.append('\n');
            paragraph(part.verdict().map(verdict -> verdict.grade().name() + ". " + VerdictText.meaning(verdict))
                    .orElse(part.notJudged()), "");
            part.verdict().map(VerdictText::open).orElse(List.of())
                    .forEach(condition -> paragraph(VerdictText.sentence(condition), "  "));
            out.append('\n');
            list("Findings", part.findings());
            out.append('\n');
        }
        tables(document.comparison());
        document.parts().forEach(part -> explanations(part.explanations()));
        for (ReportDocument.Part part : document.parts()) {
            list("Environment",
                    part.environment().entrySet().stream().map(row -> row.getKey() + ": " + row.getValue()).toList());
            out.append('\n');
            list("Reproduce", List.of(part.command()));
            if (!part.notes().isEmpty()) {
                out.append('\n');
                list("Notes", part.notes());
            }
            out.append('\n');
        }
        list("Definitions",
                document.definitions().stream().map(metric -> metric.label() + ": " + metric.definition()).toList());
        return out.toString();
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
