package org.inferometer.ui.fx;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartData.Axis;
import org.inferometer.report.charts.ChartData.Marks;
import org.inferometer.report.charts.ChartData.SeriesStyle;
import org.inferometer.ui.twin.SampleCharts;
import org.junit.jupiter.api.Test;

class ChartTableTest {
    @Test
    void linesBecomeOneRowAPointAndGapsAreEmpty() {
        ChartData chart = new ChartData("t", "Throughput", "n = 2", Axis.fitted("s"), Axis.fromZero("tok/s"),
                new Marks.Lines(List.of(new ChartData.Line("out\tput", SeriesStyle.solid(0), new double[]{0, 1.5},
                        new double[]{10, Double.NaN})), false));
        assertThat(ChartTable.tabSeparated(chart)).isEqualTo("series\ts\ttok/s\nout put\t0.0\t10.0\nout put\t1.5\t\n");
        assertThat(ChartTable.sentence(chart)).isEqualTo("Throughput: out\tput. n = 2");
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
