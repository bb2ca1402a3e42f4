package org.inferometer.report.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.text.PDFTextStripper;
import org.inferometer.chart.JFreeCharts;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.ExperimentRecord.ReaderNote;
import org.inferometer.report.charts.ChartRenderer;
import org.inferometer.report.charts.ChartRenderer.ChartFormat;
import org.inferometer.report.compare.FindingsTest;
import org.inferometer.report.document.ReportOutline.ReportSection;
import org.inferometer.results.SampleRecords;
import org.inferometer.results.TextAnonymizer;
import org.inferometer.scheduling.SchedulerRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ReportsTest {
    private static final byte[] PIXEL = {(byte) 0x89, 'P', 'N', 'G'};
    private final Reports reports = new Reports((sheet, picture) -> switch (picture.format()) {
        case SVG -> "<svg/>".getBytes(StandardCharsets.UTF_8);
        case PDF -> new JFreeCharts().draw(sheet, picture);
        case PNG -> PIXEL;
    }, SchedulerRegistry.standard(), new TextAnonymizer(List.of("measurer")));
    private final ExperimentRecord record =
            FindingsTest.record(SampleRecords.experiment(Path.of("/home/measurer/results/x"), 3));
    @TempDir
    Path folder;

    /// The text of a report.
    private String report(ExperimentRecord experiment, ReportFormat format) {
        byte[] file = reports.of(List.of(experiment), ReportOutline.USUAL).bytes(format);
        if (format != ReportFormat.PDF) {
            return new String(file, StandardCharsets.UTF_8);
        }
        try (PDDocument pdf = Loader.loadPDF(file)) {
            return new PDFTextStripper().getText(pdf);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void htmlPageIsSelfContained() {
        String page = report(record, ReportFormat.HTML);
        assertThat(page).contains("<strong>VALID</strong>", " is highest with ",
                "<div class=\"light\"><svg/></div><div class=\"dark\"><svg/>", "Difference from tiny-fp8 · naive",
                "./inferometer run --engine tiny-fp8 --engine tiny-int4 ", "Example CPU, 8 cores",
                "definition of ttft_p50");
        assertThat(page).doesNotContainPattern("(src|href|srcset)=\"(?!data:|#)").doesNotContain("<script", "@import",
                "url(");
        assertThat(page).doesNotContain("{{", "}}");
    }

    @Test
    void chartsOfAPageAreSmallAndTheirIdsAreUnique() {
        Reports drawn =
                new Reports(new JFreeCharts(), SchedulerRegistry.standard(), new TextAnonymizer(List.of("measurer")));
        String page = new String(drawn.of(List.of(record, record), ReportOutline.USUAL).bytes(ReportFormat.HTML),
                StandardCharsets.UTF_8);
        int figures = page.split("<figure", -1).length - 1;
        assertThat(figures).isGreaterThan(4);
        assertThat(page.length() / figures).as("12 charts within 3 MB").isLessThan(250_000);
        assertThat(Pattern.compile(" id=\"([^\"]*)\"").matcher(page).results().map(match -> match.group(1)))
                .isNotEmpty().doesNotHaveDuplicates();
        assertThat(page).doesNotContainPattern("url\\((?!#c[0-9]+[ld]-)").doesNotContain("src=");
        assertThat(Pattern.compile("href=\"([^\"]*)\"").matcher(page).results().map(match -> match.group(1)))
                .isNotEmpty()
                .allSatisfy(link -> assertThat(page).containsOnlyOnce(" id=\"" + link.substring(1) + "\""));
    }

    @Test
    void findingsNameTheirChartAndFootersTheirSource() {
        String source = "quick · 2026-11-21 · Example CPU, 8 cores";
        assertThat(report(record, ReportFormat.TEXT)).contains(" Chart: Output throughput (tok/s).");
        String page = report(record, ReportFormat.HTML);
        assertThat(page).contains(
                "<a class=\"chart-link\" href=\"#chart-1-throughput\">Chart: Output throughput (tok/s)</a>",
                "id=\"chart-1-throughput\"", "id=\"chart-1-requests-in-system\" class=\"chart panels\"");
        List<String> footers = new ArrayList<>();
        ChartRenderer drawn = (sheet, picture) -> {
            sheet.panels().forEach(panel -> footers.add(panel.footer()));
            return new byte[0];
        };
        new Reports(drawn, SchedulerRegistry.standard(), new TextAnonymizer(List.of("measurer")))
                .of(List.of(record), ReportOutline.USUAL).bytes(ReportFormat.HTML);
        assertThat(footers).isNotEmpty().allMatch(footer -> footer.endsWith(" · " + source));
    }

    @Test
    void aReportWithoutChartsNamesNone() {
        ReportOutline outline =
                new ReportOutline("", "", "", List.of(ReportSection.FINDINGS, ReportSection.TABLES), "");
        assertThat(new String(reports.of(List.of(record), outline).bytes(ReportFormat.TEXT), StandardCharsets.UTF_8))
                .contains("is highest with").doesNotContain("Chart:");
    }

    @Test
    void theEndingOfAFileNamesItsFormat() {
        assertThat(ReportFormat.of(Path.of("a.b", "Report.HTML"))).contains(ReportFormat.HTML);
        assertThat(ReportFormat.of(Path.of("report.txt"))).contains(ReportFormat.TEXT);
        assertThat(ReportFormat.of(Path.of("a.md", "report"))).isEmpty();
        assertThat(ChartFormat.of(Path.of("a.b", "Plane.Svg"))).contains(ChartFormat.SVG);
        assertThat(ChartFormat.of(Path.of("pdf"))).isEmpty();
    }

    private static List<ReaderNote> noted(String text) {
        return List.of(new ReaderNote(null, text));
    }

    @Test
    void noKindOfReportHoldsHostUserOrPath() {
        ExperimentRecord noted = new ExperimentRecord(record.folder(), record.manifest(), record.runs(),
                noted("Read from /home/measurer/x by measurer."));
        for (ReportFormat format : ReportFormat.values()) {
            assertThat(report(noted, format)).as(format.id()).doesNotContain("measurer", "/home");
        }
    }

    @Test
    void recordTextIsEscaped() {
        ExperimentManifest manifest = record.manifest();
        ExperimentRecord hostile = new ExperimentRecord(record.folder(), manifest, record.runs(),
                noted("<script>alert(1)</script> | [x](y) `z` \" onload=\"x"));
        assertThat(report(hostile, ReportFormat.HTML)).doesNotContain("<script>", "\" onload=\"x")
                .contains("&lt;script&gt;");
        assertThat(report(hostile, ReportFormat.MD))
                .contains("- &lt;script&gt;alert(1)&lt;/script&gt; \\| \\[x\\](y) &#96;z&#96; \" onload=\"x");
    }

    @Test
    void namesAndAddressesOfRecordsAreQuiet() {
        ExperimentRecord hostile = new ExperimentRecord(record.folder(), record.manifest(), record.runs(), noted(
                "@team, see https://x.test/a and www.x.test, fixes #12 and owner/repo#1 of 2c570bdc by a@b.test."));
        Reports.Report exact = new Reports(new JFreeCharts(), SchedulerRegistry.standard(), TextAnonymizer.EXACT)
                .of(List.of(hostile), ReportOutline.USUAL);
        String html = new String(exact.bytes(ReportFormat.HTML), StandardCharsets.UTF_8);
        assertThat(new String(exact.bytes(ReportFormat.MD), StandardCharsets.UTF_8)).contains(
                "- `@team,` see `https://x.test/a` and `www.x.test,` fixes `#12` and `owner/repo#1` of `2c570bdc` by `a@b.test.`");
        assertThat(html).contains("https://x.test/a and www.x.test").doesNotContain(" src=", "<script", "@import")
                .doesNotContainPattern("url\\((?!#)");
        assertThat(Pattern.compile("href=\"([^\"]*)").matcher(html).results().map(link -> link.group(1))).isNotEmpty()
                .allMatch(address -> address.startsWith("#chart-"));
        assertThat(html).contains("content=\"default-src 'none'; style-src 'unsafe-inline'\"");
    }

    @Test
    void rawValuesAreExportedForPrograms() {
        List<String> rows = report(record, ReportFormat.CSV).lines().toList();
        assertThat(rows).hasSize(1 + 4 * 11);
        assertThat(rows.get(0)).startsWith(
                "experiment,cell,engine,model,precision,scheduler,workload,requests,arrivals,backend,metric,unit,mean");
        assertThat(rows.get(3)).isEqualTo(
                "2026-11-21_141503_quick,0,tiny-fp8,tiny,fp8,naive,short,60,poisson:rate=4.0,host:threads=2,ttft_p50,ns,21400000,"
                        + "530720,20869280,21930720,3,180,60,true,,21186000 21400000 21614000,,,,,,,");
        assertThat(rows.get(3 + 11)).contains(",ttft_p50,ns,", ",0,0.23").endsWith(",faster");
        JsonNode json = JsonMapper.builder().build().readTree(report(record, ReportFormat.JSON));
        assertThat(json.at("/experiments/0/cells/1/figures/output_throughput/unit").stringValue())
                .isEqualTo("tokens/s");
        assertThat(json.at("/experiments/0/cells/1/figures/output_throughput/runValues").size()).isEqualTo(3);
        assertThat(json.at("/experiments/0/cells/1/figures/e2e_p99/samples").longValue()).isEqualTo(180);
        assertThat(json.at("/experiments/0/cells/1/figures/e2e_p99/fewestSamplesOfARun").longValue()).isEqualTo(60);
        assertThat(json.at("/experiments/0/cells/1/figures/device_utilisation").isMissingNode()).isTrue();
        assertThat(json.at("/experiments/0/improvements/0/metric").stringValue()).isEqualTo("request_throughput");
        assertThat(json.at("/experiments/0/improvements/0/outcome").stringValue()).isEqualTo("faster");
        assertThat(json.at("/experiments/0/explanations/0/scheduler").stringValue()).isEqualTo("naive");
    }

    @Test
    void markdownBringsItsPicturesBesideIt() throws IOException {
        List<Path> written =
                reports.of(List.of(record), ReportOutline.USUAL).write(ReportFormat.MD, folder.resolve("my report.md"));
        String markdown = Files.readString(written.getFirst());
        assertThat(written).hasSizeGreaterThan(5);
        for (Path picture : written.subList(1, written.size())) {
            assertThat(picture).hasBinaryContent(PIXEL);
            assertThat(markdown).contains("(my%20report-charts/" + picture.getFileName() + ")");
        }
        assertThat(report(record, ReportFormat.MD)).doesNotContain("![");
    }

    @Test
    void chartFilesNameTheirResult() throws IOException {
        List<String> footers = new ArrayList<>();
        Reports drawn = new Reports((sheet, picture) -> {
            footers.add(sheet.panels().getFirst().footer());
            return PIXEL;
        }, SchedulerRegistry.standard(), new TextAnonymizer(List.of()));
        assertThat(drawn.of(List.of(record), ReportOutline.USUAL).charts(folder.resolve("charts"), ChartFormat.PDF))
                .hasSameSizeAs(footers).allMatch(file -> file.toString().endsWith(".pdf"));
        assertThat(footers).isNotEmpty()
                .allMatch(footer -> footer.endsWith(" · quick · 2026-11-21 · Example CPU, 8 cores"));
    }

    @Test
    void severalExperimentsHaveDistinctNames() {
        String text = new String(reports.of(List.of(record, record), ReportOutline.USUAL).bytes(ReportFormat.TEXT),
                StandardCharsets.UTF_8);
        assertThat(text).startsWith("Inferometer report: 2 experiments\n");
        assertThat(text.lines()).allMatch(line -> line.codePointCount(0, line.length()) <= 110);
    }

    @Test
    void summaryShowsFailuresAndSharedNotesOnce() {
        String text = reports.summary(record, 110);
        assertThat(text).containsOnlyOnce("Latency, failed requests counted as infinite")
                .containsOnlyOnce("± and [ ]: 95 % interval over runs.");
    }

    @Test
    void summaryFitsTheTerminal() {
        for (int columns : List.of(80, 100, 120)) {
            assertThat(reports.summary(record, columns).lines())
                    .allMatch(line -> line.codePointCount(0, line.length()) <= columns);
        }
    }
}
