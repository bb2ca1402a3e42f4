package org.inferometer.report.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.inferometer.experiment.DeploymentGoal;
import org.inferometer.experiment.ServiceObjective;
import org.inferometer.measurement.Metrics;
import org.inferometer.record.CellFigure;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentManifest.CellSummary;
import org.inferometer.record.ExperimentManifest.ExperimentOutcome;
import org.inferometer.record.Metric;
import org.inferometer.record.RunStatus;
import org.inferometer.report.charts.SweptCells;
import org.inferometer.results.SampleRecords;
import org.junit.jupiter.api.Test;

class HeadlineTest {
    @Test
    void bestIsComparedWithBaselineAndWithWidestPrecision() {
        assertThat(headline(SampleRecords.experiment(Path.of("x"), 3)))
                .isEqualTo("continuous:chunk=64 against naive with tiny-int4: 1.29× the output throughput [1.26, 1.32]."
                        + " TTFT P50 1.29× shorter [1.26, 1.32]."
                        + " INT4 against FP8 under continuous:chunk=64: 1.04× the output throughput [1.02, 1.06],"
                        + " TTFT P50 1.04× shorter [1.02, 1.06]."
                        + " The quality of INT4 was not measured. 3 runs each, 95 % intervals.");
    }

    /// The widest precision has the highest throughput here.
    @Test
    void narrowestPrecisionSavesAgainstTheWidest() throws Exception {
        List<ComparedCell> cells =
                SweptCells.of(List.of("tiny-int4", "tiny-fp8", "tiny-bf16"), List.of("naive"), SweptCells.rates(2, 4));
        assertThat(Headline.of(SweptCells.manifest(List.of()), cells).map(answer -> answer.text().toString()))
                .contains("At 4 req/s, INT4 against BF16: 0.73× the output throughput."
                        + " From 2 to 4 req/s: output throughput 0.71× to 0.73×, TTFT P50 1.20× to 1.19× shorter,"
                        + " weights + KV cache peak: no detectable difference at any load."
                        + " The quality of INT4 was not measured. 3 runs each.");
    }

    @Test
    void aSweepSaysFromWhichLoadTheSidesDiffer() throws Exception {
        assertThat(ofTtft(1, 1, 2, 4)).contains("At 8 req/s, continuous against naive: ", "From 2 to 8 req/s: ",
                "TTFT P50 no detectable difference at 2 req/s, 4.0× shorter at 8 req/s (detected from 6 req/s)");
        assertThat(ofTtft(1, 1, 1, 4)).contains("4.0× shorter at 8 req/s (detected at 8 req/s alone)");
        assertThat(ofTtft(2, 2, 1, 1)).contains(
                "TTFT P50 2.0× shorter at 2 req/s, no detectable difference at 8 req/s (detected up to 4 req/s)");
        assertThat(ofTtft(2, 1, 1, 4)).contains("(detected at 2 of 4 loads)");
        assertThat(ofTtft(0.5, 1, 1, 4)).contains(
                "TTFT P50 2.0× longer at 2 req/s, 4.0× shorter at 8 req/s (detected at 2 of 4 loads, in both directions)");
        assertThat(ofTtft(2, 2, 3, 4)).contains("TTFT P50 2.0× to 4.0× shorter.");
    }

    @Test
    void whatLiesBetweenTheEndsIsNotHidden() throws Exception {
        assertThat(ofTtft(2, 10, 8, 2)).contains("TTFT P50 2.0× shorter, 10× at 4 req/s.");
        assertThat(ofTtft(2, 0.5, 2, 2)).contains(
                "TTFT P50 2.0× shorter at 2 req/s, 2.0× shorter at 8 req/s (detected at 4 of 4 loads, in both");
        assertThat(ofTtft(1, 0.5, 1, 4)).contains(
                "TTFT P50 no detectable difference at 2 req/s, 4.0× shorter at 8 req/s (2.0× longer at 4 req/s)");
    }

    /// Of naive and continuous at 2, 4, 6 and 8 req/s.
    ///
    /// @param shorter how many times shorter the first token of continuous is
    private static String ofTtft(double... shorter) throws Exception {
        List<CellSummary> cells =
                SweptCells.of(List.of("tiny-int4"), List.of("naive", "continuous"), SweptCells.rates(2, 4, 6, 8))
                        .stream().map(each -> {
                            CellSummary cell = each.summary();
                            int load = cell.cellIndex() % 4;
                            boolean naive = cell.cellIndex() < 4;
                            double ttft = 1e7 / (naive ? 1 : shorter[load]);
                            return new CellSummary(cell.cellIndex(), cell.cell(), cell.model(), cell.precision(), 3,
                                    List.of(SweptCells.figure(Metrics.OUTPUT_THROUGHPUT, naive ? 100 : 200),
                                            SweptCells.figure(Metrics.TTFT.p50(), ttft)));
                        }).toList();
        return headline(SweptCells.manifest(cells));
    }

    @Test
    void memoryInAllIsSaidWhereItDiffersTheOtherWay() {
        ExperimentManifest sample = SampleRecords.experiment(Path.of("x"), 1);
        List<CellSummary> cells = sample.cells().stream().map(cell -> {
            boolean narrow = cell.precision().equalsIgnoreCase("int4");
            return new CellSummary(cell.cellIndex(), cell.cell(), cell.model(), cell.precision(), 1,
                    List.of(once(Metrics.OUTPUT_THROUGHPUT, narrow ? 200 : 100),
                            once(Metrics.MODEL_MEMORY_PEAK, narrow ? 50 << 20 : 100 << 20),
                            once(Metrics.MEMORY_PEAK_TOTAL, narrow ? 300 << 20 : 200 << 20)));
        }).toList();
        assertThat(headline(FindingsTest.with(sample, cells))).contains(
                "INT4 against FP8 under naive: 2.0× the output throughput, 0.50× the weights + KV cache peak, 1.50× the memory peak.");
    }

