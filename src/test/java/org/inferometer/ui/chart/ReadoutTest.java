package org.inferometer.ui.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.assertj.core.data.Offset;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartData.Axis;
import org.inferometer.report.charts.ChartData.Line;
import org.inferometer.report.charts.ChartData.Marks;
import org.inferometer.report.charts.ChartData.SeriesStyle;
import org.inferometer.ui.chart.ChartReader.Readout;
import org.inferometer.ui.chart.PlotArea.AxisRange;
import org.inferometer.ui.chart.PlotArea.PlotScale;
import org.inferometer.ui.twin.SampleCharts;
import org.junit.jupiter.api.Test;

class ReadoutTest {
    private static final PlotScale TENTHS = new PlotScale(0, 100, 0, 10, false);
    private static final PlotArea AREA = new PlotArea(TENTHS, new PlotScale(100, 0, 0, 10, false));

    private static ChartData lines(boolean steps, Line... lines) {
        return new ChartData("t", "Throughput", "", Axis.fitted("time since run start, s"), Axis.fromZero("tok/s"),
                new Marks.Lines(List.of(lines), steps));
    }

    private static Line line(String name, double[] x, double... y) {
        return new Line(name, SeriesStyle.solid(0), x, y);
    }

    private static String at(ChartData chart, double pixelX, double pixelY) {
        return ChartReader.of(chart).at(AREA, pixelX, pixelY).map(Readout::lines).orElse("none");
    }

    @Test
    void eachSeriesHasItsNearestSample() {
        ChartData chart = lines(false, line("output", new double[]{1, 2, 3}, 655.25, Double.NaN, 700),
                line("prompt", new double[]{1.1, 2.1, 3.1, 9}, 1, 2, 3, 123456.789));
        assertThat(at(chart, 11, 0)).isEqualTo("1.1 s\noutput: 655 tok/s\nprompt: 1 tok/s");
        assertThat(at(chart, 20, 0)).isEqualTo("2 s\noutput: –\nprompt: 2 tok/s");
        assertThat(at(chart, 99, 0)).isEqualTo("9 s\noutput: –\nprompt: 123457 tok/s");
    }

    @Test
    void aStepHoldsUntilTheNext() {
        ChartData chart = lines(true, line("running", new double[]{1, 5, 7}, 3, 4, 0));
        assertThat(at(chart, 49, 0)).isEqualTo("4.9 s\nrunning: 3 tok/s");
        assertThat(at(chart, 50, 0)).isEqualTo("5 s\nrunning: 4 tok/s");
        assertThat(at(chart, 5, 0)).isEqualTo("0.5 s\nrunning: –");
        assertThat(at(chart, 90, 0)).isEqualTo("9 s\nrunning: –");
    }

    @Test
    void sharesAreZeroBeforeAndWholeAfterTheSamples() {
        ChartData chart = new ChartData("e", "TTFT", "", Axis.fitted("TTFT, ms"), new Axis("share, %", false, 0, 100),
                new Marks.Lines(List.of(line("fast", new double[]{1, 1, 2, 3}, 0, 100 / 3.0, 200 / 3.0, 100),
                        line("slow", new double[]{5, 5, 8}, 0, 50, 100)), true));
        assertThat(at(chart, 25, 0)).isEqualTo("2.5 ms\nfast: 66.7 %\nslow: 0 %");
        assertThat(at(chart, 65, 0)).isEqualTo("6.5 ms\nfast: 100 %\nslow: 50 %");
        assertThat(at(chart, 95, 0)).isEqualTo("9.5 ms\nfast: 100 %\nslow: 100 %");
    }

    @Test
    void requestsAreOfferedNearTheValueAlone() {
        assertThat(RequestsAtCrosshair.isNear(97.2, 97.9)).isTrue();
        assertThat(RequestsAtCrosshair.isNear(33.2, 97.9)).isFalse();
    }

    @Test
    void binsNameTheirEnds() {
        ChartData chart = new ChartData("h", "TTFT", "", Axis.fitted("TTFT, ms"), Axis.fromZero("share, %"),
                new Marks.Histogram(new double[]{0, 2, 4},
                        List.of(new ChartData.Bins("naive", SeriesStyle.solid(0), new double[]{40, 60}, false))));
        assertThat(at(chart, 21, 0)).isEqualTo("2 to 4 ms\nnaive: 60 %");
    }

