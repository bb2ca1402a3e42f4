package org.inferometer.report.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.Subject;
import org.inferometer.measurement.CellFigures;
import org.inferometer.measurement.MemoryMetrics;
import org.inferometer.measurement.Metrics;
import org.inferometer.options.Selection;
import org.inferometer.record.CellFigure;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentManifest.CellSummary;
import org.inferometer.record.ExperimentManifest.ExperimentOutcome;
import org.inferometer.record.Figure;
import org.inferometer.record.MeasuredQuality;
import org.inferometer.record.MeasuredQuality.TokenMean;
import org.inferometer.record.MemoryOwner;
import org.inferometer.record.Metric;
import org.inferometer.record.RunStatus;
import org.inferometer.report.ReportTable;
import org.inferometer.report.TextTable;
import org.inferometer.report.compare.ComparisonTables.MemoryTable;
import org.inferometer.results.SampleRecords;
import org.inferometer.wording.Voice;
import org.junit.jupiter.api.Test;

/// The tables that people deploy by: memory by owner, quantisation impact, recommendations. Cells are tiny-fp8 and tiny-int4 under naive
/// and continuous, in this order, with figures given by the test.
class DeploymentTablesTest {
    private static final double MIB = 1 << 20;
    private static final List<Long> SEEDS = List.of(1L, 2L, 3L);

    /// Cells with the values of each metric over three runs.
    ///
    /// @param values by metric: for each cell the mean; runs vary alike by 1 % so that pairs do not
    private static ExperimentManifest experiment(int runs, Map<Metric, double[]> values) {
        ExperimentManifest sample = SampleRecords.experiment(Path.of("x"), runs);
        ExperimentSpec spec = sample.spec();
        List<CellSummary> cells = new ArrayList<>();
        for (int c = 0; c < spec.cells().size(); c++) {
            Cell cell = spec.cells().get(c);
            List<List<Figure>> figures = new ArrayList<>();
            for (int run = 0; run < runs; run++) {
                List<Figure> ofRun = new ArrayList<>();
                for (Map.Entry<Metric, double[]> of : values.entrySet()) {
                    double noise = 1 + 0.001 * ((run * 7 + c * 3) % 5);
                    ofRun.add(new Figure(of.getKey(), of.getValue()[c] * noise, 60, true));
                }
                figures.add(ofRun);
            }
            cells.add(
                    new CellSummary(c, cell, "tiny", cell.subject().model().orElse("").endsWith("fp8") ? "fp8" : "int4",
                            runs, CellFigures.of(figures, SEEDS.subList(0, runs))));
        }
        return withCells(cells);
    }

    private static ExperimentManifest withCells(List<CellSummary> cells) {
        ExperimentManifest sample = SampleRecords.experiment(Path.of("x"), 3);
        return new ExperimentManifest(sample.formatVersion(), sample.id(), sample.spec(), sample.plan(),
                sample.machine(), sample.times(), new ExperimentOutcome(RunStatus.COMPLETE, "", cells, null), false);
    }

    private static Map<Metric, double[]> decisive() {
        Map<Metric, double[]> values = new LinkedHashMap<>();
        values.put(Metrics.OUTPUT_THROUGHPUT, new double[]{100, 200, 150, 400});
        values.put(Metrics.E2E.p95(), new double[]{4e9, 2e9, 3e9, 1e9});
        values.put(Metrics.TTFT.p50(), new double[]{4e8, 2e8, 3e8, 1e8});
        values.put(Metrics.PREFILL_LATENCY.mean(), new double[]{4e8, 4e8, 2e8, 2e8});
        values.put(Metrics.DECODE_LATENCY.mean(), new double[]{8e8, 8e8, 6e8, 6e8});
        values.put(Metrics.MODEL_MEMORY_PEAK, new double[]{40 * MIB, 40 * MIB, 30 * MIB, 30 * MIB});
        values.put(Metrics.PROMPT_TOKENS, new double[]{3840, 3840, 3840, 3840});
        values.put(Metrics.REQUESTS_OK, new double[]{60, 60, 60, 60});
        return values;
    }

