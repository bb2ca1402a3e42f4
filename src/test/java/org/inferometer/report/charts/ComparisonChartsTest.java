package org.inferometer.report.charts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.ServiceObjective;
import org.inferometer.experiment.Subject;
import org.inferometer.measurement.Metrics;
import org.inferometer.options.Selection;
import org.inferometer.record.CellFigure;
import org.inferometer.record.Metric;
import org.inferometer.report.charts.ChartData.Axis;
import org.inferometer.report.charts.ChartData.Guide;
import org.inferometer.report.charts.ChartData.Line;
import org.inferometer.report.charts.ChartData.Marks;
import org.inferometer.report.charts.ChartData.PointSeries;
import org.inferometer.report.charts.ChartData.Ratio;
import org.inferometer.report.charts.ChartData.SeriesStyle;
import org.inferometer.report.charts.ChartData.Shaded;
import org.inferometer.report.charts.ChartData.Span;
import org.inferometer.report.charts.ChartData.Tone;
import org.inferometer.report.compare.ComparedSide;
import org.inferometer.report.compare.KnownVariation;
import org.inferometer.report.compare.ResultComparison;
import org.inferometer.results.SampleRecords;
import org.inferometer.ui.twin.Experiments;
import org.junit.jupiter.api.Test;

class ComparisonChartsTest {
    private static CellFigure figure(Metric metric, double... runs) {
        List<Long> seeds = new ArrayList<>();
        for (long seed = 0; seed < runs.length; seed++) {
            seeds.add(seed);
        }
        return new CellFigure(metric, Arrays.stream(runs).average().orElseThrow(), null,
                Arrays.stream(runs).boxed().toList(), 60, 20, true).withSeeds(seeds);
    }

    private static ComparedSide side(String engine, CellFigure... figures) {
        Cell cell = new Cell(new Subject.EngineSubject(engine, Selection.of("continuous"), Subject.HOST),
                SampleRecords.WORKLOAD);
        return new ComparedSide("x#" + engine, engine, cell, "tiny", List.of(figures), Map.of(0L, "a"),
                SampleRecords.MACHINE, List.of(), ComparedSide.Origin.NOT_KNOWN, List.of());
    }

    private static List<ChartData> charts(ComparedSide base, ComparedSide... candidates) {
        return new ComparisonCharts(
                ResultComparison.of(List.of(base), List.of(List.of(candidates)), false, KnownVariation.NONE), List.of())
                .all();
    }

    private static List<Ratio> rows(ChartData chart) {
        return ((Marks.Ratios) chart.marks()).rows();
    }

    @Test
    void onePairHasARowAMetric() {
        ComparedSide base = side("tiny-fp8", figure(Metrics.OUTPUT_THROUGHPUT, 100, 100, 100),
                figure(Metrics.GOODPUT, 0, 0, 0), figure(Metrics.TTFT.p50(), 10e6, 11e6, 9e6),
                figure(Metrics.MODEL_MEMORY_PEAK, 100 << 20, 100 << 20, 100 << 20),
                figure(Metrics.WINDOW, 20e9, 20e9, 20e9));
        ComparedSide candidate = side("tiny-int4", figure(Metrics.OUTPUT_THROUGHPUT, 125, 130, 135),
                figure(Metrics.GOODPUT, 2, 2, 2), figure(Metrics.TTFT.p50(), 10.2e6, 10.8e6, 9e6),
                figure(Metrics.MODEL_MEMORY_PEAK, 110 << 20, 110 << 20, 110 << 20),
                figure(Metrics.WINDOW, 15e9, 15e9, 15e9));
        List<ChartData> charts = charts(base, candidate);
        // Throughput: log ratios 0.2231, 0.2624, 0.3001, so exp(0.2619 ± 4.303 × 0.0222).
        assertThat(charts).hasSize(1).first().usingRecursiveComparison()
                .withComparatorForType((one, other) -> Math.abs(one - other) < 5e-4 || one.equals(other) ? 0 : 1,
                        Double.class)
                .isEqualTo(
                        new ChartData("ratios", "Ratio to FP8, 95 % intervals",
                                "3 runs a side, paired by seed, a dot a pair · windows 15.0 s to 20.0 s",
                                Axis.log("INT4 / FP8"), Axis.fitted(""),
                                new Marks.Ratios(List.of(new Ratio("Output tok/s", Tone.BETTER, "faster", 1.2994,
                                        new Span(1.1809, 1.4297), new double[]{1.25, 1.3, 1.35}, "1.30× [1.18, 1.43]"),
                                        new Ratio("Goodput", Tone.BETTER, "faster", Double.NaN, Span.NONE,
                                                new double[0], "0.00 → 2.00 req/s"),
                                        new Ratio("TTFT P50", Tone.NEUTRAL, "not detectable", 1.0005,
                                                new Span(0.9539, 1.0494), new double[]{1.02, 0.9818, 1}, "below 10 %"),
                                        new Ratio("Weights + KV", Tone.WORSE, "more", 1.1, new Span(1.1, 1.1),
                                                new double[]{1.1, 1.1, 1.1}, "1.10×")))));
    }

