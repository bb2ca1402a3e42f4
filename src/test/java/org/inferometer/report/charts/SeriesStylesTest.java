package org.inferometer.report.charts;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.inferometer.report.charts.ChartData.Dash;
import org.inferometer.report.charts.ChartData.SeriesStyle;
import org.inferometer.report.compare.ComparedCell;
import org.junit.jupiter.api.Test;

class SeriesStylesTest {
    private static final List<String> SCHEDULERS =
            List.of("naive", "dynamic", "simple", "parallel", "continuous", "disaggregated", "continuous:chunk=64");
    private static final List<String> ENGINES =
            List.of("tiny-bf16", "tiny-fp8", "tiny-int4", "small-bf16", "small-fp8", "small-int4");

    @Test
    void noTwoSeriesLookAlike() throws Exception {
        List<ComparedCell> cells = SweptCells.of(ENGINES, SCHEDULERS, SweptCells.rates(1, 4, 16));
        SeriesStyles styles = new SeriesStyles(cells);
        assertThat(cells.stream().map(styles::of)).doesNotHaveDuplicates().hasSize(126);
        assertThat(cells.stream().map(styles::of)).allMatch(style -> style.colour() < 7 && style.marker() < 7);
    }

    @Test
    void schedulerKeepsItsColourInEveryResult() throws Exception {
        int alone = colour(List.of("continuous", "naive"), "continuous");
        assertThat(alone).isEqualTo(colour(List.of("naive", "dynamic", "continuous"), "continuous"))
                .isEqualTo(colour(List.of("parallel", "continuous:chunk=64"), "continuous:chunk=64"));
        assertThat(colour(SCHEDULERS, "naive")).isEqualTo(colour(List.of("naive", "simple"), "naive"))
                .isNotEqualTo(alone);
    }

    private static int colour(List<String> schedulers, String scheduler) throws Exception {
        List<ComparedCell> cells = SweptCells.of(List.of("tiny-fp8"), schedulers, SweptCells.rates(4));
        return new SeriesStyles(cells).of(cells.get(schedulers.indexOf(scheduler))).colour();
    }

    @Test
    void precisionIsTheDashAndHasAColourWhereNothingElseVaries() throws Exception {
        List<ComparedCell> cells = SweptCells.of(List.of("tiny-bf16", "tiny-fp8", "tiny-int8", "tiny-int4"),
                List.of("naive"), SweptCells.rates(4));
        assertThat(cells.stream().map(new SeriesStyles(cells)::of)).containsExactly(
                new SeriesStyle(0, Dash.SOLID, 0, 1), new SeriesStyle(1, Dash.LONG, 1, 1),
                new SeriesStyle(2, Dash.DASH_DOT, 2, 1), new SeriesStyle(3, Dash.DOTTED, 3, 1));
    }

    @Test
    void heaviestLoadIsStrongestAndCurvesAreFull() throws Exception {
        List<ComparedCell> cells = SweptCells.of(List.of("tiny-fp8"), List.of("naive"), SweptCells.rates(1, 2, 4));
        SeriesStyles styles = new SeriesStyles(cells);
        assertThat(cells.stream().map(cell -> styles.of(cell).strength())).containsExactly(0.5, 0.75, 1.0);
        assertThat(styles.ofCurve(cells.getFirst()).strength()).isEqualTo(1);
    }
}