    @Test
    void eachNeedHasItsChoiceAndEvidence() {
        ReportTable table = Recommendations.of(ComparedCell.of(List.of(experiment(3, decisive()))), Voice.COMMAND_LINE)
                .orElseThrow();
        assertThat(TextTable.render(table, 100)).isEqualTo("""
                Recommendations
                ────────────────────────────────────────────────────────────────────────────────────────────────────
                Need                Choice                              Evidence
                ────────────────────────────────────────────────────────────────────────────────────────────────────
                model tiny · short (60 requests, 4 req/s)
                  Latency-critical  tiny-int4 · continuous:chunk=64     E2E latency P95 1003 ms, 2.0× faster than
                                                                        tiny-fp8 · continuous:chunk=64.
                  Memory-bound      tiny-int4 · naive or tiny-int4 ·    Weights + KV cache peak 30.0 MiB; these do
                                    continuous:chunk=64                 not differ detectably.
                  Long context      cannot tell                         Prompts are shorter than 1024 tokens on
                                                                        average.
                  Throughput        tiny-int4 · continuous:chunk=64     Output throughput 401.1 tok/s, 2.0× faster
                                                                        than tiny-fp8 · continuous:chunk=64.
                ────────────────────────────────────────────────────────────────────────────────────────────────────
                Rules: latency-critical by E2E latency P95, memory-bound by Weights + KV cache peak, long context by
                TTFT P50, throughput by Output throughput.
                Quality of INT4 was not measured; a faster engine may predict worse (see engines quality).
                """);
    }

    @Test
    void longPromptsAreJudgedByTtft() {
        Map<Metric, double[]> values = decisive();
        values.put(Metrics.PROMPT_TOKENS, new double[]{90_000, 90_000, 90_000, 90_000});
        assertThat(choices(experiment(3, values))).containsExactly("tiny-int4 · continuous:chunk=64",
                "tiny-int4 · naive or tiny-int4 · continuous:chunk=64", "tiny-int4 · continuous:chunk=64",
                "tiny-int4 · continuous:chunk=64");
    }

    @Test
    void oneRunOrAnInvalidRunCannotTell() {
        assertThat(Recommendations.of(ComparedCell.of(List.of(experiment(1, decisive()))), Voice.COMMAND_LINE))
                .as("1 run each").isEmpty();
        List<CellSummary> cells = new ArrayList<>(experiment(3, decisive()).cells());
        CellSummary first = cells.getFirst();
        cells.set(0, new CellSummary(0, first.cell(), first.model(), first.precision(), 3, 1, first.figures()));
        assertThat(evidence(withCells(cells))).containsExactly("1 of 4 cells has an invalid run.",
                "1 of 4 cells has an invalid run.", "Prompts are shorter than 1024 tokens on average.",
                "1 of 4 cells has an invalid run.");
    }

    /// Two noisy runs each: a difference of 10 % would not be found, so nothing is equal.
    @Test
    void tooFewRunsForEqualityCannotTell() {
        List<CellSummary> cells = new ArrayList<>(experiment(2, decisive()).cells());
        Metric metric = Metrics.OUTPUT_THROUGHPUT;
        for (int c = 0; c < cells.size(); c++) {
            double mean = 100 + c;
            List<List<Figure>> runs =
                    Stream.of(0.9, 1.1).map(noise -> List.of(new Figure(metric, mean * noise, 60, true))).toList();
            CellSummary cell = cells.get(c);
            cells.set(c, new CellSummary(c, cell.cell(), cell.model(), cell.precision(), 2,
                    CellFigures.of(runs, SEEDS.subList(0, 2))));
        }
        assertThat(choices(withCells(cells))).containsOnly("cannot tell");
        assertThat(evidence(withCells(cells)).getLast())
                .startsWith("tiny-int4 · continuous:chunk=64 comes first (Output throughput 103.0 tok/s), but only "
                        + "differences above ")
                .endsWith(" runs per cell find a difference of 10 %.");
    }

    @Test
    void missingFigureCannotTell() {
        Map<Metric, double[]> values = decisive();
        values.remove(Metrics.MODEL_MEMORY_PEAK);
        assertThat(evidence(experiment(3, values))).contains("Weights + KV cache peak is missing in 4 of 4 cells.");
    }

    @Test
    void unknownPromptLengthsAreNotShort() {
        Map<Metric, double[]> values = decisive();
        values.remove(Metrics.PROMPT_TOKENS);
        assertThat(evidence(experiment(3, values))).contains("Prompt lengths are not known.");
    }

