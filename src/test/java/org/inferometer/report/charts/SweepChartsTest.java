package org.inferometer.report.charts;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.inferometer.experiment.ServiceObjective;
import org.inferometer.measurement.Metrics;
import org.inferometer.record.SloResult.Outcome;
import org.inferometer.report.AxisUnit;
import org.inferometer.report.charts.ChartData.Axis;
import org.inferometer.report.charts.ChartData.Guide;
import org.inferometer.report.charts.ChartData.Marks;
import org.inferometer.report.charts.ChartData.Shaded;
import org.inferometer.report.charts.ChartData.Span;
import org.inferometer.report.compare.ComparedCell;
import org.inferometer.workload.LengthDistribution;
import org.inferometer.workload.WorkloadSpec;
import org.junit.jupiter.api.Test;

class SweepChartsTest {
    private static final ServiceObjective TTFT_25_MS =
            new ServiceObjective(OptionalDouble.of(25e6), OptionalDouble.empty(), OptionalDouble.empty());

    @Test
    void ratesAreTheAxisAndRequestsFollowFromThem() throws Exception {
        List<ComparedCell> cells =
                SweptCells.of(List.of("tiny-fp8"), List.of("naive", "continuous"), SweptCells.rates(1, 2, 4));
        assertThat(SweptField.of(cells)).containsExactly(new SweptField("rate", List.of(1.0, 2.0, 4.0)));
        assertThat(SweptField.of(cells).getFirst().curves(cells)).hasSize(2).containsOnlyKeys("naive", "continuous");
    }

    @Test
    void twoLoadsAreNoSweep() throws Exception {
        assertThat(SweptField.of(SweptCells.of(List.of("tiny-fp8"), List.of("naive"), SweptCells.rates(1, 2))))
                .isEmpty();
    }

    @Test
    void latencyHasACurveWithIntervals() throws Exception {
        List<ComparedCell> cells =
                SweptCells.of(List.of("tiny-fp8"), List.of("naive", "continuous"), SweptCells.rates(1, 2, 16));
        ChartData latency = charts(cells, TTFT_25_MS).getFirst();
        assertThat(latency.id()).isEqualTo("ttft_p50-sweep");
        assertThat(latency.title()).isEqualTo("TTFT P50 against offered rate");
        assertThat(latency.footer()).isEqualTo("mean of 3 runs, 95 % intervals");
        assertThat(latency.x()).isEqualTo(Axis.log("offered, requests/s"));
        // The limit is for 99 %: a median below it tells nothing.
        assertThat(latency.guides()).isEmpty();
        ChartData.Line line = ((Marks.Lines) latency.marks()).lines().get(1);
        assertThat(line.name()).isEqualTo("continuous");
        assertThat(line.x()).containsExactly(1, 2, 16);
        assertThat(line.y()).containsExactly(23, 24, 25);
        assertThat(line.band().getFirst()).isEqualTo(new Span(23 - 0.46, 23 + 0.46));
    }

    @Test
    void theLimitStandsAtThePercentileThatIsJudged() {
        ObjectiveGuides guides = new ObjectiveGuides(
                new ServiceObjective(OptionalDouble.of(25e6), OptionalDouble.empty(), OptionalDouble.empty(), 0.9));
        assertThat(guides.judged()).contains(Metrics.TTFT.percentile(90));
        assertThat(Stream.of("ttft", "ttft_p90", "ttft_p95", "ttft_p50", "ttft_mean", "e2e_p95")
                .filter(id -> !guides.of(id, AxisUnit.ofLatency(25e6), false, Shaded.NONE).isEmpty()))
                .containsExactly("ttft", "ttft_p90", "ttft_p95");
    }

    @Test
    void highestServedLoadOfACurveIsALine() throws Exception {
        Outcome yes = Outcome.SERVED;
        Outcome no = Outcome.NOT_SERVED;
        Outcome unknown = Outcome.CANNOT_TELL;
        List<ComparedCell> cells =
                SweptCells.judged(
                        SweptCells.of(List.of("tiny-fp8"), List.of("naive", "continuous", "dynamic", "static"),
                                SweptCells.rates(1, 2, 4)),
                        List.of(yes, no, no, yes, yes, unknown, yes, yes, yes, no, no, no));
        ChartData share = charts(cells, TTFT_25_MS).stream().filter(chart -> chart.id().equals("objective-met-sweep"))
                .findFirst().orElseThrow();

        assertThat(share.guides()).containsExactly(new Guide(false, 99, "goal 99.0 %", Shaded.NONE),
                new Guide(true, 1, "naive up to 1", Shaded.NONE),
                new Guide(true, 2, "continuous up to 2", Shaded.NONE));
        assertThat(share.footer())
                .isEqualTo("mean of runs; the bounds decide, 95 % for all loads · naive served 1, not 2"
                        + " · continuous served 2 · dynamic served 4 · static did not serve 1");
    }

    @Test
    void usersArePlottedAgainstTheMachineWithTheirLoads() throws Exception {
        List<ComparedCell> cells = SweptCells.of(List.of("tiny-fp8"), List.of("naive"), SweptCells.rates(1, 2, 16));
        ChartData users = charts(cells, ServiceObjective.NONE).stream().filter(chart -> chart.id().equals("users"))
                .findFirst().orElseThrow();
        ChartData.PointSeries series = ((Marks.Points) users.marks()).series().getFirst();
        assertThat(series.joined()).isTrue();
        assertThat(series.points()).extracting(ChartData.Point::label).containsExactly("1", "2", "16");
        assertThat(series.points()).extracting(ChartData.Point::x).containsExactly(50.0, 49.0, 48.0);
        assertThat(series.points().getFirst().runY()).containsExactly(99, 100, 101);
    }

    @Test
    void twoSweptFieldsMakeAMap() throws Exception {
        List<WorkloadSpec> loads = SweptCells.rates(1, 2, 4).stream()
                .flatMap(load -> List.of(16, 64, 256).stream()
                        .map(length -> load.withLengths(LengthDistribution.parse("" + length), load.outputTokens())))
                .toList();
        List<ComparedCell> cells = SweptCells.of(List.of("tiny-fp8"), List.of("naive"), loads);
        assertThat(SweptField.of(cells)).extracting(SweptField::name).containsExactly("rate", "prompt_tokens");
        ChartData map = charts(cells, ServiceObjective.NONE).getLast();
        Marks.HeatMap marks = (Marks.HeatMap) map.marks();
        assertThat(marks.columns()).containsExactly("1", "2", "4");
        assertThat(marks.rows()).containsExactly("16", "64", "256");
        assertThat(Arrays.deepToString(marks.values()))
                .isEqualTo("[[100.0, 130.0, 160.0], [110.0, 140.0, 170.0], [120.0, 150.0, 180.0]]");
    }

    private static List<ChartData> charts(List<ComparedCell> cells, ServiceObjective objective) {
        return new SweepCharts(cells, SweptField.of(cells), new ObjectiveGuides(objective), new SeriesStyles(cells))
                .all();
    }
}