    @Test
    void layersHoldWithTheirUnit() {
        ChartData chart = new ChartData("m", "Memory", "", Axis.fitted("s"), Axis.fromZero("MiB"), new Marks.Stack(
                new double[]{0, 5}, List.of(new ChartData.Layer("Weights", 0, new double[]{9, 8.125}))));
        assertThat(at(chart, 50, 0)).isEqualTo("5 s\nWeights: 8.13 MiB");
    }

    @Test
    void theNearestPointHasItsIntervals() {
        ChartData chart = new ChartData("p", "Plane", "", Axis.fitted("output, tok/s"), Axis.fitted("TTFT P95, ms"),
                new Marks.Points(List.of(
                        new ChartData.PointSeries("naive", SeriesStyle.solid(0), false,
                                List.of(new ChartData.Point("8 req/s", 2, 8, new ChartData.Span(2 - 0.5, 2 + 0.5),
                                        ChartData.Span.NONE, new double[]{2, 2}, new double[]{8, 8}))),
                        new ChartData.PointSeries("static", SeriesStyle.solid(1), false, List.of(new ChartData.Point("",
                                2.2, 1, ChartData.Span.NONE, ChartData.Span.NONE, new double[0], new double[0]))))));
        assertThat(at(chart, 22, 30))
                .isEqualTo("naive · 8 req/s\noutput: 2.0 tok/s [1.5, 2.5]\nTTFT P95: 8 ms\nruns: 2");
        assertThat(at(chart, 20, 80)).isEqualTo("static\noutput: 2.2 tok/s\nTTFT P95: 1 ms");
    }

    @Test
    void theRowUnderThePointerIsRead() {
        ChartData ratios = SampleCharts.all().get(6);
        PlotArea rows = new PlotArea(new PlotScale(0, 100, 0.5, 2, true), new PlotScale(80, 0, 7.5, -0.5, false));
        assertThat(ChartReader.of(ratios).at(rows, 5, 34).map(Readout::lines))
                .contains("TTFT P95\nworse: 1.22× [1.08, 1.40]\nruns: 5");
        assertThat(ChartReader.of(ratios).at(rows, 5, 75).map(Readout::lines))
                .contains("Energy per token\nnot recorded: –");
    }

    @Test
    void keysGoFromSampleToSampleOfAnySeries() {
        ChartReader reader = ChartReader
                .of(lines(false, line("a", new double[]{1, 3}, 10, 30), line("b", new double[]{2, 3}, 20, 33)));
        Readout first = reader.end(false).orElseThrow();
        assertThat(first.lines()).isEqualTo("1 s\na: 10 tok/s\nb: –");
        Readout second = reader.step(first, 1).orElseThrow();
        assertThat(second.lines()).isEqualTo("2 s\na: 10 tok/s\nb: 20 tok/s");
        assertThat(reader.step(second, 10)).isEqualTo(reader.end(true));
        assertThat(reader.step(second, -1)).contains(first);
        assertThat(reader.step(first, -10)).contains(first);
    }

    @Test
    void everyKindOfChartIsReadAtItsEnds() {
        assertThat(SampleCharts.all()).allSatisfy(chart -> {
            ChartReader reader = ChartReader.of(chart);
            Readout first = reader.end(false).orElseThrow();
            assertThat(first.rows()).isNotEmpty();
            assertThat(reader.step(first, 100_000)).isEqualTo(reader.end(true));
        });
        assertThat(ChartReader.of(lines(false)).end(true)).isEqualTo(Optional.empty());
    }

    @Test
    void logarithmicAxesZoomInLogarithms() {
        PlotScale scale = new PlotScale(0, 100, 1, 10_000, true);
        assertThat(scale.value(50)).isCloseTo(100, Offset.offset(1e-9));
        AxisRange half = scale.zoomed(50, 2);
        assertThat(half.lower()).isCloseTo(10, Offset.offset(1e-9));
        assertThat(half.upper()).isCloseTo(1000, Offset.offset(1e-9));
    }
}