    /// llama-bench's prompt tests have none of the metrics.
    @Test
    void cellsWithoutTheMetricsHaveNoRecommendations() {
        Map<Metric, double[]> values = Map.of(Metrics.TOTAL_THROUGHPUT, new double[]{100, 200, 150, 400});
        assertThat(Recommendations.of(ComparedCell.of(List.of(experiment(3, values))), Voice.COMMAND_LINE)).isEmpty();
    }

    @Test
    void percentilesOfFewRequestsDecideNothing() {
        ExperimentManifest all = experiment(3, decisive());
        List<CellSummary> cells =
                all.cells().stream()
                        .map(cell -> new CellSummary(cell.cellIndex(), cell.cell(), cell.model(), cell.precision(),
                                cell.runs(), cell.figures().stream().map(DeploymentTablesTest::ofFewRequests).toList()))
                        .toList();
        assertThat(evidence(withCells(cells)).getFirst())
                .isEqualTo("Too few requests for E2E latency P95 (n = 60 a run).");
    }

    private static CellFigure ofFewRequests(CellFigure figure) {
        return CellFigures.of(figure.runValues().stream()
                .map(value -> List.of(new Figure(figure.metric(), value, 60, false))).toList(), SEEDS).getFirst();
    }

    @Test
    void quantisationImpactIsStatedInWords() {
        List<ComparedCell> cells = ComparedCell.of(List.of(experiment(3, decisive())));
        ReportTable table = QuantisationImpact.of(cells, Voice.COMMAND_LINE).orElseThrow();
        assertThat(table.rows()).extracting(ReportTable.Row::cells).containsExactly(
                List.of("model tiny · naive · host:threads=2 · short (60 requests, 4 req/s)"),
                List.of("  INT4 / FP8", "1.50× faster [1.49, 1.51]", "2.0× faster [1.99, 2.0]",
                        "1.33× faster [1.32, 1.34]", "1.33× less [1.32, 1.34]", "–"),
                List.of("model tiny · continuous:chunk=64 · host:threads=2 · short (60 requests, 4 req/s)"),
                List.of("  INT4 / FP8", "2.0× faster", "2.0× faster", "1.33× faster", "1.33× less", "–"));
    }

    /// A tool names the precision of its engine only, and its memory is what it reports.
    @Test
    void enginesOfAToolDifferByThePrecisionInTheirNames() {
        Map<Metric, double[]> values = decisive();
        values.remove(Metrics.MODEL_MEMORY_PEAK);
        values.put(Metrics.REPORTED_MEMORY_PEAK, new double[]{80 * MIB, 80 * MIB, 40 * MIB, 40 * MIB});
        List<CellSummary> cells = new ArrayList<>();
        for (CellSummary cell : experiment(3, values).cells()) {
            String engine = cell.precision() + (cell.cellIndex() % 2 == 0 ? "" : "-long");
            cells.add(new CellSummary(cell.cellIndex(),
                    new Cell(
                            new Subject.TargetSubject(
                                    Selection.parse("edgellm:engine_dir=engines/" + engine + ",name=" + engine)),
                            cell.cell().workload()),
                    engine, "", 3, cell.figures()));
        }
        List<ComparedCell> tool = ComparedCell.of(List.of(withCells(cells)));
        assertThat(QuantisationImpact.of(tool, Voice.COMMAND_LINE).orElseThrow().rows())
                .extracting(ReportTable.Row::cells).extracting(List::getFirst)
                .containsExactly("edgellm · short (60 requests, 4 req/s)", "  INT4 / FP8",
                        "model long · long · edgellm · short (60 requests, 4 req/s)", "  INT4 / FP8");
        assertThat(choices(withCells(cells.subList(0, 3)))).as("fp8 and int4; long runs alone")
                .containsExactly("int4 · int4", "int4 · int4", "cannot tell", "int4 · int4");
    }

    private static MeasuredQuality quality(int tokens, Double half) {
        return new MeasuredQuality("tiny-bf16", "wiki.txt", "0", tokens, 64, 32, 20,
                new TokenMean(Math.log(1.01), half == null ? null : Math.log(1.002)), new TokenMean(0.0123, half),
                new TokenMean(0.975, half));
    }

