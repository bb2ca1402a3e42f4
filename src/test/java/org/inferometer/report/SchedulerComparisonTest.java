package org.inferometer.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.RunCommandLine;
import org.inferometer.experiment.Subject;
import org.inferometer.measurement.CellFigures;
import org.inferometer.measurement.Metrics;
import org.inferometer.options.Selection;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentManifest.CellSummary;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.Figure;
import org.inferometer.report.charts.SchedulerCharts;
import org.inferometer.report.compare.BaselineComparison;
import org.inferometer.report.compare.ComparedCell;
import org.inferometer.report.compare.ComparisonTables;
import org.inferometer.report.compare.SchedulerExplanations;
import org.inferometer.report.compare.SchedulerExplanations.CellExplanation;
import org.inferometer.report.compare.SchedulerExplanations.SchedulerInsights;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.workload.WorkloadPresets;
import org.inferometer.workload.WorkloadSpec;
import org.junit.jupiter.api.Test;

class SchedulerComparisonTest {
    private final ExperimentRecord record = SuiteRecords.of(List.of("naive", "simple", "mine"), List.of(50, 25), 3);

    private static List<ComparedCell> cells(ExperimentManifest manifest) {
        return ComparedCell.of(List.of(manifest));
    }

    @Test
    void tableByNumberOfRequests() {
        assertThat(TextTable.render(new ComparisonTables(cells(record.manifest())).byRequests().getFirst(), 100))
                .isEqualTo("""
                By number of requests
                tiny-int4 · prompts of 1..100 and outputs of 1..50 tokens · 8 in flight
                ─────────────────────────────────────────────────────────────────
                Cell    Runs  Throughput   Throughput      E2E mean       E2E P95
                                   req/s        tok/s            ms            ms
                ─────────────────────────────────────────────────────────────────
                25 requests
                naive      3  10.0 ± 0.2  200.0 ± 5.0  500.0 ± 12.4  900.0 ± 22.3
                simple     3  14.0 ± 0.3  280.0 ± 6.9   357.1 ± 8.9  642.9 ± 15.9
                mine       3  18.0 ± 0.4  360.0 ± 8.9   277.8 ± 6.9  500.0 ± 12.4
                50 requests
                naive      3  10.0 ± 0.2  200.0 ± 5.0  500.0 ± 12.4  900.0 ± 22.3
                simple     3  14.0 ± 0.3  280.0 ± 6.9   357.1 ± 8.9  642.9 ± 15.9
                mine       3  18.0 ± 0.4  360.0 ± 8.9   277.8 ± 6.9  500.0 ± 12.4
                ─────────────────────────────────────────────────────────────────
                ± and [ ]: 95 % interval over runs.
                E2E: 75 to 150 requests per cell.
                """);
    }

    @Test
    void percentileWithFewSamplesIsMarked() {
        ReportTable latency = new ComparisonTables(cells(record.manifest())).latency();
        assertThat(latency.rows()).extracting(row -> row.cells().getLast()).containsExactly("50 requests",
                "990.0 ± 24.6 (50)", "707.1 ± 17.5 (50)", "550.0 ± 13.6 (50)", "25 requests", "990.0 ± 24.6 (25)",
                "707.1 ± 17.5 (25)", "550.0 ± 13.6 (25)");
        assertThat(latency.footnotes()).endsWith("E2E: 75 to 150 requests per cell.",
                "(n): samples of a run, fewer than the percentile needs, 10 / (1 − p).");
        assertThat(new SchedulerCharts(List.of(record)).bars(Metrics.E2E.p99()).orElseThrow().footer())
                .startsWith("mean of 3 runs, 95 % intervals · n = 25 in a run, too few for this percentile · window ");
    }

