package org.inferometer.report.document;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.Metric;
import org.inferometer.report.ReportTable;
import org.inferometer.report.TextTable;
import org.inferometer.report.charts.ChartSheet;
import org.inferometer.report.compare.BaselineComparison;
import org.inferometer.report.compare.ComparedCell;
import org.inferometer.report.compare.ComparisonTables;
import org.inferometer.report.compare.DeploymentAnswer;
import org.inferometer.report.compare.Findings;
import org.inferometer.report.compare.QuantisationImpact;
import org.inferometer.report.compare.Recommendations;
import org.inferometer.report.compare.SchedulerExplanations;
import org.inferometer.report.compare.SchedulerExplanations.Paragraph;
import org.inferometer.report.document.ReportDocument.Part;
import org.inferometer.report.document.ReportDocument.TableNotes;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.wording.Voice;

/// A report as plain text.
public final class TextReport implements ReportForm<RuntimeException> {
    /// More cells have their memory by owner in report files.
    private static final int MOST_WITH_OWNERS = 4;
    private final int columns;
    private final StringBuilder out = new StringBuilder();

    private TextReport(int columns) {
        this.columns = columns;
    }

    /// Everything except charts; ends with a line feed.
    public static String render(ReportDocument document, int columns) {
        TextReport text = new TextReport(columns);
        text.write(document);
        return text.whole();
    }

    private String whole() {
        return out.toString().stripTrailing() + "\n";
    }

    /// Findings, tables and improvements of one experiment; ends with a line feed.
    static String summary(ExperimentRecord record, SchedulerRegistry schedulers, int columns) {
        TextReport text = new TextReport(columns);
        text.list("Findings", Findings.of(record));
        List<ComparedCell> cells = ComparedCell.of(List.of(record.manifest()));
        if (!cells.isEmpty()) {
            ComparisonTables figures = new ComparisonTables(cells);
            List<ReportTable> all = new ArrayList<>(figures.all());
            LatencyByVariant.of(List.of(record)).ifPresent(all::add);
            LatencyWithFailures.of(List.of(record)).ifPresent(all::add);
            figures.memory().filter(table -> cells.size() <= MOST_WITH_OWNERS).ifPresent(all::add);
            QuantisationImpact.of(cells, Voice.COMMAND_LINE).ifPresent(all::add);
            BaselineComparison.overBaselines(cells, List.of(record.manifest())).overview().ifPresent(all::add);
            DeploymentAnswer.of(cells, List.of(record.manifest())).map(DeploymentAnswer::table).ifPresent(all::add);
            Recommendations.of(cells, Voice.COMMAND_LINE).ifPresent(all::add);
            TableNotes tables = TableNotes.of(all);
            text.list("All tables", tables.shared());
            tables.tables().forEach(table -> text.table(table, false));
        }
        List<Paragraph> explanations = SchedulerExplanations.paragraphs(SchedulerExplanations.of(record, schedulers));
        if (!explanations.isEmpty()) {
            text.explanations("Scheduler insights", "", explanations);
        }
        return text.whole();
    }

    @Override
    public void title(String title, String byLine, List<String> parts) {
        Stream.concat(Stream.of(title, byLine).filter(text -> !text.isEmpty()), parts.stream())
                .forEach(text -> paragraph(text, ""));
        out.append('\n');
    }

    @Override
    public void answer(Part part, String heading, List<String> findings, List<ChartSheet> charts) {
        if (!heading.isEmpty()) {
            paragraph(heading, "");
        }
        paragraph(part.judgement(), "");
        part.conditions().forEach(condition -> paragraph(condition, "  "));
        findings.forEach(finding -> paragraph(finding, ""));
        out.append('\n');
    }

    @Override
    public void list(String heading, List<String> items) {
        if (!items.isEmpty()) {
            out.append(heading).append('\n');
            items.forEach(item -> paragraph(item, "  "));
            out.append('\n');
        }
    }

    @Override
    public void explanations(String heading, String of, List<Paragraph> explanations) {
        out.append(heading).append('\n');
        explanations.forEach(explanation -> {
            paragraph(explanation.heading(), "  ");
            explanation.seen().forEach(seen -> paragraph(seen, "    "));
        });
        out.append('\n');
    }

    @Override
    public void tables(TableNotes tables, List<Metric> definitions) {
        list("Tables", tables.shared());
        tables.tables().forEach(table -> table(table, false));
        list("Definitions", definitions.stream().map(metric -> metric.label() + ": " + metric.definition()).toList());
    }

    @Override
    public void table(ReportTable table, boolean section) {
        out.append(TextTable.render(table, columns)).append('\n');
    }

    /// Charts are pictures.
    @Override
    public void charts(String heading, Part part, List<ChartSheet> charts) {}

    @Override
    public void environment(String heading, Map<String, String> environment) {
        list(heading, environment.entrySet().stream().map(row -> row.getKey() + ": " + row.getValue()).toList());
    }

    /// One command is wrapped; the lines of a file are not.
    @Override
    public void commands(String heading, String commands) {
        out.append(heading).append('\n')
                .append(commands.contains("\n") ? commands + "\n" : TextTable.hanging(commands, "  ", columns))
                .append('\n');
    }

    @Override
    public void notes(String heading, List<String> lines) {
        list(heading, lines);
    }

    private void paragraph(String text, String indent) {
        out.append(TextTable.hanging(text, indent, columns));
    }
}