    private static List<ComparedCell> judged(MeasuredQuality... ofInt4) {
        List<CellSummary> cells = new ArrayList<>();
        int next = 0;
        for (CellSummary cell : experiment(3, decisive()).cells()) {
            cells.add(new CellSummary(cell.cellIndex(), cell.cell(), cell.model(), cell.precision(), cell.runs(), 0,
                    cell.figures(), null, cell.precision().equals("int4") ? ofInt4[next++] : null));
        }
        return ComparedCell.of(List.of(withCells(cells)));
    }

    @Test
    void qualityStandsBesideSpeed() {
        ReportTable table = QuantisationImpact.of(judged(quality(5000, 0.001), quality(5000, null)), Voice.COMMAND_LINE)
                .orElseThrow();
        assertThat(table.columns()).extracting(ReportTable.Column::header).endsWith("Perplexity", "KL divergence",
                "Same top token");
        assertThat(table.rows().get(1).cells()).endsWith("1.010 [1.008, 1.012]", "0.0123 ±0.0010", "97.5 ±0.1");
        assertThat(table.rows().get(3).cells()).endsWith("1.010", "0.0123", "97.5");
        assertThat(table.footnotes()).last()
                .isEqualTo("Quality against tiny-bf16 on 5000 tokens of wiki.txt; KL divergence in nats a token.");
        assertThat(Recommendations.of(judged(quality(5000, null), quality(5000, null)), Voice.COMMAND_LINE)
                .orElseThrow().footnotes()).last().isEqualTo(table.footnotes().getLast());
        assertThat(QuantisationImpact.of(judged(quality(5000, null), quality(400, null)), Voice.COMMAND_LINE)
                .orElseThrow().footnotes()).last().isEqualTo(
                        "The engines' quality was measured on different texts or references and cannot be compared.");
        assertThat(QualityText.clause(judged(quality(5000, null), quality(1, null)).stream()
                .filter(cell -> cell.precision().equals("int4")).toList()))
                .contains("INT4 has 1.010× the perplexity of tiny-bf16.");
    }

    @Test
    void onePrecisionHasNoImpact() {
        List<ComparedCell> cells = ComparedCell.of(List.of(experiment(3, decisive()))).subList(0, 2);
        assertThat(QuantisationImpact.of(cells, Voice.COMMAND_LINE)).isEmpty();
    }

    @Test
    void memoryByOwnerHasMinMeanPeakAndGrowth() {
        Map<Metric, double[]> values = new LinkedHashMap<>();
        put(values, Metrics.MEMORY_TOTAL, 400, 390, 380);
        put(values, Metrics.memory(MemoryOwner.JAVA_RUNTIME), 260, 255, 250);
        put(values, Metrics.memory(MemoryOwner.WORKSPACE), 0, 0, 0);
        ReportTable table = MemoryTable.of(ComparedCell.of(List.of(experiment(1, values))).subList(0, 1)).orElseThrow();
        assertThat(table.rows()).extracting(ReportTable.Row::cells).containsExactly(List.of("tiny-fp8 · naive"),
                List.of("  Total", "380.0", "390.0", "400.0", "20.0"),
                List.of("  Java runtime", "250.0", "255.0", "260.0", "10.0"));
    }

    private static void put(Map<Metric, double[]> values, MemoryMetrics metrics, double peak, double mean,
            double least) {
        values.put(metrics.peak(), each(peak));
        values.put(metrics.mean(), each(mean));
        values.put(metrics.least(), each(least));
        values.put(metrics.growth(), each(peak - least));
    }

    private static double[] each(double mebibytes) {
        double bytes = mebibytes * MIB;
        return new double[]{bytes, bytes, bytes, bytes};
    }

    private static List<String> choices(ExperimentManifest manifest) {
        return column(manifest, 1);
    }

    private static List<String> evidence(ExperimentManifest manifest) {
        return column(manifest, 2);
    }

    private static List<String> column(ExperimentManifest manifest, int column) {
        return Recommendations.of(ComparedCell.of(List.of(manifest)), Voice.COMMAND_LINE).orElseThrow().rows().stream()
                .filter(row -> row.kind() == ReportTable.RowKind.FIGURES).map(row -> row.cells().get(column)).toList();
    }
}