    @Test
    void schedulingPercentilesAreMarked() {
        List<Figure> run = List.of(new Figure(Metrics.ENGINE_QUEUE.percentile(50), 20e6, 48, true),
                new Figure(Metrics.ENGINE_QUEUE.percentile(95), 90e6, 48, false),
                new Figure(Metrics.FAIRNESS, 2.5, 48, false),
                new Figure(Metrics.MOVE_TIME.percentile(95), 4e6, 30, false));
        ExperimentManifest all = record.manifest();
        ExperimentManifest.CellSummary first = all.cells().getFirst();
        ReportTable table = new ComparisonTables(
                cells(new ExperimentManifest(all.formatVersion(), all.id(), all.spec(), all.plan(), all.machine(),
                        new ExperimentManifest.ExperimentTimes(all.times().started(), all.times().ended(), null),
                        new ExperimentManifest.ExperimentOutcome(all.status(), all.failure(),
                                List.of(new ExperimentManifest.CellSummary(0, first.cell(), first.model(),
                                        first.precision(), 3, CellFigures.of(List.of(run, run, run)))),
                                all.verdict()),
                        false)))
                .scheduling();
        assertThat(table.columns()).extracting(ReportTable.Column::header).containsExactly("Cell", "Runs", "Queue P50",
                "Queue P95", "Fairness", "Transfer P95");
        assertThat(table.rows().getLast().cells()).containsExactly("tiny-int4 · naive", "3", "20.00", "90.00 (48)",
                "2.50 (48)", "4.00 (30)");
        assertThat(table.footnotes()).endsWith("(n): samples of a run, fewer than the percentile needs, 10 / (1 − p).");
    }

    @Test
    void improvementsAreGroupedByLoadAndMarked() {
        ReportTable overview = BaselineComparison.overBaselines(cells(record.manifest()), List.of(record.manifest()))
                .overview().orElseThrow();
        assertThat(overview.title()).isEqualTo("Difference from naive");
        assertThat(overview.columns()).extracting(ReportTable.Column::header).as("those that a pair has")
                .containsExactly("Candidate", "Requests/s", "Output tok/s", "E2E mean", "E2E P95", "E2E P99", "Memory");
        assertThat(overview.rows()).hasSize(6);
        assertThat(overview.rows().get(1).cells()).containsExactly("simple", "1.40× faster ▲", "1.40× faster ▲",
                "1.40× faster ▲", "1.40× faster ▲", "1.40× faster ▲", "1.00× ≈ 4.8");
        ExperimentRecord once = SuiteRecords.of(List.of("naive", "simple"), List.of(25), 1);
        assertThat(BaselineComparison.overBaselines(cells(once.manifest()), List.of(once.manifest())).overview()
                .orElseThrow().rows().getFirst().cells()).containsExactly("simple", "1.40× faster", "1.40× faster",
                        "1.40× faster", "1.40× faster", "1.40× faster", "1.00×");
    }

    /// The cells of the record with further figures: by scheduler, or the same for all.
    private static ExperimentManifest with(ExperimentManifest all, UnaryOperator<CellSummary> change) {
        return new ExperimentManifest(all.formatVersion(), all.id(), all.spec(), all.plan(), all.machine(), all.times(),
                new ExperimentManifest.ExperimentOutcome(all.status(), all.failure(),
                        all.cells().stream().map(change).toList(), all.verdict()),
                false);
    }

    private static CellSummary with(CellSummary cell, Cell of, Figure... more) {
        return new CellSummary(cell.cellIndex(), of, cell.model(), cell.precision(), cell.runs(),
                Stream.concat(cell.figures().stream(),
                        CellFigures.of(Collections.nCopies(cell.runs(), List.of(more))).stream()).toList());
    }

