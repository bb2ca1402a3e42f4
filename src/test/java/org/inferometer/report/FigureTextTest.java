package org.inferometer.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.inferometer.measurement.Metrics;
import org.inferometer.record.CellFigure;
import org.inferometer.record.Metric.Better;
import org.inferometer.record.Metric.Unit;
import org.inferometer.results.SampleRecords;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FigureTextTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            NANOSECONDS         | 21400000      | 21.40
            NANOSECONDS         | 1234567000    | 1235
            NANOSECONDS         | 12345670000   | 12 346
            NANOSECONDS         | 4200          | 0.0042
            PER_SECOND_TOKENS   | 12345.4       | 12 345
            PER_SECOND_REQUESTS | 4.05          | 4.05
            FRACTION            | 0.854         | 85.4
            BYTES               | 499122176     | 476.0
            COUNT               | 17            | 17
            """)
    void figuresAreWrittenInTheUnitOfTheirTable(Unit unit, double raw, String text) {
        assertThat(FigureText.value(unit, raw)).isEqualTo(text);
    }

    @Test
    void missingFigureIsTextNotZero() {
        assertThat(FigureText.figure(Optional.empty())).isEqualTo("not recorded");
    }

    /// Two runs: half of the t-interval is 12.7 standard errors.
    @Test
    void intervalsEndWhereFiguresEnd() {
        assertThat(FigureText.figure(
                Optional.of(new CellFigure(Metrics.OBJECTIVE_MET, 0.9, 0.8, List.of(0.84, 0.96), 48, 24, true))))
                .isEqualTo("90.0 [10.0, 100.0]");
        assertThat(FigureText.figure(
                Optional.of(new CellFigure(Metrics.OUTPUT_THROUGHPUT, 100, 127.0, List.of(90.0, 110.0), 48, 24, true))))
                .isEqualTo("100.0 [0.0, 227.0]");
        assertThat(FigureText.figure(
                Optional.of(new CellFigure(Metrics.OUTPUT_THROUGHPUT, 100, 12.7, List.of(99.0, 101.0), 48, 24, true))))
                .isEqualTo("100.0 ± 12.7");
    }

    @Test
    void aPercentileWithTooFewSamplesShowsItsN() {
        assertThat(FigureText.figure(
                Optional.of(SampleRecords.figure("e2e_p99", "P99", Unit.NANOSECONDS, Better.LOWER, 1.2678e9, 1, 60))))
                .isEqualTo("1268 (60)");
    }

    @Test
    void fewestSamplesOfARunAreShown() {
        CellFigure few =
                new CellFigure(Metrics.E2E.percentile(95), 1.2e9, null, List.of(1.1e9, 1.2e9, 1.3e9), 298, 98, false);
        CellFigure more =
                new CellFigure(Metrics.E2E.percentile(95), 1.2e9, null, List.of(1.1e9, 1.2e9, 1.3e9), 298, 99, false);
        assertThat(FigureText.column(List.of(Optional.of(few), Optional.of(more)), AxisUnit.ofTables(Unit.NANOSECONDS)))
                .containsExactly("1200 (98)", "1200 (99)");
        assertThat(FigureText.means(few, more)).containsExactly("1200 (98)", "1200 (99)");
        assertThat(List.of(FigureText.fewestSamples(List.of(more)), FigureText.fewestSamples(List.of(more, few)),
                FigureText.fewestSamples(List.of()))).containsExactly("n = 99", "n = 98", "n = 0");
    }

    @Test
    void percentilesOfDependentRequestsAreMarkedOrUneven() {
        CellFigure tail =
                new CellFigure(Metrics.E2E.p99(), 1.2e9, 0.1e9, List.of(1.1e9, 1.2e9, 1.3e9), 3000, 1000, true);
        CellFigure marked = tail.withPooled(new CellFigure.Pooled(27.9, false, null));
        assertThat(FigureText.figure(Optional.of(marked))).isEqualTo("1200 (≈27)");
        assertThat(FigureText.withUnit(marked)).isEqualTo("1200 ms (27 independent requests, too few)");
        assertThat(FigureText.figure(
                Optional.of(tail.withPooled(new CellFigure.Pooled(900, true, new CellFigure.Ends(1.05e9, 1.7e9))))))
                .isEqualTo("1200 [1050, 1700]");
    }

    @ParameterizedTest
    @CsvSource({"0.0743, +7.4", "-0.003, −0.3", "0.0001, 0.0", "-0.0001, 0.0", "12.5, +1250"})
    void changesCarryTheirSign(double share, String text) {
        assertThat(FigureText.signed(share)).isEqualTo(text);
    }
}
