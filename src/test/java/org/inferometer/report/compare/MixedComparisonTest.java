package org.inferometer.report.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.ExperimentFields;
import org.inferometer.experiment.Subject;
import org.inferometer.measurement.CellFigures;
import org.inferometer.measurement.Metrics;
import org.inferometer.measurement.comparison.Comparison;
import org.inferometer.options.Selection;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentManifest.CellSummary;
import org.inferometer.record.ExperimentManifest.ExperimentOutcome;
import org.inferometer.record.Figure;
import org.inferometer.report.ReportTable;
import org.inferometer.results.SampleRecords;
import org.junit.jupiter.api.Test;

/// Engines and a server in one experiment.
class MixedComparisonTest {
    private static final Selection SERVER = Selection.parse("http:url=http://127.0.0.1:8000,name=vllm");

    /// The sample's cells, the last of which becomes a server's.
    private static ExperimentManifest mixed(String server, String baseline) {
        return mixed(server, "", baseline);
    }

    /// @param served the model that the server was found to serve
    private static ExperimentManifest mixed(String server, String served, String baseline) {
        ExperimentManifest sample = SampleRecords.experiment(Path.of("x"), 3);
        List<CellSummary> cells = new ArrayList<>(sample.cells());
        CellSummary last = cells.removeLast();
        cells.add(new CellSummary(last.cellIndex(),
                new Cell(new Subject.TargetSubject(Selection.parse(server)), last.cell().workload()), served, "",
                last.runs(), last.figures()));
        var spec = ExperimentFields.TARGETS.with(sample.spec(), List.of(Selection.parse(server)));
        return new ExperimentManifest(ExperimentManifest.FORMAT_VERSION, sample.id(), spec.withBaseline(baseline),
                sample.plan(), sample.machine(), sample.times(), new ExperimentOutcome(sample.outcome().status(),
                        sample.outcome().failure(), cells, sample.outcome().verdict()),
                false);
    }

    private static List<String> labels(ExperimentManifest manifest) {
        return ComparedCell.of(List.of(manifest)).stream().map(ComparedCell::label).toList();
    }

    private static BaselineComparison comparison(ExperimentManifest manifest) {
        return BaselineComparison.overBaselines(ComparedCell.of(List.of(manifest)), List.of(manifest));
    }

    @Test
    void aServerIsARowUnderItsName() {
        assertThat(labels(mixed(SERVER.toString(), "naive"))).containsExactly("tiny-fp8 · naive",
                "tiny-fp8 · continuous:chunk=64", "tiny-int4 · naive", "vllm");
        assertThat(labels(mixed("http:url=http://127.0.0.1:8000,name=vllm,model=llama", "naive")))
                .endsWith("tiny-int4 · naive", "llama · vllm");
    }

    @Test
    void aServerIsNamedByTheModelThatItServes() {
        assertThat(labels(mixed(SERVER.toString(), "org/llama", "naive"))).endsWith("org/llama · vllm");
        assertThat(labels(mixed(SERVER.toString(), "127.0.0.1:8000", "naive"))).endsWith("vllm");
    }

    @Test
    void engineIsTheBaselineOfAServer() {
        ReportTable table = comparison(mixed(SERVER.toString(), "naive")).tables().getFirst();
        assertThat(table.title()).isEqualTo("Difference from tiny-fp8 · naive, with intervals");
        assertThat(table.rows()).extracting(row -> row.cells().getFirst()).contains("tiny-int4 · naive", "vllm");
        assertThat(table.footnotes()).contains("Models differ: tiny, not known (vllm).");
    }

    @Test
    void invalidCellIsNotRanked() {
        ExperimentManifest sample = mixed(SERVER.toString(), "naive");
        List<CellSummary> cells = new ArrayList<>(sample.cells());
        CellSummary last = cells.removeLast();
        cells.add(new CellSummary(last.cellIndex(), last.cell(), last.model(), last.precision(), last.runs(), 1,
                last.figures()));
        ExperimentManifest invalid = sample.withOutcome(
                new ExperimentOutcome(sample.outcome().status(), "", cells, sample.outcome().verdict()),
                sample.times().ended());
        assertThat(comparison(invalid).of(Metrics.OUTPUT_THROUGHPUT))
                .filteredOn(each -> each.candidate().name().equals("vllm"))
                .allMatch(each -> each.comparison().outcome() == Comparison.Outcome.NOT_RANKED).isNotEmpty();
        assertThat(comparison(invalid).tables().getFirst().footnotes())
                .contains("Not ranked, with an INVALID run: vllm.");
    }

    @Test
    void serverStandsBesideEnginesInTheTableOfPrefill() {
        ExperimentManifest sample = mixed(SERVER.toString(), "naive");
        List<CellSummary> cells =
                sample.cells().stream()
                        .map(cell -> new CellSummary(cell.cellIndex(), cell.cell(), cell.model(), cell.precision(),
                                cell.runs(), Stream
                                        .concat(cell.figures().stream(),
                                                cell.cellIndex() == sample.cells().getLast()
                                                        .cellIndex()
                                                                ? Stream.empty()
                                                                : Stream.of(
                                                                        CellFigures
                                                                                .of(Collections.nCopies(3,
                                                                                        List.of(new Figure(
                                                                                                Metrics.PREFILL_LATENCY
                                                                                                        .mean(),
                                                                                                4e8, 60, true))))
                                                                                .getFirst()))
                                        .toList()))
                        .toList();
        ReportTable table = new ComparisonTables(ComparedCell.of(List.of(sample.withOutcome(
                new ExperimentOutcome(sample.outcome().status(), "", cells, sample.outcome().verdict()),
                sample.times().ended())))).computing().orElseThrow();
        assertThat(table.rows()).extracting(row -> row.cells().getFirst()).containsExactly("tiny-fp8 · naive",
                "tiny-fp8 · continuous:chunk=64", "tiny-int4 · naive", "vllm");
        assertThat(table.rows().getLast().cells()).contains("not recorded");
        assertThat(table.footnotes()).noneMatch(note -> note.contains("their own reports"));
    }

    @Test
    void marksAreExplainedOnlyWhereTheyStand() {
        ExperimentManifest sample = mixed(SERVER.toString(), "naive");
        List<CellSummary> cells = sample.cells().stream().map(cell -> new CellSummary(cell.cellIndex(), cell.cell(),
                cell.model(), cell.precision(), cell.runs(), 1, cell.figures())).toList();
        ExperimentManifest invalid = sample.withOutcome(
                new ExperimentOutcome(sample.outcome().status(), "", cells, sample.outcome().verdict()),
                sample.times().ended());
        assertThat(comparison(sample).overview().orElseThrow().footnotes())
                .contains("▲ better, ▼ worse, ≈ x no detectable difference (smallest detectable x %).");
        assertThat(comparison(invalid).overview().orElseThrow().footnotes()).noneMatch(note -> note.contains("▲"));
    }

    @Test
    void serverIsTheBaselineOfEngines() {
        ExperimentManifest manifest = mixed(SERVER.toString(), "vllm");
        assertThat(manifest.spec().baselineSystem()).contains("vllm");
        ReportTable overview = comparison(manifest).overview().orElseThrow();
        assertThat(overview.title()).isEqualTo("Difference from vllm");
        assertThat(overview.rows()).extracting(row -> row.cells().getFirst()).containsExactly("tiny-fp8 · naive",
                "tiny-fp8 · continuous:chunk=64", "tiny-int4 · naive");
        assertThat(overview.caption()).isEqualTo("workload short (60 requests, 4 req/s)");
        assertThat(overview.footnotes()).contains("Models differ: not known (vllm), tiny.");
    }
}
