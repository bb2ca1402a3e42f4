package org.inferometer.report.document;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.inferometer.record.Metric;
import org.inferometer.record.Verdict;
import org.inferometer.report.Finding;
import org.inferometer.report.ReportTable;
import org.inferometer.report.charts.ChartFormat;
import org.inferometer.report.charts.ChartRenderer;
import org.inferometer.report.charts.ChartRenderer.Picture;
import org.inferometer.report.charts.ChartRenderer.Shade;
import org.inferometer.report.charts.ChartSheet;
import org.inferometer.report.compare.SchedulerExplanations.Paragraph;
import org.inferometer.report.document.PdfPages.Ink;
import org.inferometer.report.document.PdfPages.Style;
import org.inferometer.report.document.ReportOutline.ReportSection;

/// A report as PDF pages: charts are vectors, text can be selected, fonts are embedded.
final class PdfReport {
    private static final Style TITLE = new Style(19, true, Ink.TEXT);
    private static final Style SECTION = new Style(13, true, Ink.TEXT);
    private static final Style SUBSECTION = new Style(10, true, Ink.TEXT);
    private static final Style MAIN = new Style(12, true, Ink.TEXT);
    private static final Style MUTED = new Style(9, false, Ink.MUTED);
    private static final Style SMALL = new Style(8, false, Ink.MUTED);
    private static final Style BODY = PdfPages.BODY;
    private static final int CHART_WIDTH = 720;
    private static final int CHART_HEIGHT = 310;
    private static final int PANEL_HEIGHT = 210;
    private static final double CHART_POINTS = PdfPages.WIDTH * CHART_HEIGHT / CHART_WIDTH;
    private static final double FEW_LINES = 40;
    /// A caption, a header and some rows.
    private static final double TABLE_START = 90;
    private final ReportDocument document;
    private final ChartRenderer renderer;
    private final PdfPages pages;

    private PdfReport(ReportDocument document, ChartRenderer renderer, PdfPages pages) {
        this.document = document;
        this.renderer = renderer;
        this.pages = pages;
    }

