package org.inferometer.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.inferometer.measurement.CellFigures;
import org.inferometer.measurement.Metrics;
import org.inferometer.measurement.comparison.Comparison;
import org.inferometer.measurement.comparison.Comparisons;
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

    private static CellFigure once(Metric metric, double value) {
        return CellFigures.of(List.of(List.of(new Figure(metric, value, 100, true)))).getFirst();
    }

    private static Comparison comparison(Metric metric, double base, double candidate) {
        return comparison(cell(metric, base), cell(metric, candidate));
    }

    private static Comparison comparison(CellFigure base, CellFigure candidate) {
        return Comparisons.between(base, candidate);
    }

    @Test
    void directionIsAWordBehindARatioAboveOne() {
        assertThat(Stream.of(comparison(Metrics.E2E.mean(), 100, 240), comparison(Metrics.E2E.mean(), 240, 100),
                comparison(Metrics.OUTPUT_THROUGHPUT, 240, 100), comparison(Metrics.OUTPUT_THROUGHPUT, 100, 120),
                comparison(Metrics.MEMORY_PEAK_TOTAL, 240, 100), comparison(Metrics.MEMORY_PEAK_TOTAL, 0, 100 << 20))
                .map(each -> new GainText(each).withInterval())).containsExactly("2.4× slower [2.1, 2.7]",
                        "2.4× faster [2.1, 2.7]", "2.4× slower [2.1, 2.7]", "1.20× faster [1.07, 1.35]",
                        "2.4× less [2.1, 2.7]", "0.0 → 100.1 MiB");
    }

    @Test
    void singleRunsHaveADirectionAndEqualOnesNone() {
        assertThat(Stream
                .of(comparison(once(Metrics.E2E.mean(), 100), once(Metrics.E2E.mean(), 240)),
                        comparison(once(Metrics.E2E.mean(), 100), once(Metrics.E2E.mean(), 100)),
                        comparison(once(Metrics.E2E.mean(), 0), once(Metrics.E2E.mean(), 0)))
                .map(each -> new GainText(each).withInterval())).containsExactly("2.4× slower", "1.00×", "–");
    }

    @Test
    void nothingDetectableIsTheBareRatioOfTheMeans() {
        assertThat(new GainText(comparison(Metrics.E2E.mean(), 100, 98)).withInterval())
                .matches("0\\.98× \\[0\\.\\d+, 1\\.\\d+]");
    }

    @Test
    void whatIsNotRankedIsHigherOrLower() {
        Comparison worse = comparison(Metrics.E2E.mean(), 100, 240);
        assertThat(new GainText(worse.unranked()).text()).isEqualTo("2.4× higher");
        assertThat(new GainText(comparison(Metrics.E2E.mean(), 240, 100).unranked()).text()).isEqualTo("2.4× lower");
    }

    @Test
    void clauseNamesTheSmallestDetectable() {
        assertThat(new DifferenceText(comparison(Metrics.E2E.mean(), 100, 101)).clause().orElseThrow())
                .matches("E2E latency mean: no detectable difference \\(smallest detectable [0-9.]+ %\\)");
    }

    @Test
    void detectableIsSaidWhereNothingWasFound() {
        assertThat(new GainText(comparison(Metrics.E2E.mean(), 100, 101)).detectable().orElseThrow())
                .matches("a difference of [0-9.]+ % would have been found in 4 of 5 experiments");
        assertThat(new GainText(comparison(Metrics.E2E.mean(), 100, 240)).detectable()).isEmpty();
    }
}
