package org.inferometer.measurement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.inferometer.measurement.Drift.Point;
import org.inferometer.units.Seed;
import org.junit.jupiter.api.Test;

class DriftTest {
    /// Cells of different speed, interleaved; each run 5 % about its truth.
    private static List<Point> runs(RandomGenerator random, int cells, int repetitions, double growth) {
        List<Point> runs = new ArrayList<>();
        int all = cells * repetitions;
        for (int run = 0; run < all; run++) {
            double truth = (100 + 50 * (run % cells)) * (1 + growth * run / (all - 1));
            runs.add(new Point(run % cells, run, truth * (1 + 0.05 * random.nextGaussian())));
        }
        return runs;
    }

    private static double warned(String name, int cells, int repetitions, double growth) {
        Seed seed = new Seed(7).part(name);
        int tries = 2000;
        return IntStream.range(0, tries).filter(
                i -> Drift.of(runs(seed.part(i).generator(), cells, repetitions, growth)).orElseThrow().isWarning())
                .count() / (double) tries;
    }

    @Test
    void steadyMachineDriftsInFivePercent() {
        assertThat(warned("none", 4, 3, 0)).isBetween(0.035, 0.065);
        assertThat(warned("one cell", 1, 5, 0)).isBetween(0.035, 0.065);
    }

    @Test
    void driftOfTwentyPercentIsFound() {
        assertThat(warned("slowing", 4, 5, -0.2)).isGreaterThan(0.9);
    }

    /// y = 1, 2, 3, 4 about 2.5 is a line without rest: it grows by 3 / 2.5 from first to last.
    @Test
    void lineIsFoundExactly() {
        Drift drift = Drift.of(List.of(new Point(0, 0, 1), new Point(0, 1, 2), new Point(0, 2, 3), new Point(0, 3, 4)))
                .orElseThrow();
        assertThat(drift.change()).isCloseTo(1.2, within(1e-12));
        assertThat(drift.pValue()).isLessThan(1e-6);
        assertThat(drift.runs()).isEqualTo(4);
    }

    @Test
    void smallDriftAndFewRunsAreNoWarning() {
        List<Point> slight = IntStream.range(0, 6).mapToObj(i -> new Point(0, i, 1000 + i)).toList();
        assertThat(Drift.of(slight).orElseThrow().isWarning()).isFalse();
        assertThat(Drift.of(List.of(new Point(0, 0, 1), new Point(0, 1, 2), new Point(0, 2, 3)))).isEmpty();
        assertThat(Drift.of(List.of())).isEmpty();
        assertThat(Drift.of(IntStream.range(0, 6).mapToObj(i -> new Point(0, i, 5)).toList())).isEmpty();
    }
}
