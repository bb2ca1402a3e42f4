package org.inferometer.report.charts;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.inferometer.report.charts.ChartData.Marks;
import org.inferometer.report.charts.ChartData.Ratio;
import org.inferometer.report.charts.ChartData.Tone;
import org.inferometer.report.compare.ComparedCell;
import org.junit.jupiter.api.Test;

class QuantisationChartTest {
    @Test
    void eachNarrowerPrecisionHasARatioAMetric() throws Exception {
        List<ComparedCell> cells =
                SweptCells.of(List.of("tiny-int4", "tiny-bf16", "tiny-fp8"), List.of("naive"), SweptCells.rates(4));
        ChartData chart = RatioCharts.quantisation(cells).orElseThrow();
        assertThat(chart.title()).isEqualTo("Quantisation impact: FP8, INT4 against BF16");
        assertThat(chart.footer()).isEqualTo("3 runs · model tiny · naive · host · short-r4 (40 requests, 4 req/s)");
        assertThat(((Marks.Ratios) chart.marks()).rows()).extracting(Ratio::name).containsExactly("FP8 Throughput",
                "FP8 Weights + KV", "INT4 Throughput", "INT4 Weights + KV");
        assertThat(((Marks.Ratios) chart.marks()).rows()).extracting(Ratio::tone).containsExactly(Tone.BETTER,
                Tone.NEUTRAL, Tone.WORSE, Tone.NEUTRAL);
        assertThat(((Marks.Ratios) chart.marks()).rows().getFirst().value()).isEqualTo(120.0 / 110,
                org.assertj.core.data.Offset.offset(1e-9));
    }

    @Test
    void footerSaysWhichGroupIsDrawn() throws Exception {
        ChartData chart = RatioCharts.quantisation(
                SweptCells.of(List.of("tiny-int4", "tiny-bf16"), List.of("naive", "continuous"), SweptCells.rates(4)))
                .orElseThrow();
        assertThat(chart.footer()).endsWith(" · fastest of 2 groups");
    }

    @Test
    void onePrecisionHasNone() throws Exception {
        assertThat(RatioCharts.quantisation(SweptCells.of(List.of("tiny-fp8"), List.of("naive"), SweptCells.rates(4))))
                .isEmpty();
    }
}
