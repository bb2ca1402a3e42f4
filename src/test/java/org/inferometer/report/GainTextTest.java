package org.inferometer.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.measurement.CellFigures;
import org.inferometer.measurement.Comparison;
import org.inferometer.measurement.Comparisons;
import org.inferometer.measurement.Metrics;
import org.inferometer.record.CellFigure;
import org.inferometer.record.Figure;
import org.inferometer.record.Metric;
import org.junit.jupiter.api.Test;

class GainTextTest {
    private static CellFigure cell(Metric metric, double mean) {
        List<List<Figure>> runs = new ArrayList<>();
        for (double factor : new double[]{0.95, 1, 1 / 0.95}) {
            runs.add(List.of(new Figure(metric, mean * factor, 100, true)));
        }
        return CellFigures.of(runs).getFirst();
    }

    private static Comparison comparison(Metric metric, double base, double candidate) {
        return Comparisons.between(cell(metric, base), cell(metric, candidate));
    }

    @Test
    void improvementIsHowManyTimesAsGood() {
        assertThat(GainText.improvement(comparison(Metrics.OUTPUT_THROUGHPUT, 100, 240)).withInterval())
                .isEqualTo("2.4× [2.1, 2.7]");
        assertThat(GainText.improvement(comparison(Metrics.OUTPUT_THROUGHPUT, 100, 120)).text()).isEqualTo("1.20×");
        assertThat(GainText.improvement(comparison(Metrics.E2E.mean(), 240, 100)).text()).isEqualTo("2.4×");
    }

    /// What is worse is below 1; more memory is above 1 as an overhead.
    @Test
    void worseIsBelowOne() {
        GainText gain = GainText.improvement(comparison(Metrics.E2E.mean(), 100, 240));
        assertThat(gain.withInterval()).isEqualTo("0.42× [0.37, 0.47]");
        assertThat(GainText.overhead(comparison(Metrics.MEMORY_PEAK_TOTAL, 100, 240)).text()).isEqualTo("2.4×");
        assertThat(GainText.improvement(comparison(Metrics.MEMORY_PEAK_TOTAL, 100, 240)).text()).isEqualTo("0.42×");
    }

    @Test
    void directionIsAWord() {
        assertThat(List.of(directed(Metrics.E2E.mean(), 100, 240), directed(Metrics.E2E.mean(), 240, 100),
                directed(Metrics.OUTPUT_THROUGHPUT, 240, 100), directed(Metrics.MEMORY_PEAK_TOTAL, 240, 100),
                directed(Metrics.MEMORY_PEAK_TOTAL, 0, 100 << 20)))
                .containsExactly("2.4× slower", "2.4× faster", "2.4× slower", "2.4× less", "0.0 → 100.1 MiB");
    }

    private static String directed(Metric metric, double base, double candidate) {
        return GainText.directed(comparison(metric, base, candidate));
    }

    @Test
    void clauseNamesTheSmallestDetectable() {
        assertThat(new DifferenceText(comparison(Metrics.E2E.mean(), 100, 101)).clause().orElseThrow())
                .matches("E2E latency mean: no detectable difference \\(smallest detectable [0-9.]+ %\\)");
    }

    @Test
    void detectableIsSaidWhereNothingWasFound() {
        assertThat(GainText.improvement(comparison(Metrics.E2E.mean(), 100, 101)).detectable().orElseThrow())
                .matches("a difference of [0-9.]+ % would have been found in 4 of 5 experiments");
        assertThat(GainText.improvement(comparison(Metrics.E2E.mean(), 100, 240)).detectable()).isEmpty();
    }
}
