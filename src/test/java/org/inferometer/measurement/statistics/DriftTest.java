package org.inferometer.measurement.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.inferometer.measurement.statistics.Drift.Point;
import org.inferometer.units.Seed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class DriftTest {
    /// Cells of different speed under one load, every second repetition reversed; each run 5 % about its truth.
    ///
    /// @param spread of the draws that the runs of a repetition share
    private static List<Point> runs(RandomGenerator random, int cells, int repetitions, double growth, double spread) {
        List<Point> runs = new ArrayList<>();
        int all = cells * repetitions;
        for (int repetition = 0; repetition < repetitions; repetition++) {
            double draw = 1 + spread * random.nextGaussian();
            for (int i = 0; i < cells; i++) {
                int order = repetition * cells + i;
                int cell = repetition % 2 == 0 ? i : cells - 1 - i;
                double truth = (100 + 50 * cell) * draw * (1 + growth * order / (all - 1));
                runs.add(new Point(cell, 0, repetition, order, truth * (1 + 0.05 * random.nextGaussian())));
            }
        }
        return runs;
    }

    private static double warned(String name, int cells, int repetitions, double growth, double spread) {
        Seed seed = new Seed(7).part(name);
        int tries = 2000;
        return IntStream.range(0, tries).filter(i -> Drift
                .of(runs(seed.part(i).generator(), cells, repetitions, growth, spread)).orElseThrow().isWarning())
                .count() / (double) tries;
    }

    /// 5 ± 1.5 %, three standard errors of 2,000 experiments.
    @Test
    void steadyMachineDriftsInFivePercent() {
        assertThat(warned("none", 4, 3, 0, 0)).isBetween(0.035, 0.065);
        assertThat(warned("one cell", 1, 5, 0, 0)).isBetween(0.035, 0.065);
        assertThat(warned("many", 4, 6, 0, 0)).isBetween(0.035, 0.065);
    }

    /// Poisson arrivals give one seed 40 requests and the next 60: no machine drifted.
    @Test
    void sharedDrawsAreNoDrift() {
        assertThat(warned("shared by three", 4, 3, 0, 0.2)).isBetween(0.035, 0.065);
        assertThat(warned("shared by five", 4, 5, 0, 0.2)).isBetween(0.035, 0.065);
    }

    @Test
    void driftOfTwentyPercentIsFound() {
        assertThat(warned("slowing", 4, 5, -0.2, 0)).isGreaterThan(0.8);
        assertThat(warned("slowing under drawn lengths", 4, 8, -0.2, 0.02)).isGreaterThan(0.9);
    }

    /// Draws that differ by 2 % and by 15 %: the one leaves the drift between repetitions, the other only that within them.
    @Test
    void moreRepetitionsFindADriftMoreOften() {
        double three = warned("three", 4, 3, 0.15, 0.02);
        double five = warned("five", 4, 5, 0.15, 0.02);
        assertThat(five).isGreaterThan(three);
        assertThat(warned("ten", 4, 10, 0.15, 0.02)).isGreaterThan(five);
        assertThat(warned("five draws", 4, 5, 0.3, 0.15)).isGreaterThan(0.19);
    }

    /// y = 1, 2, 3, 4 about 2.5 is a line without rest: it grows by 3 / 2.5 from first to last.
    @Test
    void lineIsFoundExactly() {
        Drift drift = Drift.of(List.of(point(0, 1), point(1, 2), point(2, 3), point(3, 4))).orElseThrow();
        assertThat(drift.change()).isCloseTo(1.2, within(1e-12));
        assertThat(drift.pValue()).isLessThan(1e-6);
        assertThat(drift.runs()).isEqualTo(4);
    }

    @Test
    void smallDriftAndFewRunsAreNoWarning() {
        List<Point> slight = IntStream.range(0, 6).mapToObj(i -> point(i, 1000 + i)).toList();
        assertThat(Drift.of(slight).orElseThrow().isWarning()).isFalse();
        assertThat(Drift.of(List.of(point(0, 1), point(1, 2), point(2, 3)))).isEmpty();
        assertThat(Drift.of(List.of())).isEmpty();
        assertThat(Drift.of(IntStream.range(0, 6).mapToObj(i -> point(i, 5)).toList())).isEmpty();
    }

    /// A run of the only cell.
    private static Point point(int order, double value) {
        return new Point(0, 0, order, order, value);
    }
}
