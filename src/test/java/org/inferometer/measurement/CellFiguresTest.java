package org.inferometer.measurement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.inferometer.measurement.statistics.Moments;
import org.inferometer.record.CellFigure;
import org.inferometer.record.Figure;
import org.inferometer.record.Metric;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CellFiguresTest {
    private static final Metric TTFT = Metrics.TTFT.mean();

    /// Two-sided 95 % points of Student's t as printed in every table.
    @ParameterizedTest
    @CsvSource({"2, 12.706", "3, 4.303", "4, 3.182", "5, 2.776", "10, 2.262", "30, 2.045"})
    void halfWidthIsThePublishedPointTimesTheStandardError(int runs, double published) {
        List<Double> values = new ArrayList<>(Collections.nCopies(runs, 10.0));
        values.set(0, 11.0);
        double mean = 10 + 1.0 / runs;
        double variance = (Math.pow(11 - mean, 2) + (runs - 1) * Math.pow(10 - mean, 2)) / (runs - 1);
        assertThat(Moments.of(values).mean()).isCloseTo(mean, within(1e-12));
        assertThat(Moments.of(values).halfWidth()).hasValueSatisfying(
                half -> assertThat(half).isCloseTo(published * Math.sqrt(variance / runs), within(5e-4)));
    }

    @Test
    void oneRunHasNoInterval() {
        assertThat(Moments.of(List.of(5.0)).halfWidth()).isEmpty();
        assertThatThrownBy(() -> Moments.of(List.of())).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void cellIsTheMeanOverItsRuns() {
        List<CellFigure> cell = CellFigures.of(List.of(List.of(new Figure(TTFT, 10, 5, true)),
                List.of(new Figure(TTFT, 12, 5, true)), List.of(new Figure(TTFT, 14, 6, true))));
        assertThat(cell).singleElement().satisfies(figure -> {
            assertThat(figure.mean()).isEqualTo(12);
            assertThat(figure.runValues()).containsExactly(10.0, 12.0, 14.0);
            assertThat(figure.n()).isEqualTo(16);
            assertThat(figure.interval())
                    .hasValueSatisfying(half -> assertThat(half).isCloseTo(4.3027 * 2 / Math.sqrt(3), within(1e-3)));
        });
    }

    @Test
    void figureOfSomeRunsIsMeanOfThose() {
        Figure window = new Figure(Metrics.WINDOW, 3, 1, true);
        List<CellFigure> cell = CellFigures
                .of(List.of(List.of(new Figure(TTFT, 10, 5, true)), List.of(new Figure(TTFT, 12, 5, true), window)));
        assertThat(CellFigures.find(cell, Metrics.WINDOW))
                .contains(new CellFigure(Metrics.WINDOW, 3, null, List.of(3.0), 1, 1L, true));
        assertThat(CellFigures.find(cell, Metrics.GOODPUT)).isEmpty();
        assertThat(CellFigures.of(List.of())).isEmpty();
    }

    @Test
    void cellKeepsFewestSamplesOfItsRuns() {
        assertThat(CellFigures.of(List.of(List.of(new Figure(TTFT, 1, 7, true)), List.of(new Figure(TTFT, 1, 4, false)),
                List.of(new Figure(TTFT, 1, 5, false)))))
                .containsExactly(new CellFigure(TTFT, 1, 0.0, List.of(1.0, 1.0, 1.0), 16, 4L, false));
    }
}
