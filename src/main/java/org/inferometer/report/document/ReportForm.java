package org.inferometer.report.document;

import java.util.List;
import java.util.Map;
import org.inferometer.record.Metric;
import org.inferometer.report.Finding;
import org.inferometer.report.ReportTable;
import org.inferometer.report.charts.ChartSheet;
import org.inferometer.report.compare.SchedulerExplanations.Paragraph;
import org.inferometer.report.document.ReportDocument.Part;
import org.inferometer.report.document.ReportDocument.TableNotes;
import org.inferometer.report.document.ReportOutline.ReportSection;

/// A form of a report that is written from top to bottom. [#write] says what follows what; a form says how it looks.
///
/// @param <E> what writing may throw
interface ReportForm<E extends Exception> {
    /// Writes the sections of a report in their order, each for all of its parts.
    default void write(ReportDocument document) throws E {
        title(document.title(), document.outline().byLine(),
                document.parts().stream().map(part -> part.id() + " · " + part.subtitle()).toList());
        for (ReportSection section : document.outline().sections()) {
            switch (section) {
                case TABLES -> tables(document.tables(), document.definitions());
                case DIFFERENCES -> {
                    for (ReportTable table : document.differences().stream().toList()) {
                        table(table, true);
                    }
                }
                case NOTES -> {
                    if (!document.outline().noteLines().isEmpty()) {
                        notes(section.title(), document.outline().noteLines());
                    }
                }
                case ANSWER, FINDINGS, CHARTS, ENVIRONMENT, REPRODUCE -> {}
            }
            for (Part part : document.parts()) {
                write(section, document, part);
            }
        }
    }

    private void write(ReportSection section, ReportDocument document, Part part) throws E {
        String of = document.parts().size() > 1 ? ": " + part.id() : "";
        switch (section) {
            case ANSWER -> answer(part, of.isEmpty() ? "" : part.id(), sentences(document, part, part.firstFindings()),
                    document.firstCharts(part));
            case FINDINGS -> {
                list("Findings" + of, sentences(document, part, part.otherFindings()));
                if (!part.explanations().isEmpty()) {
                    explanations("Scheduler insights", of, part.explanations());
                }
            }
            case CHARTS -> charts("Charts" + of, part, document.otherCharts(part));
            case ENVIRONMENT -> environment("Environment" + of, part.environment());
            case REPRODUCE -> commands("Reproduce" + of, part.command());
            case NOTES -> list("Notes of the runs" + of, part.notes());
            case TABLES, DIFFERENCES -> {}
        }
    }

    private static List<String> sentences(ReportDocument document, Part part, List<Finding> findings) {
        return findings.stream().map(finding -> document.sentence(part, finding)).toList();
    }

    /// @param byLine may be empty
    /// @param parts id and subtitle of each part
    void title(String title, String byLine, List<String> parts) throws E;

    /// @param heading empty if the report has one part
    void answer(Part part, String heading, List<String> findings, List<ChartSheet> charts) throws E;

    /// A heading over items; nothing without items.
    void list(String heading, List<String> items) throws E;

    /// @param of part of the heading that names the part of the report; may be empty
    void explanations(String heading, String of, List<Paragraph> explanations) throws E;

    /// All tables with what they share, and the definitions of their metrics; either may be empty.
    void tables(TableNotes tables, List<Metric> definitions) throws E;

    /// @param section whether it is a section of its own
    void table(ReportTable table, boolean section) throws E;

    /// @param charts may be empty
    void charts(String heading, Part part, List<ChartSheet> charts) throws E;

    void environment(String heading, Map<String, String> environment) throws E;

    /// @param commands one, or the lines of a file
    void commands(String heading, String commands) throws E;

    /// @param lines paragraphs of the author
    void notes(String heading, List<String> lines) throws E;
}