    @Test
    void anSloThatNoLoadMeetsIsFollowedByWhatDiffers() {
        ExperimentManifest sample = SampleRecords.experiment(Path.of("x"), 1);
        ExperimentManifest asked = new ExperimentManifest(sample.formatVersion(), sample.id(),
                sample.spec().withGoal(new DeploymentGoal(ServiceObjective.parse("ttft=500ms,share=0.9"), 0)),
                sample.plan(), sample.machine(), sample.times(), sample.outcome(), false);
        assertThat(headline(withShare(asked, 0.1))).startsWith("No tested load meets the SLO (").contains(
                " Lower the load. ", " continuous:chunk=64 against naive with tiny-int4: ",
                "2.0× the output throughput");
        assertThat(headline(withShare(asked, 1))).startsWith("Highest goodput within the SLO (")
                .doesNotContain("against naive");
    }

    /// The same cells; this share of their requests met the SLO.
    private static ExperimentManifest withShare(ExperimentManifest asked, double met) {
        List<CellSummary> cells = asked.cells().stream().map(cell -> {
            int times = cell.cell().subject().system().equals("naive") ? 1 : 2;
            return new CellSummary(cell.cellIndex(), cell.cell(), cell.model(), cell.precision(), 1,
                    List.of(once(Metrics.OUTPUT_THROUGHPUT, 100 * times + cell.cellIndex() / 1000.0),
                            once(Metrics.GOODPUT, times),
                            new CellFigure(Metrics.OBJECTIVE_MET, met, null, List.of(met), 1000, 20, true)));
        }).toList();
        return new ExperimentManifest(asked.formatVersion(), asked.id(), asked.spec(), asked.plan(), asked.machine(),
                asked.times(), new ExperimentOutcome(RunStatus.COMPLETE, "", cells, null), false);
    }

    private static CellFigure once(Metric metric, double value) {
        return new CellFigure(metric, value, null, List.of(value), 1, 100, true);
    }

    @Test
    void oneRunEachIsSaid() {
        assertThat(headline(SampleRecords.experiment(Path.of("x"), 1)))
                .endsWith(" 1 run each: no intervals, differences may be chance.");
    }

    @Test
    void runsAreCountedOfTheComparedCells() {
        ExperimentManifest sample = SampleRecords.experiment(Path.of("x"), 3);
        List<CellSummary> cells = sample.cells().stream()
                .map(cell -> cell.cellIndex() > 0 ? cell
                        : new CellSummary(0, cell.cell(), cell.model(), cell.precision(), 1,
                                cell.figures().stream().map(figure -> once(figure.metric(), figure.mean())).toList()))
                .toList();
        assertThat(headline(FindingsTest.with(sample, cells))).endsWith(" 3 runs each, 95 % intervals.");
        assertThat(headline(FindingsTest.with(sample, cells.subList(0, 2))))
                .endsWith(" 1 to 3 runs each: differences without an interval may be chance.");
    }

    @Test
    void oneCellIsSaidInFigures() {
        ExperimentManifest sample = SampleRecords.experiment(Path.of("x"), 3);
        assertThat(headline(FindingsTest.with(sample, sample.cells().subList(0, 1)))).isEqualTo(
                "tiny-fp8 · naive: Output throughput 451.2 ± 11.2 tok/s. TTFT P50 21.40 ± 0.53 ms, TTFT P95 48.90 ± 1.21 ms, ITL P50 7.90 ± 0.20 ms. 3 runs, 95 % intervals.");
    }

    @Test
    void invalidRunsAreNotCompared() {
        ExperimentManifest sample = SampleRecords.experiment(Path.of("x"), 3);
        List<CellSummary> invalid = sample.cells().stream().map(cell -> new CellSummary(cell.cellIndex(), cell.cell(),
                cell.model(), cell.precision(), 3, 1, cell.figures())).toList();
        assertThat(headline(FindingsTest.with(sample, invalid))).isEqualTo("Not ranked: 4 of 12 runs are INVALID.");
        assertThat(headline(FindingsTest.with(sample, invalid.subList(0, 1)))).as("one cell has no rank").isEmpty();
    }

    @Test
    void fewSamplesAreCountedBehindTheUnit() {
        ExperimentManifest sample = SampleRecords.experiment(Path.of("x"), 3);
        CellSummary first = sample.cells().getFirst();
        CellFigure rate = new CellFigure(Metrics.OUTPUT_THROUGHPUT, 8.06, null, List.of(8.06), 2, 2, true);
        CellFigure few = new CellFigure(Metrics.TTFT.p50(), 75e6, null, List.of(75e6), 2, 2, false);
        assertThat(headline(FindingsTest.with(sample,
                List.of(new CellSummary(0, first.cell(), first.model(), first.precision(), 1, List.of(rate, few))))))
                .isEqualTo(
                        "tiny-fp8 · naive: Output throughput 8.06 tok/s. TTFT P50 75.00 ms (n = 2). 1 run: no intervals.");
    }

    private static String headline(ExperimentManifest manifest) {
        return Headline.of(manifest, ComparedCell.of(List.of(manifest))).map(answer -> answer.text().toString())
                .orElse("");
    }
}
