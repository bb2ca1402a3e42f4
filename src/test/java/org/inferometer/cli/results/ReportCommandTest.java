package org.inferometer.cli.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.inferometer.cli.CliFixture;
import org.inferometer.cli.Samples;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RunStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ReportCommandTest {
    private final CliFixture cli = new CliFixture();

    @TempDir
    Path folder;

    private Path result() throws IOException {
        Path results = folder.resolve("results");
        cli.root = folder;
        Path one = Files.createDirectories(results.resolve("one"));
        cli.results.add(new ExperimentRecord(one,
                Samples.manifest(Samples.oneCell(1), RunStatus.COMPLETE, "", Samples.VALID), List.of(), List.of()));
        return one;
    }

    @Test
    void aReportIsWrittenNextToItsResult() throws IOException {
        Path one = result();
        assertThat(cli.run("report", "one"))
                .isEqualTo(new CliFixture.Outcome(0, "wrote " + one.resolve("report.html") + "\n", ""));
        assertThat(one.resolve("report.html")).hasContent("html of 2026-11-21_141503_one");
        try (Stream<Path> left = Files.list(one)) {
            assertThat(left).containsExactly(one.resolve("report.html"));
        }
    }

    @Test
    void theEndingOfTheFileSaysTheFormatAndChartsAreListed() throws IOException {
        result();
        Path file = folder.resolve("new").resolve("r.md");
        JsonNode written = new JsonMapper().readTree(
                cli.run("report", "latest", "--out", file.toString(), "--charts", "pictures", "--json").out());
        assertThat(file).hasContent("md of 2026-11-21_141503_one");
        assertThat(written.path("format").stringValue()).isEqualTo("md");
        assertThat(written.path("files").get(2).stringValue()).isEqualTo("pictures/ttft.png");
    }

    @Test
    void aDashIsStandardOutput() throws IOException {
        result();
        assertThat(cli.run("report", "one", "--format", "csv", "--out", "-"))
                .isEqualTo(new CliFixture.Outcome(0, "csv of 2026-11-21_141503_one\n", ""));
        assertThat(cli.run("report", "one", "--out", "-", "--json").exit()).isEqualTo(2);
    }

    @Test
    void unknownFormatsAndResultsAreWrongUse() throws IOException {
        result();
        assertThat(cli.run("report", "one", "--format", "htm")).isEqualTo(new CliFixture.Outcome(2, "",
                "error: Unknown format \"htm\". Did you mean html? Valid: html, md, text, csv, json.\n"));
        CliFixture.Outcome outcome = cli.run("report", "two", "three");
        assertThat(outcome.exit()).isEqualTo(2);
        assertThat(outcome.err().lines()).hasSize(2);
    }

    @Test
    void aSchedulerSuiteIsWrittenAloneUnlessAReportIsAskedForToo() throws IOException {
        Path one = result();
        assertThat(cli.run("report", "one", "--scheduler-suite", "suite"))
                .isEqualTo(new CliFixture.Outcome(0, "wrote suite/benchmark_summaries.csv\n", ""));
        assertThat(cli.run("report", "one", "--scheduler-suite", "suite", "--format", "md").out())
                .isEqualTo("wrote " + one.resolve("report.md") + "\nwrote suite/benchmark_summaries.csv\n");
        assertThat(cli.run("report", "one", "one", "--scheduler-suite", "suite")).isEqualTo(
                new CliFixture.Outcome(2, "", "error: --scheduler-suite writes one result, not 2. Name one.\n"));
    }

    @Test
    void aPlaceThatCannotBeWrittenExitsWithThree() throws IOException {
        result();
        Path file = Files.createFile(folder.resolve("file"));
        CliFixture.Outcome outcome = cli.run("report", "one", "--out", file.resolve("r.html").toString());
        assertThat(outcome.exit()).isEqualTo(3);
        assertThat(outcome.err()).startsWith("error: The report could not be written: ")
                .endsWith("Choose another place with --out.\n");
    }
}
