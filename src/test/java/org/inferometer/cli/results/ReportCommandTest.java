package org.inferometer.cli.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.inferometer.cli.CliFixture;
import org.inferometer.report.document.ReportFormat;
import org.inferometer.report.document.ReportOutline;
import org.inferometer.results.SampleRecords;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ReportCommandTest {
    private final Path folder;
    private final CliFixture cli;

    ReportCommandTest(@TempDir Path folder) {
        this.folder = folder;
        this.cli = new CliFixture(folder);
    }

    private Path result() throws IOException {
        Path one = cli.results().resolve("one");
        SampleRecords.writeExperiment(one, 1);
        return one;
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private String suite() {
        return folder.resolve("suite").toString();
    }

    private byte[] report(ReportFormat format) throws IOException {
        return cli.reports().of(List.of(cli.open("one")), ReportOutline.USUAL).bytes(format);
    }

    @Test
    void reportIsWrittenIntoTheResultFolder() throws IOException {
        Path one = result();
        assertThat(cli.run("report", "one"))
                .isEqualTo(new CliFixture.Outcome(0, "wrote results/one/report.html\n", ""));
        assertThat(one.resolve("report.html")).hasBinaryContent(report(ReportFormat.HTML));
        assertThat(names(one)).containsExactly("experiment.json", "report.html", "run-000", "run-001", "run-002",
                "run-003");
    }

    @Test
    void fileExtensionSelectsFormatAndChartsAreListed() throws IOException {
        result();
        Path charts = folder.resolve("charts");
        JsonNode written = new JsonMapper().readTree(cli.run("report", "latest", "--out",
                folder.resolve("new/r.md").toString(), "--charts", charts.toString(), "--json").out());
        assertThat(written.path("format").stringValue()).isEqualTo("md");
        List<String> files = written.path("files").valueStream().map(JsonNode::stringValue).toList();
        assertThat(files.getFirst()).isEqualTo("new/r.md");
        assertThat(files).contains("new/r-charts/ttft-ecdf.png", "charts/ttft-ecdf.png")
                .allMatch(file -> Files.isRegularFile(folder.resolve(file)));
        assertThat(files.stream().filter(file -> file.startsWith("charts/")))
                .containsExactlyInAnyOrderElementsOf(names(charts).stream().map("charts/"::concat).toList());
    }

    @Test
    void chartsHaveTheirFormat() throws IOException {
        result();
        Path charts = folder.resolve("charts");
        assertThat(cli.run("report", "latest", "--charts", charts.toString(), "--chart-format", "svg").exit()).isZero();
        assertThat(names(charts)).isNotEmpty().allMatch(name -> name.endsWith(".svg"));
        assertThat(cli.run("report", "latest", "--charts", charts.toString(), "--chart-format", "pdg"))
                .isEqualTo(new CliFixture.Outcome(2, "",
                        "error: Unknown chart format \"pdg\". Did you mean pdf or png? Valid: png, svg, pdf.\n"));
    }

    @Test
    void dashWritesToStandardOutput() throws IOException {
        result();
        assertThat(cli.run("report", "one", "--format", "csv", "--out", "-"))
                .isEqualTo(new CliFixture.Outcome(0, new String(report(ReportFormat.CSV), StandardCharsets.UTF_8), ""));
        assertThat(cli.run("report", "one", "--out", "-", "--json").exit()).isEqualTo(2);
    }

    @Test
    void unknownFormatsAndResultsAreUsageErrors() throws IOException {
        result();
        assertThat(cli.run("report", "one", "--format", "htm")).isEqualTo(new CliFixture.Outcome(2, "",
                "error: Unknown format \"htm\". Did you mean html? Valid: html, pdf, md, text, csv, json.\n"));
        assertThat(cli.run("report", "one", "-o", "one.docx")).isEqualTo(new CliFixture.Outcome(2, "",
                "error: one.docx is not a report: its name must end in .html, .pdf, .md, .txt, .csv or .json. Or name a format with --format.\n"));
        CliFixture.Outcome outcome = cli.run("report", "two", "three");
        assertThat(outcome.exit()).isEqualTo(2);
        assertThat(outcome.err().lines()).hasSize(2);
    }

    @Test
    void schedulerSuiteReplacesTheDefaultReport() throws IOException {
        Path one = result();
        CliFixture.Outcome alone = cli.run("report", "one", "--scheduler-suite", suite());
        assertThat(alone.exit()).isZero();
        assertThat(alone.out().lines()).startsWith("wrote suite/benchmark_summaries.csv",
                "wrote suite/benchmark_detailed_metrics.csv", "wrote suite/benchmark_report.txt");
        assertThat(alone.out().lines().sorted())
                .containsExactlyElementsOf(names(Path.of(suite())).stream().map("wrote suite/"::concat).toList());
        assertThat(one.resolve("report.html")).doesNotExist();
        assertThat(cli.run("report", "one", "--scheduler-suite", suite(), "--format", "csv").out())
                .isEqualTo("wrote results/one/report.csv\n" + alone.out());
        List<String> rows = Files.readAllLines(Path.of(suite()).resolve("benchmark_summaries.csv"));
        assertThat(cli.run("report", "one", "one", "--scheduler-suite", suite()).exit()).isZero();
        assertThat(Files.readAllLines(Path.of(suite()).resolve("benchmark_summaries.csv")))
                .containsExactlyElementsOf(Stream.concat(rows.stream(), rows.stream().skip(1)).toList());
    }

    @Test
    void unwritableFileExitsWithThree() throws IOException {
        result();
        Path file = Files.createFile(folder.resolve("file"));
        CliFixture.Outcome outcome = cli.run("report", "one", "--out", file.resolve("r.html").toString());
        assertThat(outcome.exit()).isEqualTo(3);
        assertThat(outcome.err()).startsWith("error: Cannot write the report: ")
                .endsWith("Choose another file with --out.\n");
    }
}
