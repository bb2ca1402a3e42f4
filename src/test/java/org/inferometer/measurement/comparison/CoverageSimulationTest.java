package org.inferometer.measurement.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.inferometer.measurement.CellFigures;
import org.inferometer.measurement.Metrics;
import org.inferometer.measurement.comparison.Comparison.Outcome;
import org.inferometer.measurement.statistics.TestPower;
import org.inferometer.record.CellFigure;
import org.inferometer.record.Figure;
import org.inferometer.units.Seed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What the statistics promise, checked on runs drawn from a known distribution: mean 100, standard deviation 5.
class CoverageSimulationTest {
    private static final int TRIES = 2000;
    private static final double MEAN = 100;
    private static final double DEVIATION = 5;
    private static final double TOLERANCE = 0.015;

    private static List<Double> runs(RandomGenerator random, int runs, double mean) {
        return IntStream.range(0, runs).mapToObj(i -> mean + DEVIATION * random.nextGaussian()).toList();
    }

    private static CellFigure cell(List<Double> runs) {
        return CellFigures
                .of(runs.stream().map(run -> List.of(new Figure(Metrics.E2E.mean(), run, 100, true))).toList())
                .getFirst();
    }

    private static double share(String name, Predicate<RandomGenerator> holds) {
        Seed seed = new Seed(20_250_711).part(name);
        return IntStream.range(0, TRIES).filter(i -> holds.test(seed.part(i).generator())).count() / (double) TRIES;
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5, 10})
    void intervalCoversTheMeanIn95Percent(int runs) {
        double covered = share("interval" + runs, random -> {
            CellFigure figure = cell(runs(random, runs, MEAN));
            return Math.abs(figure.mean() - MEAN) <= figure.interval().orElseThrow();
        });
        assertThat(covered).isBetween(0.95 - TOLERANCE, 0.95 + TOLERANCE);
    }

    @ParameterizedTest
    @ValueSource(ints = {5, 10, 20})
    void equalPairsDifferInFivePercent(int runs) {
        double alike = share("equals" + runs,
                random -> Comparisons.between(cell(runs(random, runs, MEAN)), cell(runs(random, runs, MEAN)))
                        .outcome() == Outcome.NO_DETECTABLE_DIFFERENCE);
        assertThat(alike).isBetween(0.95 - TOLERANCE, 0.95 + TOLERANCE);
    }

    /// Welch's degrees of freedom are cautious for so few runs: equals are told apart less often than promised, never more.
    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void fewRunsAreConservative(int runs) {
        double alike = share("few" + runs,
                random -> Comparisons.between(cell(runs(random, runs, MEAN)), cell(runs(random, runs, MEAN)))
                        .outcome() == Outcome.NO_DETECTABLE_DIFFERENCE);
        assertThat(alike).isBetween(0.95 - TOLERANCE, 1.0);
    }

    @Test
    void fiveEqualCandidatesDifferInAtMostFivePercent() {
        double alike = share("family", random -> {
            CellFigure base = cell(runs(random, 6, MEAN));
            List<CellFigure> candidates = Stream.generate(() -> cell(runs(random, 6, MEAN))).limit(5).toList();
            return Comparisons.against(base, candidates).stream()
                    .allMatch(c -> c.outcome() == Outcome.NO_DETECTABLE_DIFFERENCE);
        });
        assertThat(alike).isGreaterThan(0.95 - TOLERANCE);
    }

    @Test
    void differenceOf80PercentPowerIsFoundInFourOfFive() {
        int runs = 8;
        double errors = 3;
        double power = TestPower.power(errors, 2 * runs - 2, Comparisons.SIGNIFICANCE);
        double lower = MEAN - errors * DEVIATION * Math.sqrt(2.0 / runs);
        double found = share("power", random -> Comparisons
                .between(cell(runs(random, runs, MEAN)), cell(runs(random, runs, lower))).outcome() == Outcome.FASTER);
        assertThat(power).isBetween(0.77, 0.83);
        assertThat(found).isBetween(power - 0.03, power + 0.03);
    }

    /// Equal cells: in how many experiments some cell is called worse than the one with the best mean.
    @ParameterizedTest
    @CsvSource({"2, 5", "4, 3", "4, 5", "8, 5"})
    void equalCellsAreWorseThanTheBestInAtMostFivePercent(int cells, int runs) {
        double alike = share("best" + cells + runs,
                random -> Comparisons
                        .withBest(IntStream.range(0, cells).mapToObj(i -> cell(runs(random, runs, MEAN)))
                                .sorted(Comparator.comparingDouble(CellFigure::mean)).toList())
                        .stream().allMatch(each -> each.outcome() == Outcome.NO_DETECTABLE_DIFFERENCE));
        assertThat(alike).isGreaterThan(0.95 - TOLERANCE);
    }
}
