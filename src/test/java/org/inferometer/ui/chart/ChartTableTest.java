package org.inferometer.ui.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartData.Axis;
import org.inferometer.report.charts.ChartData.Marks;
import org.inferometer.report.charts.ChartData.SeriesStyle;
import org.inferometer.ui.twin.SampleCharts;
import org.junit.jupiter.api.Test;

class ChartTableTest {
    @Test
    void numbersOfAColumnHaveEqualDecimals() {
        assertThat(column("226.66666666666669", "0.2", "-1.5", "", "tiny-int4", "1.0E-4")).containsExactly("226.67",
                "0.20", "−1.50", "", "tiny-int4", "0.00010");
        assertThat(column("0.5", "1.0", "10.100000000000001")).containsExactly("0.5", "1.0", "10.1");
        assertThat(column("230.0", "189.0")).containsExactly("230", "189");
        assertThat(column("1.234567891E8", "0.5")).containsExactly("123456789", "0.5");
    }

    private static List<String> column(String... cells) {
        int decimals = ChartTableView.decimals(List.of(cells));
        return Stream.of(cells).map(cell -> ChartTableView.readable(cell, decimals)).toList();
    }

    @Test
    void linesBecomeOneRowAPointAndGapsAreEmpty() {
        ChartData chart = new ChartData("t", "Throughput", "n = 2", Axis.fitted("s"), Axis.fromZero("tok/s"),
                new Marks.Lines(List.of(new ChartData.Line("-x\tput", SeriesStyle.solid(0), new double[]{0, 1.5},
                        new double[]{10, Double.NaN})), false));
        assertThat(ChartTable.tabSeparated(chart)).isEqualTo("series\ts\ttok/s\n'-x put\t0.0\t10.0\n'-x put\t1.5\t\n");
        assertThat(ChartTable.sentence(chart)).isEqualTo("Throughput: -x\tput. n = 2");
    }

    @Test
    void bandsAddTheirEnds() {
        ChartData chart = new ChartData("s", "TTFT", "n = 3", Axis.fitted("req/s"), Axis.log("ms"),
                new Marks.Lines(List.of(
                        new ChartData.Line("a", SeriesStyle.solid(0), new double[]{1, 2}, new double[]{30, 40},
                                List.of(new ChartData.Span(28, 32), ChartData.Span.NONE)),
                        new ChartData.Line("b", SeriesStyle.solid(1), new double[]{1}, new double[]{5})), false),
                List.of(new ChartData.Guide(false, 500, "limit 500 ms", ChartData.Shaded.BELOW)));
        assertThat(ChartTable.tabSeparated(chart)).isEqualTo("""
                series\treq/s\tms\tlow\thigh
                a\t1.0\t30.0\t28.0\t32.0
                a\t2.0\t40.0\t\t
                b\t1.0\t5.0\t\t
                """);
        assertThat(ChartTable.sentence(chart)).isEqualTo("TTFT: a, b. limit 500 ms · n = 3");
    }

    @Test
    void pointsAreFollowedByTheirRuns() {
        ChartData chart = new ChartData("p", "Plane", "", Axis.fitted("tok/s"), Axis.log("ms"),
                new Marks.Points(List.of(new ChartData.PointSeries("naive", SeriesStyle.solid(0), false,
                        List.of(new ChartData.Point("8 req/s", 100, 20, new ChartData.Span(100 - 5, 100 + 5),
                                ChartData.Span.NONE, new double[]{99, 101}, new double[]{19, 21}))))));
        assertThat(ChartTable.tabSeparated(chart)).isEqualTo("""
                series\tpoint\trun\ttok/s\tlow\thigh\tms\tlow\thigh
                naive\t8 req/s\t\t100.0\t95.0\t105.0\t20.0\t\t
                naive\t8 req/s\t1\t99.0\t\t\t19.0\t\t
                naive\t8 req/s\t2\t101.0\t\t\t21.0\t\t
                """);
        assertThat(ChartTable.sentence(chart)).isEqualTo("Plane: naive. ");
    }

    @Test
    void ratiosHaveTheirOutcomes() {
        ChartData chart = new ChartData("r", "INT4 to FP8", "5 runs each", Axis.log("ratio"), Axis.fitted(""),
                new Marks.Ratios(List.of(
                        new ChartData.Ratio("ITL P50", ChartData.Tone.BETTER, "better", 0.7,
                                new ChartData.Span(0.69, 0.71), new double[]{0.7}, "0.70× [0.69, 0.71]"),
                        new ChartData.Ratio("Energy", ChartData.Tone.NEUTRAL, "not recorded", Double.NaN,
                                ChartData.Span.NONE, new double[0], ""))));
        assertThat(ChartTable.tabSeparated(chart)).isEqualTo("""
                metric\toutcome\tratio\tlow\thigh\ttext\trun 1
                ITL P50\tbetter\t0.7\t0.69\t0.71\t0.70× [0.69, 0.71]\t0.7
                Energy\tnot recorded\t\t\t\t\t
                """);
        assertThat(ChartTable.sentence(chart))
                .isEqualTo("INT4 to FP8: ITL P50 better 0.70× [0.69, 0.71], Energy not recorded. 5 runs each");
    }

    @Test
    void ownersAndHeatMapsAreTables() {
        ChartData owners = new ChartData("o", "Memory", "peak", Axis.fitted("MiB"), Axis.fitted(""),
                new Marks.OwnerBars(List.of("fp8", "int4"),
                        List.of(new ChartData.Layer("Weights", 0, new double[]{9, 5}),
                                new ChartData.Layer("KV cache", 1, new double[]{3, Double.NaN}))));
        assertThat(ChartTable.tabSeparated(owners))
                .isEqualTo("category\tWeights (MiB)\tKV cache (MiB)\nfp8\t9.0\t3.0\nint4\t5.0\t\n");
        assertThat(ChartTable.sentence(owners)).isEqualTo("Memory: fp8, int4. peak");
        ChartData map = new ChartData("h", "TTFT, ms", "mean", Axis.fitted("req/s"), Axis.fitted("scheduler"),
                new Marks.HeatMap(List.of("1", "2"), List.of("naive"), new double[][]{{7, Double.NaN}},
                        List.of(List.of("7", "–"))));
        assertThat(ChartTable.tabSeparated(map)).isEqualTo("\t1\t2\nnaive\t7.0\t\n");
        assertThat(ChartTable.sentence(map)).isEqualTo("TTFT, ms: naive by 1, 2. mean");
    }

    @Test
    void everyKindOfChartHasAsManyCellsInEachRowAsInItsHeader() {
        assertThat(SampleCharts.all()).allSatisfy(chart -> {
            List<String> lines = ChartTable.tabSeparated(chart).lines().toList();
            assertThat(lines.size()).isGreaterThan(1);
            assertThat(lines).allSatisfy(
                    line -> assertThat(line.split("\t", -1)).hasSameSizeAs(lines.getFirst().split("\t", -1)));
        });
    }
}
