package org.inferometer.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.inferometer.cli.CliFixture;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.results.SampleRecords;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class CompareCommandTest {
    private static final String ID = "2026-11-21_141503_quick";

    @TempDir
    static Path folder = Path.of("");

    private final CliFixture cli = new CliFixture(folder);

    @BeforeAll
    static void write() throws IOException {
        SampleRecords.writeExperiment(folder.resolve("results").resolve(ID), 3);
    }

    @Test
    void comparisonIsTextOrJson() {
        CliFixture.Outcome text = cli.run("compare", ID + "#1", ID + "#2");
        assertThat(text.exit()).isZero();
        assertThat(text.out()).startsWith("continuous:chunk=64 gives 1.30× the output throughput")
                .contains("\n\nVerdict\n").contains("better in Request throughput (1.30× faster)");
        JsonNode json = new JsonMapper().readTree(cli.run("compare", ID + "#1", ID + "#2", "--json").out());
        assertThat(json.path("headline").stringValue()).startsWith("continuous:chunk=64 gives 1.30× ");
        assertThat(json.at("/pairs/0/contrast/differs/0").stringValue()).isEqualTo("scheduler naive → continuous");
        assertThat(json.at("/pairs/0/contrast").propertyNames()).containsExactly("differs", "unknown", "same");
        assertThat(json.path("pairs").path(0).has("baseSide")).isFalse();
        JsonNode first = json.path("pairs").path(0).path("figures").path(0);
        assertThat(first.path("metric").stringValue()).isEqualTo("request_throughput");
        assertThat(first.path("outcome").stringValue()).isEqualTo("FASTER");
        assertThat(first.path("improvement").doubleValue()).isBetween(0.29, 0.31);
        assertThat(first.has("comparison")).isFalse();
    }

    @Test
    void reportOpensWithHeadlineAndTwoCharts() throws IOException {
        Path page = folder.resolve("compare.html");
        CliFixture.Outcome written = cli.run("compare", ID + "#1", ID + "#2", "--report", page.toString());
        assertThat(written.out()).endsWith("\nwrote compare.html\n");
        String html = Files.readString(page);
        List<String> order = List.of("chunk&#x3D;64 against naive", "Differs: scheduler naive → continuous",
                "chunk&#x3D;64 gives 1.30× the output", "aria-label=\"Ratio to naive",
                ", cumulative distribution. n &#x3D; ", "better in Request throughput", "<h2>Tables</h2>",
                "<h2>Charts</h2>", "<pre>inferometer compare ");
        assertThat(order.stream().map(html::indexOf).toList()).doesNotContain(-1).isSorted();
        Path markdown = folder.resolve("compare.md");
        cli.run("compare", ID + "#1", ID + "#2", "--report", markdown.toString());
        assertThat(Files.readString(markdown)).contains("](compare-charts/ratios.png)\n\n![");
        assertThat(folder.resolve("compare-charts").resolve("ratios.png")).isNotEmptyFile();
        Path pdf = folder.resolve("compare.PDF");
        assertThat(cli.run("compare", ID + "#1", ID + "#2", "--report", pdf.toString()).err()).isEmpty();
        assertThat(Files.readAllBytes(pdf)).startsWith('%', 'P', 'D', 'F');
        assertThat(cli.run("compare", ID + "#1", ID + "#2", "--report", "compare.csv"))
                .isEqualTo(new CliFixture.Outcome(2, "",
                        "error: compare.csv is not a report: its name must end in .html, .pdf, .md or .txt. Figures: --json.\n"));
    }

    @Test
    void unknownPartListsValidParts() {
        CliFixture.Outcome wrong = cli.run("compare", ID + "#9", ID + "#2");
        assertThat(wrong.exit()).isEqualTo(2);
        assertThat(wrong.err()).contains("\"9\" is neither a cell nor a run of " + ID)
                .contains("#1 (tiny-fp8 · naive · short)");
        assertThat(cli.run("compare", "nothing", ID).exit()).isEqualTo(2);
        assertThat(cli.run("compare", ID).exit()).isEqualTo(2);
    }

    @Test
    void resultIsNotComparedWithItself() {
        CliFixture.Outcome itself = cli.run("compare", ID, ID);
        assertThat(itself).isEqualTo(new CliFixture.Outcome(2, "", "error: " + ID
                + " is the base itself. Name another result, or two of its cells (RESULT#1 RESULT#2).\n"));
        assertThat(cli.run("compare", ID + "#1", ID + "#1").exit()).isEqualTo(2);
    }

    @Test
    void resultsWithoutCommonCellListTheirCells() throws IOException {
        ExperimentManifest whole = cli.open(ID).manifest();
        cli.save("left", of("left", whole, 0, 1));
        cli.save("right", of("right", whole, 2, 3));
        CliFixture.Outcome nothing = cli.run("compare", "left", "right");
        assertThat(nothing.exit()).isEqualTo(2);
        assertThat(nothing.err())
                .startsWith("error: right and left have no cell name in common. left has tiny-fp8 · naive · short, ")
                .contains("; right has tiny-int4 · naive · short, ")
                .endsWith("Name one cell of the base (RESULT#1) to compare it with every candidate.\n");
    }

    private static ExperimentManifest of(String id, ExperimentManifest all, int... cells) {
        return new ExperimentManifest(all.formatVersion(), id, all.spec(), all.plan(), all.machine(),
                new ExperimentManifest.ExperimentTimes(all.times().started(), all.times().ended(), null),
                new ExperimentManifest.ExperimentOutcome(all.status(), "",
                        Arrays.stream(cells).mapToObj(all.cells()::get).toList(), all.verdict()),
                false);
    }

    @Test
    void gateExitsByOutcomeAndWritesJunit() throws IOException {
        Path junit = folder.resolve("gate.xml");
        CliFixture.Outcome worse =
                cli.run("gate", ID + "#2", ID + "#1", "--margin", "output_throughput=3%", "--junit", junit.toString());
        assertThat(worse.exit()).isEqualTo(1);
        assertThat(worse.out()).startsWith("REGRESSION: 0 of 1 checks passed.\n");
        assertThat(Files.readString(junit)).contains("failures=\"1\"");
        assertThat(cli.run("gate", ID + "#1", ID + "#2").exit()).isZero();
        JsonNode json = new JsonMapper().readTree(cli.run("gate", ID + "#1", ID + "#2", "--json").out());
        assertThat(json.path("outcome").stringValue()).isEqualTo("PASS");
        assertThat(json.path("checks").size()).isEqualTo(3);
    }

    @Test
    void gateOfSingleRunsIsNotJudgedAndFails() {
        CliFixture.Outcome unsure = cli.run("gate", ID + "#run-000", ID + "#run-001", "--margin", "e2e_p50=3%");
        assertThat(unsure.exit()).isEqualTo(1);
        assertThat(unsure.out()).startsWith("NOT JUDGED");
        assertThat(
                cli.run("gate", ID + "#run-000", ID + "#run-001", "--margin", "e2e_p50=3%", "--allow-missing").exit())
                .isZero();
    }

    @Test
    void incomparableResultsAreAUsageErrorWithoutAnyway() {
        CliFixture.Outcome other = cli.run("gate", ID + "#1", ID + "#run-005", "--margin", "e2e_p95=3%");
        assertThat(other.exit()).isEqualTo(2);
        assertThat(other.err()).contains("Requests differ").contains("Add --anyway");
        assertThat(cli.run("gate", ID + "#1", ID + "#run-005", "--margin", "e2e_p95=3%", "--anyway").out())
                .startsWith("NOT JUDGED");
    }

    @Test
    void allInvalidMarginsAreReported() {
        CliFixture.Outcome wrong =
                cli.run("gate", ID + "#1", ID + "#2", "--margin", "e2e_p59=3%", "--margin", "e2e_p95=3");
        assertThat(wrong.exit()).isEqualTo(2);
        assertThat(wrong.err()).contains("e2e_p59").contains("Use %, ns, us, ms, s.");
        CliFixture.Outcome missing = cli.run("gate", ID + "#1", ID + "#2", "--margin", "energy_per_token=3%");
        assertThat(missing.exit()).isEqualTo(1);
        assertThat(missing.out()).startsWith("NOT JUDGED").contains("missing on both sides");
    }

    @Test
    void gateHoldsTheCandidateToLimits() {
        assertThat(
                cli.run("gate", ID + "#1", ID + "#2", "--at-least", "output_throughput=100", "--at-most", "e2e_p95=10s")
                        .exit())
                .isZero();
        CliFixture.Outcome low = cli.run("gate", ID + "#1", ID + "#2", "--at-least", "output_throughput=10000");
        assertThat(low.exit()).isEqualTo(1);
        assertThat(low.out()).contains("(limit: at least 10000)");
        assertThat(cli.run("gate", ID + "#1", ID + "#2", "--at-least", "tokens=3").err()).contains("--at-least: ");
    }
}
