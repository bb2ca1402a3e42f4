package org.inferometer.report.document;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.inferometer.record.Metric;
import org.inferometer.report.ReportTable;
import org.inferometer.report.charts.ChartRenderer;
import org.inferometer.report.charts.ChartRenderer.ChartFormat;
import org.inferometer.report.charts.ChartRenderer.Picture;
import org.inferometer.report.charts.ChartRenderer.Shade;
import org.inferometer.report.charts.ChartSheet;
import org.inferometer.report.compare.SchedulerExplanations.Paragraph;
import org.inferometer.report.document.PdfPages.Ink;
import org.inferometer.report.document.PdfPages.Style;
import org.inferometer.report.document.ReportDocument.Part;
import org.inferometer.report.document.ReportDocument.TableNotes;

/// A report as PDF pages: charts are vectors, text can be selected, fonts are embedded.
final class PdfReport implements ReportForm<IOException> {
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
            report.write(document);
            return pages.save(report.footer());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String footer() {
        Part first = document.parts().getFirst();
        return document.parts().size() > 1 ? document.title() + " · " + first.subtitle() : first.source();
    }

    @Override
    public void title(String title, String byLine, List<String> parts) throws IOException {
        pages.paragraph(title, TITLE, 0);
        if (!byLine.isEmpty()) {
            pages.paragraph(byLine, BODY, 0);
        }
        for (String part : parts) {
            pages.paragraph(part, MUTED, 0);
        }
    }

    @Override
    public void answer(Part part, String heading, List<String> findings, List<ChartSheet> charts) throws IOException {
        if (!heading.isEmpty()) {
            pages.heading(heading, SECTION, FEW_LINES);
        }
        List<String> paragraphs = Stream.concat(Stream.of(part.judgement()), part.conditions().stream()).toList();
        List<Style> styles = new ArrayList<>(Collections.nCopies(paragraphs.size(), MUTED));
        styles.set(0, new Style(10.5, true, Ink.TEXT));
        pages.box(paragraphs, styles, part.verdict().map(verdict -> switch (verdict.grade()) {
            case VALID -> Ink.GOOD;
            case INVALID -> Ink.BAD;
            case PREVIEW -> Ink.MUTED;
        }).orElse(Ink.MUTED));
        for (String finding : findings) {
            pages.paragraph(finding, MAIN, 0);
        }
        pictures(part, charts);
    }

    private void pictures(Part part, List<ChartSheet> charts) throws IOException {
        for (ChartSheet chart : charts) {
            boolean alone = chart.across() == 1;
            pages.picture(renderer.draw(chart.from(part.source()), new Picture(ChartFormat.PDF,
                    CHART_WIDTH / chart.across(), alone ? CHART_HEIGHT : PANEL_HEIGHT, 1, Shade.LIGHT)));
        }
    }

    @Override
    public void list(String heading, List<String> items) throws IOException {
        if (!items.isEmpty()) {
            pages.heading(heading, SECTION, FEW_LINES);
            for (String item : items) {
                pages.bullet(item, BODY, 0);
            }
        }
    }

    @Override
    public void explanations(String heading, String of, List<Paragraph> explanations) throws IOException {
        pages.heading(heading + of, SECTION, FEW_LINES);
        for (Paragraph explanation : explanations) {
            pages.bullet(explanation.heading(), BODY, 0);
            for (String seen : explanation.seen()) {
                pages.bullet(seen, BODY, 12);
            }
        }
    }

    @Override
    public void tables(TableNotes tables, List<Metric> definitions) throws IOException {
        if (!tables.tables().isEmpty()) {
            pages.heading("Tables", SECTION, TABLE_START);
        }
        small(tables.shared());
        for (ReportTable table : tables.tables()) {
            table(table, false);
        }
        if (!definitions.isEmpty()) {
            pages.heading("Definitions", SUBSECTION, FEW_LINES);
            small(definitions.stream().map(metric -> metric.label() + ": " + metric.definition()).toList());
        }
    }

    private void small(List<String> paragraphs) throws IOException {
        for (String paragraph : paragraphs) {
            pages.paragraph(paragraph, SMALL, 0);
        }
    }

    @Override
    public void table(ReportTable table, boolean section) throws IOException {
        pages.heading(table.title(), section ? SECTION : SUBSECTION, TABLE_START);
        small(Stream.of(table.caption()).filter(caption -> !caption.isEmpty()).toList());
        PdfTable.draw(pages, table);
        small(table.footnotes());
    }

    @Override
    public void charts(String heading, Part part, List<ChartSheet> charts) throws IOException {
        if (!charts.isEmpty()) {
            pages.heading(heading, SECTION, CHART_POINTS);
            pictures(part, charts);
        }
    }

    @Override
    public void environment(String heading, Map<String, String> environment) throws IOException {
        pages.heading(heading, SECTION, FEW_LINES);
        List<ReportTable.Row> rows = environment.entrySet().stream()
                .map(row -> ReportTable.Row.of(List.of(row.getKey(), row.getValue()))).toList();
        PdfTable.draw(pages, new ReportTable("", "",
                List.of(ReportTable.Column.text("Property"), ReportTable.Column.text("Value")), rows, List.of()));
    }

    @Override
    public void commands(String heading, String commands) throws IOException {
        pages.heading(heading, SECTION, FEW_LINES);
        List<String> lines = commands.lines().toList();
        pages.box(lines, Collections.nCopies(lines.size(), BODY), Ink.RULE);
    }

    @Override
    public void notes(String heading, List<String> lines) throws IOException {
        pages.heading(heading, SECTION, FEW_LINES);
        for (String line : lines) {
            pages.paragraph(line, BODY, 0);
        }
    }
}
