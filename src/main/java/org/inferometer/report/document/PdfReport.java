package org.inferometer.report.document;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.inferometer.record.Metric;
import org.inferometer.report.ReportTable;
import org.inferometer.report.ReportTable.Align;
import org.inferometer.report.ReportTable.Column;
import org.inferometer.report.ReportTable.RowKind;
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

    /// A table on the pages of a PDF. Its header stands on each page. A table that is too wide gets smaller letters, then lines in its
    /// texts, then is split by columns, each piece with the first column.
    static final class PdfTable {
        private static final double[] SIZES = {8, 7.5, 7, 6.5};
        private static final double GAP = 10;
        private static final double ROW_GAP = 3;
        private final PdfPages pages;
        private final ReportTable table;
        /// Of this piece of the table.
        private final List<Integer> shown;
        private final Style text;
        private final Style bold;
        /// `[shown]` points without gaps.
        private final double[] widths;

        private PdfTable(PdfPages pages, ReportTable table, List<Integer> shown, double size, double[] widths) {
            this.pages = pages;
            this.table = table;
            this.shown = shown;
            this.text = new Style(size, false, Ink.TEXT);
            this.bold = new Style(size, true, Ink.TEXT);
            this.widths = widths;
        }

        /// Draws the rows and the header of a table, without its title and notes.
        static void draw(PdfPages pages, ReportTable table) throws IOException {
            List<Integer> all = IntStream.range(0, table.columns().size()).boxed().toList();
            for (PdfTable piece : pieces(pages, table, all)) {
                piece.draw();
            }
        }

        private static List<PdfTable> pieces(PdfPages pages, ReportTable table, List<Integer> shown) {
            for (double size : SIZES) {
                double room = PdfPages.WIDTH - GAP * (shown.size() - 1);
                double[] least = widths(pages, table, shown, size, true);
                double[] natural = widths(pages, table, shown, size, false);
                double spare = room - Arrays.stream(least).sum();
                if (spare >= 0) {
                    return List.of(new PdfTable(pages, table, shown, size, shared(least, natural, spare)));
                }
            }
            if (shown.size() <= 2) {
                double[] even = new double[shown.size()];
                Arrays.fill(even, (PdfPages.WIDTH - GAP * (shown.size() - 1)) / shown.size());
                return List.of(new PdfTable(pages, table, shown, SIZES[SIZES.length - 1], even));
            }
            int middle = (shown.size() + 2) / 2;
            List<Integer> second = new ArrayList<>(List.of(shown.getFirst()));
            second.addAll(shown.subList(middle, shown.size()));
            List<PdfTable> both = new ArrayList<>(pieces(pages, table, shown.subList(0, middle)));
            both.addAll(pieces(pages, table, second));
            return both;
        }

        /// Shares spare width: columns that need little get all of it, the others equal parts.
        private static double[] shared(double[] least, double[] natural, double spare) {
            double[] widths = least.clone();
            double rest = spare;
            List<Integer> byNeed = IntStream.range(0, least.length).boxed()
                    .sorted(Comparator.comparingDouble(i -> natural[i] - least[i])).toList();
            for (int done = 0; done < byNeed.size(); done++) {
                int column = byNeed.get(done);
                double more = Math.min(natural[column] - least[column], rest / (byNeed.size() - done));
                widths[column] += more;
                rest -= more;
            }
            return widths;
        }

        /// @param broken the widest word of each column instead of its widest text; figures are not broken
        private static double[] widths(PdfPages pages, ReportTable table, List<Integer> shown, double size,
                boolean broken) {
            Style style = new Style(size, false, Ink.TEXT);
            Style bold = new Style(size, true, Ink.TEXT);
            double widestWord = PdfPages.WIDTH / 3;
            double[] widths = new double[shown.size()];
            for (int i = 0; i < widths.length; i++) {
                int index = shown.get(i);
                Column column = table.columns().get(index);
                boolean cut = broken && column.align() == Align.LEFT;
                Stream<String> heads = broken ? Stream.of((column.header() + " " + column.unit()).split(" "))
                        : Stream.of(column.header(), column.unit());
                Stream<String> cells = table.rows().stream().filter(row -> row.kind() == RowKind.FIGURES)
                        .map(row -> row.cells().get(index).stripTrailing())
                        .flatMap(cell -> cut ? Stream.of(cell.split(" ")) : Stream.of(cell));
                double widest = Math.max(heads.mapToDouble(each -> pages.width(each, bold)).max().orElse(0),
                        cells.mapToDouble(each -> pages.width(each, style)).max().orElse(0));
                widths[i] = (cut ? Math.min(widestWord, widest) : widest) + 1;
            }
            return widths;
        }

        private void draw() throws IOException {
            header();
            for (int r = 0; r < table.rows().size(); r++) {
                ReportTable.Row row = table.rows().get(r);
                boolean group = row.kind() == RowKind.HEADING;
                List<List<String>> cells = group ? List.of(pages.lines(row.cells().getFirst(), bold, PdfPages.WIDTH))
                        : IntStream.range(0, shown.size())
                                .mapToObj(i -> pages.lines(row.cells().get(shown.get(i)), text, widths[i])).toList();
                double height = height(cells);
                if (pages.reserve(group ? 2 * height : height)) {
                    header();
                }
                row(cells, group ? bold : text);
            }
            pages.gap(6);
        }

        private void header() throws IOException {
            List<List<String>> heads = IntStream.range(0, shown.size()).mapToObj(i -> {
                Column column = table.columns().get(shown.get(i));
                List<String> lines = new ArrayList<>(pages.lines(column.header(), bold, widths[i]));
                if (!column.unit().isEmpty()) {
                    lines.addAll(pages.lines(column.unit(), text, widths[i]));
                }
                return lines;
            }).toList();
            pages.reserve(3 * height(heads));
            int most = heads.stream().mapToInt(List::size).max().orElse(1);
            row(heads.stream().map(lines -> {
                List<String> low = new ArrayList<>(Collections.nCopies(most - lines.size(), ""));
                low.addAll(lines);
                return low;
            }).toList(), bold);
        }

        private double height(List<List<String>> cells) {
            return cells.stream().mapToInt(List::size).max().orElse(1) * text.lineHeight() + ROW_GAP;
        }

        private void row(List<List<String>> cells, Style style) throws IOException {
            double x = 0;
            double height = height(cells);
            for (int i = 0; i < cells.size(); i++) {
                boolean right = cells.size() > 1 && table.columns().get(shown.get(i)).align() == Align.RIGHT;
                for (int line = 0; line < cells.get(i).size(); line++) {
                    String words = cells.get(i).get(line);
                    pages.put(words, style, right ? x + widths[i] - pages.width(words, style) : x,
                            pages.y() + line * style.lineHeight());
                }
                x += widths[i] + GAP;
            }
            double whole = Arrays.stream(widths).sum() + GAP * (widths.length - 1);
            pages.fill(Ink.RULE, 0, pages.y() + height - ROW_GAP / 2, whole, 0.5);
            pages.advance(height);
        }
    }
}
