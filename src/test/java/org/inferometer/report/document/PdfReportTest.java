package org.inferometer.report.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.cos.COSName;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDResources;
import org.apache.pdfbox.pdmodel.graphics.form.PDFormXObject;
import org.apache.pdfbox.text.PDFTextStripper;
import org.apache.pdfbox.text.TextPosition;
import org.inferometer.chart.JFreeCharts;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.report.ReportTable;
import org.inferometer.report.ReportTable.Column;
import org.inferometer.report.ReportTable.Row;
import org.inferometer.report.charts.ChartRenderer;
import org.inferometer.report.compare.FindingsTest;
import org.inferometer.results.SampleRecords;
import org.inferometer.results.TextAnonymizer;
import org.inferometer.scheduling.SchedulerRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class PdfReportTest {
    private static final ChartRenderer CHARTS = new JFreeCharts();
    private final ExperimentRecord record =
            FindingsTest.record(SampleRecords.experiment(Path.of("/home/measurer/results/x"), 3));
    private final ReportDocument document = ReportDocument.of(List.of(record), ReportOutline.USUAL,
            SchedulerRegistry.standard(), new TextAnonymizer(List.of("measurer")));

    private static String text(byte[] pdf) throws IOException {
        try (PDDocument read = Loader.loadPDF(pdf)) {
            return new PDFTextStripper().getText(read);
        }
    }

    /// The text of a report in lines, without the pages' ends.
    private static String unwrapped(byte[] pdf) throws IOException {
        return text(pdf).replaceAll("\\s+", " ");
    }

    @Test
    void answerChartsAndCommandAreTextInOrder() throws IOException {
        byte[] pdf = PdfReport.render(document, CHARTS);
        String text = unwrapped(pdf);
        List<String> order = List.of("Inferometer report: ", record.manifest().id(), "VALID.",
                document.parts().getFirst().firstFindings().getFirst().text(),
                document.parts().getFirst().firstCharts().getFirst().title(), "Findings", "Tables",
                document.comparison().getFirst().title(), "Environment", "Operating system", "Reproduce",
                "./inferometer run --engine tiny-fp8");
        assertThat(order.stream().map(text::indexOf).toList()).doesNotContain(-1).isSorted();
        assertThat(PdfReport.render(document, CHARTS)).as("the same twice").isEqualTo(pdf);
        assertThat(pdf.length).isLessThan(1_000_000);
    }

    @Test
    void lettersAreOnPagesAndFontsAreEmbedded() throws IOException {
        try (PDDocument pdf = Loader.loadPDF(PdfReport.render(wide(60, 14), CHARTS))) {
            List<String> outside = new ArrayList<>();
            new PDFTextStripper() {
                @Override
                protected void processTextPosition(TextPosition letter) {
                    if (letter.getX() < 39 || letter.getEndX() > 556 && letter.getDir() == 0 || letter.getY() < 30
                            || letter.getY() > 815) {
                        outside.add(letter.getUnicode() + " at " + letter.getX() + ", " + letter.getY());
                    }
                }
            }.getText(pdf);
            assertThat(outside).isEmpty();
            for (PDPage page : pdf.getPages()) {
                fontsAreEmbedded(page.getResources());
            }
            assertThat(pdf.getDocumentCatalog().getDocumentOutline().children()).isNotEmpty();
        }
    }

    private static void fontsAreEmbedded(PDResources resources) throws IOException {
        for (COSName name : resources.getFontNames()) {
            assertThat(resources.getFont(name).isEmbedded()).as(name.getName()).isTrue();
        }
        for (COSName name : resources.getXObjectNames()) {
            assertThat(resources.getXObject(name)).as("vectors").isInstanceOf(PDFormXObject.class);
            fontsAreEmbedded(((PDFormXObject) resources.getXObject(name)).getResources());
        }
    }

    /// A report with one table.
    private ReportDocument wide(int rows, int columns) {
        List<Column> heads = new ArrayList<>(List.of(Column.text("Cell")));
        IntStream.range(1, columns).forEach(c -> heads.add(Column.number("Measured thing " + c, "ms")));
        List<Row> lines =
                IntStream.range(0, rows)
                        .mapToObj(r -> Row.of(IntStream.range(0, columns)
                                .mapToObj(c -> c == 0 ? "row-" + r + " \u65e5" : "1234567.89 ± 12345").toList()))
                        .toList();
        ReportDocument.Part part = document.parts().getFirst();
        return new ReportDocument(document.outline(), List.of(part),
                List.of(new ReportTable("Wide table", "", heads, lines, List.of())), Optional.empty(), List.of(),
                false);
    }

    @Test
    void tablesBreakOverPagesWithTheirHeader() throws IOException {
        byte[] pdf = PdfReport.render(wide(120, 3), CHARTS);
        try (PDDocument read = Loader.loadPDF(pdf)) {
            int shown = 0;
            for (int page = 1; page <= read.getNumberOfPages(); page++) {
                PDFTextStripper stripper = new PDFTextStripper();
                stripper.setStartPage(page);
                stripper.setEndPage(page);
                String text = stripper.getText(read);
                if (text.contains("row-")) {
                    shown++;
                    assertThat(text).contains("Measured thing 2");
                }
                assertThat(text).contains("Page " + page + " of " + read.getNumberOfPages(),
                        document.parts().getFirst().source());
            }
            assertThat(shown).isGreaterThan(1);
        }
        assertThat(text(pdf)).contains("row-0 ?", "row-119 ?");
    }

    @Test
    void indentedNamesKeepTheirLine() throws IOException {
        ReportTable table = new ReportTable("T", "", List.of(Column.text("Metric"), Column.number("Base", "ms")),
                List.of(Row.heading("tiny"), Row.of(List.of("  INT4 / FP8 of all", "1"))), List.of());
        ReportDocument one = new ReportDocument(document.outline(), document.parts(), List.of(table), Optional.empty(),
                List.of(), false);
        assertThat(text(PdfReport.render(one, CHARTS))).contains("INT4 / FP8 of all 1");
    }

    @Test
    void tooWideTablesKeepEveryColumnAndTheNamesOfRows() throws IOException {
        String text = unwrapped(PdfReport.render(wide(3, 20), CHARTS));
        assertThat(text.split("row-2 ", -1).length - 1).as("pieces").isGreaterThan(1);
        assertThat(text.split("1234567.89 ± 12345", -1).length - 1).isEqualTo(3 * 19);
    }

    @Test
    void differencesNameOnlyUnequalProperties() {
        assertThat(ReportDocument.differences(Map.of("one", Map.of("Java", "25", "GPU", "none")))).isEmpty();
        ReportTable table = ReportDocument
                .differences(new TreeMap<>(
                        Map.of("one", Map.of("Java", "25", "GPU", "none"), "two", Map.of("Java", "26", "GPU", "none"))))
                .orElseThrow();
        assertThat(table.rows()).containsExactly(Row.of(List.of("Java", "25", "26")));
        assertThat(table.columns().stream().map(Column::header)).containsExactly("Property", "one", "two");
    }
}