    @Test
    void unrankedPairsHaveNoTone() {
        CellFigure slow = figure(Metrics.OUTPUT_THROUGHPUT, 100, 100, 101);
        CellFigure fast = figure(Metrics.OUTPUT_THROUGHPUT, 200, 200, 202);
        ComparedSide base = side("tiny-fp8", slow);
        ComparedSide otherModel = new ComparedSide("y#1", "y", base.cell(), "large", List.of(fast), base.workloads(),
                base.machine(), List.of(), ComparedSide.Origin.NOT_KNOWN, List.of());
        assertThat(rows(charts(base, otherModel).getFirst())).extracting(Ratio::tone, Ratio::outcome, Ratio::text)
                .containsExactly(tuple(Tone.NEUTRAL, "not ranked", "2.0×"));
        ComparedSide single = side("tiny-int4", figure(Metrics.OUTPUT_THROUGHPUT, 200));
        ComparedSide one = side("tiny-fp8", figure(Metrics.OUTPUT_THROUGHPUT, 100));
        ChartData chart = charts(one, single).getFirst();
        assertThat(rows(chart)).extracting(Ratio::tone, Ratio::outcome, Ratio::text)
                .containsExactly(tuple(Tone.NEUTRAL, "1 run each", "2.0×"));
        assertThat(chart.title()).isEqualTo("Ratio to FP8");
        assertThat(chart.footer()).isEqualTo("1 run a side");
    }

    @Test
    void severalCandidatesHaveAChartAMetric() {
        ComparedSide base = side("tiny-bf16", figure(Metrics.OUTPUT_THROUGHPUT, 100, 101, 99),
                figure(Metrics.TTFT.p50(), 10e6, 11e6, 9e6), figure(Metrics.TTFT.p95(), 20e6, 21e6, 19e6));
        List<ChartData> charts = charts(base, side("tiny-fp8", base.figures().toArray(CellFigure[]::new)),
                side("tiny-int4", figure(Metrics.OUTPUT_THROUGHPUT, 200, 203, 199)));
        assertThat(charts).extracting(ChartData::id).containsExactly("ratios-output-throughput", "ratios-ttft-p50");
        assertThat(charts.getFirst().title()).startsWith("Output throughput, ratio to BF16");
        assertThat(rows(charts.getFirst())).extracting(Ratio::name).containsExactly("FP8", "INT4");
        assertThat(rows(charts.getLast())).extracting(Ratio::name).containsExactly("FP8");
    }

    private static List<ComparedSide> paired() {
        return ComparedSide.cells(Experiments.paired(Path.of("results", "p"), "p"));
    }

    private static ComparedSide withObjective(ComparedSide side, ServiceObjective objective) {
        return new ComparedSide(side.name(), side.label(), side.cell(), side.model(), side.figures(), side.workloads(),
                side.machine(), side.grades(),
                new ComparedSide.Origin(side.origin().experiment(), new ComparedSide.Part.CellPart(1),
                        side.origin().started(), new ComparedSide.Server.None(), objective, "", null, 0, "", null),
                side.runs());
    }

    @Test
    void distributionThatDiffersMostComesSecond() {
        List<ComparedSide> sides = paired();
        List<ChartData> charts = charts(sides.getFirst(), sides.getLast());
        assertThat(charts).extracting(ChartData::id).containsExactly("ratios", "ttft-ecdf", "itl-ecdf", "e2e-ecdf",
                "runs");
        List<Line> lines = ((Marks.Lines) charts.get(1).marks()).lines();
        assertThat(lines).extracting(Line::name).containsExactly("naive", "continuous");
        assertThat(lines).extracting(Line::style).containsExactly(SeriesStyle.solid(7), SeriesStyle.solid(0));
        // 56 measured requests a run, and a first point at 0 %.
        assertThat(lines).allMatch(line -> line.x().length == 3 * 56 + 1);
        assertThat(charts.get(1).guides()).isEmpty();
        assertThat(charts(sides.getFirst().withoutRuns(), sides.getLast().withoutRuns())).extracting(ChartData::id)
                .containsExactly("ratios");
    }

    @Test
    void limitIsAGuideWhereBothSidesHaveIt() {
        ServiceObjective limit =
                new ServiceObjective(OptionalDouble.of(50e6), OptionalDouble.empty(), OptionalDouble.empty());
        List<ComparedSide> sides = paired();
        ChartData chart = charts(withObjective(sides.getFirst(), limit), withObjective(sides.getLast(), limit)).get(1);
        assertThat(chart.guides()).containsExactly(new Guide(true, 50, "limit 50.0 ms", Shaded.NONE));
        assertThat(chart.footer())
                .matches("n = 336 requests of all runs · within the limit: naive [0-9.]+ %, continuous [0-9.]+ %");
        assertThat(charts(withObjective(sides.getFirst(), limit), sides.getLast()).get(1).guides()).isEmpty();
    }

    @Test
    void runsAreInTheOrderOfExecution() {
        List<ComparedSide> sides = paired();
        List<PointSeries> series =
                ((Marks.Points) charts(sides.getFirst(), sides.getLast()).getLast().marks()).series();
        assertThat(series).extracting(PointSeries::name).containsExactly("naive", "continuous");
        assertThat(series).extracting(each -> each.points().stream().map(ChartData.Point::x).toList())
                .containsExactly(List.of(1.0, 3.0, 5.0), List.of(2.0, 4.0, 6.0));
        assertThat(series.getFirst().points()).extracting(ChartData.Point::y).containsExactlyElementsOf(
                sides.getFirst().figure(Metrics.OUTPUT_THROUGHPUT).orElseThrow().runValues());
    }
}