    /// The bytes of the file.
    static byte[] render(ReportDocument document, ChartRenderer renderer) {
        try (PdfPages pages = new PdfPages(document.title(), document.outline().author())) {
            PdfReport report = new PdfReport(document, renderer, pages);
            report.title();
            for (ReportSection section : document.outline().sections()) {
                report.section(section);
            }
            return pages.save(report.footer());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean several() {
        return document.parts().size() > 1;
    }

    private String footer() {
        ReportDocument.Part first = document.parts().getFirst();
        return several() ? document.title() + " · " + first.subtitle() : first.source();
    }

    private void title() throws IOException {
        pages.paragraph(document.title(), TITLE, 0);
        if (!document.outline().byLine().isEmpty()) {
            pages.paragraph(document.outline().byLine(), BODY, 0);
        }
        for (ReportDocument.Part part : document.parts()) {
            pages.paragraph(part.id() + " · " + part.subtitle(), MUTED, 0);
        }
    }

    private void section(ReportSection section) throws IOException {
        switch (section) {
            case ANSWER -> {
                for (ReportDocument.Part part : document.parts()) {
                    answer(part);
                }
            }
            case TABLES -> tables();
            case FINDINGS, CHARTS, ENVIRONMENT, REPRODUCE, NOTES -> {
                if (section == ReportSection.NOTES && !document.outline().noteLines().isEmpty()) {
                    pages.heading(section.title(), SECTION, FEW_LINES);
                    for (String line : document.outline().noteLines()) {
                        pages.paragraph(line, BODY, 0);
                    }
                }
                for (ReportDocument.Part part : document.parts()) {
                    section(section, part);
                }
            }
            case DIFFERENCES -> {
                if (document.differences().isPresent()) {
                    table(document.differences().get(), SECTION);
                }
            }
        }
    }

    private void heading(String text, ReportDocument.Part part, double following) throws IOException {
        pages.heading(several() ? text + ": " + part.id() : text, SECTION, following);
    }

    private void answer(ReportDocument.Part part) throws IOException {
        if (several()) {
            pages.heading(part.id(), SECTION, FEW_LINES);
        }
        verdict(part);
        for (Finding finding : part.firstFindings()) {
            pages.paragraph(document.sentence(part, finding), MAIN, 0);
        }
        charts(part, document.firstCharts(part));
    }

    private void verdict(ReportDocument.Part part) throws IOException {
        List<String> paragraphs = new ArrayList<>();
        List<Style> styles = new ArrayList<>();
        paragraphs.add(part.verdict().map(verdict -> verdict.grade().name() + ". " + VerdictText.meaning(verdict))
                .orElse(part.notJudged()));
        styles.add(new Style(10.5, true, Ink.TEXT));
        for (Verdict.Condition condition : part.verdict().map(VerdictText::open).orElse(List.of())) {
            paragraphs.add(VerdictText.sentence(condition));
            styles.add(MUTED);
        }
        pages.box(paragraphs, styles, part.verdict().map(verdict -> switch (verdict.grade()) {
            case VALID -> Ink.GOOD;
            case INVALID -> Ink.BAD;
            case PREVIEW -> Ink.MUTED;
        }).orElse(Ink.MUTED));
    }

    private void charts(ReportDocument.Part part, List<ChartSheet> charts) throws IOException {
        for (ChartSheet chart : charts) {
            boolean alone = chart.across() == 1;
            pages.picture(renderer.draw(chart.from(part.source()), new Picture(ChartFormat.PDF,
                    CHART_WIDTH / chart.across(), alone ? CHART_HEIGHT : PANEL_HEIGHT, 1, Shade.LIGHT)));
        }
    }

    private void section(ReportSection section, ReportDocument.Part part) throws IOException {
        switch (section) {
            case FINDINGS -> findings(part);
            case CHARTS -> {
                if (!document.otherCharts(part).isEmpty()) {
                    heading(section.title(), part, CHART_POINTS);
                    charts(part, document.otherCharts(part));
                }
            }
            case ENVIRONMENT -> environment(part);
            case REPRODUCE -> {
                heading(section.title(), part, FEW_LINES);
                List<String> lines = part.command().lines().toList();
                pages.box(lines, Collections.nCopies(lines.size(), BODY), Ink.RULE);
            }
            case NOTES -> list("Notes of the runs", part, part.notes());
            case ANSWER, TABLES, DIFFERENCES -> throw new IllegalArgumentException(section + " is not of one part.");
        }
    }

    private void list(String heading, ReportDocument.Part part, List<String> items) throws IOException {
        if (!items.isEmpty()) {
            heading(heading, part, FEW_LINES);
            for (String item : items) {
                pages.bullet(item, BODY, 0);
            }
        }
    }

    private void findings(ReportDocument.Part part) throws IOException {
        list("Findings", part, part.otherFindings().stream().map(finding -> document.sentence(part, finding)).toList());
        if (!part.explanations().isEmpty()) {
            heading("Scheduler insights", part, FEW_LINES);
            for (Paragraph explanation : part.explanations()) {
                pages.bullet(explanation.heading(), BODY, 0);
                for (String seen : explanation.seen()) {
                    pages.bullet(seen, BODY, 12);
                }
            }
        }
    }

    private void tables() throws IOException {
        if (!document.comparison().isEmpty()) {
            pages.heading("Tables", SECTION, TABLE_START);
        }
        TableNotes all = document.tables();
        for (String shared : all.shared()) {
            pages.paragraph(shared, SMALL, 0);
        }
        for (ReportTable table : all.tables()) {
            table(table, SUBSECTION);
        }
        if (!document.definitions().isEmpty()) {
            pages.heading("Definitions", SUBSECTION, FEW_LINES);
            for (Metric metric : document.definitions()) {
                pages.paragraph(metric.label() + ": " + metric.definition(), SMALL, 0);
            }
        }
    }

    private void table(ReportTable table, Style heading) throws IOException {
        pages.heading(table.title(), heading, TABLE_START);
        if (!table.caption().isEmpty()) {
            pages.paragraph(table.caption(), SMALL, 0);
        }
        PdfTable.draw(pages, table);
        for (String note : table.footnotes()) {
            pages.paragraph(note, SMALL, 0);
        }
    }

    private void environment(ReportDocument.Part part) throws IOException {
        heading("Environment", part, FEW_LINES);
        List<ReportTable.Row> rows = new ArrayList<>();
        for (Map.Entry<String, String> row : part.environment().entrySet()) {
            rows.add(ReportTable.Row.of(List.of(row.getKey(), row.getValue())));
        }
        PdfTable.draw(pages, new ReportTable("", "",
                List.of(ReportTable.Column.text("Property"), ReportTable.Column.text("Value")), rows, List.of()));
    }
}