    /// Only parallel has lanes here; the use of the device is there for both, the P99 also with many candidates.
    @Test
    void improvementsHaveTailsAndUtilisation() {
        ExperimentManifest recorded = SuiteRecords
                .of(List.of("simple", "parallel", "naive", "dynamic", "continuous"), List.of(25), 3).manifest();
        ExperimentManifest used = with(recorded, cell -> {
            boolean parallel = cell.cell().subject().system().equals("parallel");
            Figure device = new Figure(Metrics.DEVICE_UTILISATION, parallel ? 0.921 : 0.852, 9, true);
            return parallel ? with(cell, cell.cell(), device, new Figure(Metrics.LANE_UTILISATION, 0.885, 9, true))
                    : with(cell, cell.cell(), device);
        });
        ReportTable overview = BaselineComparison.overBaselines(cells(used), List.of(used)).overview().orElseThrow();
        assertThat(overview.columns()).extracting(ReportTable.Column::header).endsWith("E2E P99", "Memory",
                "Device busy");
        assertThat(overview.rows().getFirst().cells()).startsWith("parallel").endsWith("+6.9 points");
        List<List<String>> rows = BaselineComparison.overBaselines(cells(used), List.of(used)).tables().getFirst()
                .rows().stream().map(ReportTable.Row::cells).dropWhile(row -> !row.getFirst().equals("parallel"))
                .skip(1).takeWhile(row -> row.size() > 1).toList();
        assertThat(rows).extracting(row -> row.getFirst().strip()).containsExactly("Output throughput, tok/s",
                "E2E latency P95, ms", "E2E latency P99, ms", "Memory, MiB", "Lane utilisation, %",
                "CPU utilisation, %");
        assertThat(rows.get(4)).containsExactly("  Lane utilisation, %", "not recorded", "88.5", "–", "", "–");
        assertThat(rows.get(5)).containsExactly("  CPU utilisation, %", "85.2", "92.1", "+6.9 points", "", "–");
        ExperimentManifest onGpu =
                with(used,
                        cell -> with(cell,
                                new Cell(
                                        new Subject.EngineSubject("tiny-int4",
                                                Selection.parse(cell.cell().subject().system()), Selection.of("cuda")),
                                        cell.cell().workload())));
        assertThat(BaselineComparison.overBaselines(cells(onGpu), List.of(onGpu)).tables().getFirst().rows())
                .extracting(row -> row.cells().getFirst()).contains("  GPU utilisation, %");
    }

    /// Naive, dynamic and a server.
    @Test
    void oneTableHoldsEnginesAndAServerByNumberOfRequests() {
        ExperimentManifest recorded =
                SuiteRecords.of(List.of("naive", "dynamic", "served"), List.of(50, 25), 3).manifest();
        Selection server = Selection.parse("http:url=http://127.0.0.1:8000,name=vllm");
        ExperimentManifest mixed = with(recorded, cell -> cell.cell().subject().system().equals("served")
                ? with(cell, new Cell(new Subject.TargetSubject(server), cell.cell().workload())) : cell);
        assertThat(new ComparisonTables(cells(mixed)).byRequests()).singleElement()
                .satisfies(table -> assertThat(table.rows()).extracting(row -> row.cells().getFirst()).containsExactly(
                        "25 requests", "tiny-int4 · naive", "tiny-int4 · dynamic", "tiny · vllm", "50 requests",
                        "tiny-int4 · naive", "tiny-int4 · dynamic", "tiny · vllm"));
    }

    @Test
    void requestedBaselineIsUsed() {
        ExperimentManifest first = record.manifest();
        ExperimentManifest asked = new ExperimentManifest(first.formatVersion(), first.id(),
                first.spec().withBaseline("simple"), first.plan(), first.machine(),
                new ExperimentManifest.ExperimentTimes(first.times().started(), first.times().ended(), null),
                new ExperimentManifest.ExperimentOutcome(first.status(), first.failure(), first.cells(),
                        first.verdict()),
                false);
        ReportTable overview = BaselineComparison.overBaselines(cells(asked), List.of(asked)).overview().orElseThrow();
        assertThat(overview.title()).isEqualTo("Difference from simple");
        assertThat(overview.rows().get(1).cells()).startsWith("naive", "1.40× slower ▼");
    }

    @Test
    void everyCellIsExplainedByTheRegistryAndTheRecord() {
        List<CellExplanation> explanations = SchedulerExplanations.of(record, SchedulerRegistry.standard());
        assertThat(explanations).hasSize(6);
        CellExplanation naive = explanations.getFirst();
        assertThat(naive.cellLabel()).isEqualTo("naive · 50 requests");
        assertThat(naive.circumstance()).isEqualTo("50 requests");
        assertThat(naive.whenItWins()).isEqualTo(SchedulerRegistry.standard().descriptions().getFirst().whenItWins());
        assertThat(naive.seen()).startsWith(
                "Queue time was 40 % of E2E latency (200 ms of 500 ms). 40 % of computed positions were padding.");
        assertThat(explanations.getLast().whenItWins()).as("a scheduler that the registry does not know").isEmpty();
    }

    @Test
    void optionThatSwitchesABenefitOffIsNotRecommended() {
        SchedulerRegistry schedulers = SchedulerRegistry.standard();
        assertThat(Stream
                .of("parallel", "parallel:enabled=false", "parallel:capacity=max_utilization", "simple",
                        "simple:policy=max_utilization", "simple:policy=static_batch", "dynamic:batch=8,min=4,max=8",
                        "dynamic:batch=8,min=8,max=8", "continuous:enable_chunked_prefill=false", "naive:unknown=1")
                .map(Selection::parse)
                .filter(each -> schedulers.descriptions().stream().filter(known -> known.name().equals(each.name()))
                        .allMatch(known -> known.whenItWins(each).isEmpty()))
                .map(Selection::toString)).containsExactly("parallel:enabled=false", "simple:policy=max_utilization",
                        "dynamic:batch=8,min=8,max=8");
    }

    @Test
    void equalInsightsAreJoined() {
        List<SchedulerExplanations.Paragraph> paragraphs = SchedulerExplanations
                .paragraphs(List.of(new CellExplanation(0, "", "a", "naive", "Equal requests.", true, "Padding."),
                        new CellExplanation(1, "", "b", "naive", "Equal requests.", true, "Padding."),
                        new CellExplanation(2, "", "c", "naive", "Equal requests.", true, "Queue."),
                        new CellExplanation(3, "", "a", "mine", "", true, "Nothing.")));
        assertThat(paragraphs).containsExactly(
                new SchedulerExplanations.Paragraph("naive suits equal requests.",
                        List.of("Observed with a, b: Padding.", "Observed with c: Queue.")),
                new SchedulerExplanations.Paragraph("mine", List.of("Observed: Nothing.")));
        assertThat(SchedulerExplanations
                .paragraphs(List.of(new CellExplanation(0, "", "a", "naive", "Equal requests.", true, "Padding."),
                        new CellExplanation(1, "", "b", "naive", "Equal requests.", true, "Padding."))))
                .containsExactly(new SchedulerExplanations.Paragraph("naive suits equal requests.",
                        List.of("Observed in all 2 cells of naive: Padding.")));
    }

    @Test
    void whatWasNotRecordedIsSaidOnce() {
        String nothing = SchedulerInsights.NOT_RECORDED;
        CellExplanation naive = new CellExplanation(0, "", "naive", "naive", "Equal requests.", false, nothing);
        CellExplanation other = new CellExplanation(1, "", "other", "other", "Long ones.", false, nothing);
        assertThat(SchedulerExplanations.paragraphs(List.of(naive)))
                .containsExactly(new SchedulerExplanations.Paragraph("naive suits equal requests.", List.of(nothing)));
        assertThat(SchedulerExplanations.paragraphs(List.of(naive, other))).containsExactly(
                new SchedulerExplanations.Paragraph("naive suits equal requests.", List.of()),
                new SchedulerExplanations.Paragraph("other suits long ones.",
                        List.of("Not recorded for naive, other: queue, batches and lanes.")));
    }

    @Test
    void commandListsRequestCounts() {
        assertThat(RunCommandLine.lines(SuiteRecords.of(List.of("naive"), List.of(25), 1).manifest().spec()))
                .startsWith("cat > ").endsWith(".yaml");
        WorkloadSpec chat = new WorkloadPresets().find("chat");
        ExperimentSpec spec = SuiteRecords.of(List.of("naive"), List.of(25), 1).manifest().spec();
        List<WorkloadSpec> sizes = List.of(25, 50).stream().map(n -> new WorkloadSpec("chat-" + n, chat.promptTokens(),
                chat.outputTokens(), null, 0, chat.arrivals(), n, 0)).toList();
        ExperimentSpec sized = new ExperimentSpec("x", spec.engines(), spec.schedulers(), sizes,
                spec.backends().getFirst(), 3, 4, 42, 100, 0, spec.limits()).withBaseline("naive");
        assertThat(RunCommandLine.lines(sized)).startsWith(
                "./inferometer run --engine tiny-int4 --scheduler naive --backend host --baseline naive --workload chat --concurrency 8 --requests 25,50 ");
    }
}
