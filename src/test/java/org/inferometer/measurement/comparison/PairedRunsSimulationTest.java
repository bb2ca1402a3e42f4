package org.inferometer.measurement.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.inferometer.measurement.CellFigures;
import org.inferometer.measurement.Metrics;
import org.inferometer.measurement.Simulated;
import org.inferometer.measurement.comparison.Comparison.Outcome;
import org.inferometer.record.CellFigure;
import org.inferometer.record.Figure;
import org.inferometer.record.Metric;
import org.inferometer.units.Seed;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What paired comparisons promise, on 10,000 simulated pairs of cells with -Pendurance. What the requests of a seed do to a figure (the workload's variation)
/// is common to the two runs of the seed; each run adds its own noise. With 10,000 tries a share of 5 % has a standard error of 0.22 %, so
/// the limits of ± 1 % are 4.6 standard errors.
@Tag("endurance")
@Execution(ExecutionMode.CONCURRENT)
class PairedRunsSimulationTest {
    private static final int TRIES = Simulated.tries(10_000);
    private static final Metric THROUGHPUT = Metrics.OUTPUT_THROUGHPUT;
    /// Gives a mean half-width near 2 % with five pairs: t(0.975, 4) · 0.0114 · √2 / √5.
    private static final double RUN_NOISE = 0.0114;

    /// Runs of one cell: the workload's factor of each seed times the noise of each run.
    private static CellFigure cell(RandomGenerator random, double mean, double[] workload, DoubleUnaryOperator drift) {
        List<List<Figure>> runs = new ArrayList<>();
        for (int run = 0; run < workload.length; run++) {
            double value = mean * workload[run] * (1 + RUN_NOISE * random.nextGaussian()) * drift.applyAsDouble(run);
            runs.add(List.of(new Figure(THROUGHPUT, value, 100, true)));
        }
        return CellFigures.of(runs, LongStream.range(0, workload.length).boxed().toList()).getFirst();
    }

    private static double[] workload(RandomGenerator random, int runs, double variation) {
        return IntStream.range(0, runs).mapToDouble(run -> Math.exp(variation * random.nextGaussian())).toArray();
    }

    private static Comparison compare(RandomGenerator random, int runs, double variation, double ratio) {
        double[] workload = workload(random, runs, variation);
        return Comparisons.between(cell(random, 500, workload, run -> 1),
                cell(random, 500 * ratio, workload, run -> 1));
    }

    @ParameterizedTest
    @CsvSource({"0, 3", "0.05, 3", "0.14, 3", "0, 5", "0.05, 5", "0.14, 5"})
    void equalSidesDifferInFivePercent(double variation, int runs) {
        Seed seed = new Seed(91).part("equal" + variation + runs);
        double differ = IntStream.range(0, TRIES).filter(i -> compare(seed.part(i).generator(), runs, variation, 1)
                .outcome() != Outcome.NO_DETECTABLE_DIFFERENCE).count() / (double) TRIES;
        assertThat(differ).isCloseTo(0.05, Simulated.within(0.01));
    }

    @ParameterizedTest
    @CsvSource({"0, 0.2", "0.05, 0.2", "0.14, 0.2", "0.14, 0.5", "0.14, 1", "0.14, 2", "0, 5", "0.05, 5", "0.14, 5"})
    void intervalCoversTheRatioIn95Percent(double variation, double ratio) {
        Seed seed = new Seed(92).part("covers" + variation + ratio);
        int covered = 0;
        for (int i = 0; i < TRIES; i++) {
            Comparison comparison = compare(seed.part(i).generator(), 5, variation, ratio);
            Comparison.ShareRange interval = comparison.changeInterval().orElseThrow();
            covered += interval.low() <= ratio - 1 && ratio - 1 <= interval.high() ? 1 : 0;
            assertThat(interval.low()).isGreaterThan(-1);
        }
        assertThat(covered / (double) TRIES).isCloseTo(0.95, Simulated.within(0.01));
    }

    /// Two samples of a workload that varies by 14 % have an interval ten times as wide as their pairs.
    @Test
    void pairsAreTenTimesNarrowerThanSamples() {
        Seed seed = new Seed(93);
        double paired = 0;
        double samples = 0;
        for (int i = 0; i < TRIES; i++) {
            Comparison comparison = compare(seed.part(i).generator(), 5, 0.14, 1);
            paired += halfWidth(comparison);
            samples += halfWidth(Comparisons.between(comparison.base().withSeeds(List.of()),
                    comparison.candidate().withSeeds(List.of())));
        }
        assertThat(paired / TRIES).isBetween(0.017, 0.021);
        assertThat(samples / TRIES).isBetween(0.18, 0.23);
    }

    private static double halfWidth(Comparison comparison) {
        Comparison.ShareRange interval = comparison.changeInterval().orElseThrow();
        return (interval.high() - interval.low()) / 2;
    }

    /// A loss of 10 % with a margin of 5 %.
    @ParameterizedTest
    @ValueSource(doubles = {0, 0.05, 0.14})
    void gateFindsALossOfTenPercent(double variation) {
        Seed seed = new Seed(94).part("gate" + variation);
        Margin margin = Margin.parse("output_throughput=5%");
        double found = IntStream.range(0, TRIES).filter(i -> {
            RandomGenerator random = seed.part(i).generator();
            double[] workload = workload(random, 5, variation);
            return margin.check(cell(random, 500, workload, run -> 1), cell(random, 450, workload, run -> 1))
                    .outcome() == MarginCheck.Outcome.REGRESSION;
        }).count() / (double) TRIES;
        assertThat(found).isGreaterThan(0.99);
    }

    /// An experiment prints a smallest detectable difference; the next experiment of this design has that difference. With
    /// 5,000 tries the limits are 5 standard errors.
    @ParameterizedTest
    @CsvSource({"true, 3", "true, 5", "true, 10", "false, 2", "false, 3", "false, 5", "false, 10"})
    void printedDetectableIsFoundInFourOfFive(boolean paired, int runs) {
        Seed seed = new Seed(95).part("detectable" + paired + runs);
        double found = IntStream.range(0, TRIES / 2).filter(i -> {
            RandomGenerator random = seed.part(i).generator();
            double printed = compared(random, runs, 1, paired).relativeSmallestDetectable().orElseThrow();
            return compared(random, runs, 1 + printed, paired).outcome() == Outcome.FASTER;
        }).count() / (TRIES / 2.0);
        assertThat(found).isCloseTo(0.8, Simulated.within(0.03));
    }

    private static Comparison compared(RandomGenerator random, int runs, double ratio, boolean paired) {
        Comparison comparison = compare(random, runs, 0, ratio);
        return paired ? comparison : Comparisons.between(comparison.base().withSeeds(List.of()),
                comparison.candidate().withSeeds(List.of()));
    }

    /// Throughput falls by 30 % over ten runs in the order A B B A A B B A A B. Between samples the drift is noise; a pair sees one step of it.
    @Test
    void driftOverRunsLeavesThePowerOfPairs() {
        Seed seed = new Seed(96);
        int steady = 0;
        int drifting = 0;
        int samples = 0;
        int alarms = 0;
        for (int i = 0; i < TRIES; i++) {
            RandomGenerator random = seed.part(i).generator();
            steady += found(random, 0.9, 0, true) ? 1 : 0;
            drifting += found(random, 0.9, -0.3 / 9, true) ? 1 : 0;
            samples += found(random, 0.9, -0.3 / 9, false) ? 1 : 0;
            alarms += found(random, 1, -0.3 / 9, true) ? 1 : 0;
        }
        assertThat(steady / (double) TRIES).isGreaterThan(0.99);
        assertThat(drifting / (double) TRIES).isGreaterThan(0.9);
        assertThat(samples / (double) TRIES).isLessThan(0.3);
        assertThat(alarms / (double) TRIES).isLessThan(0.05 + Simulated.within(0.01).value);
    }

    private static boolean found(RandomGenerator random, double ratio, double perRun, boolean paired) {
        double[] workload = workload(random, 5, 0);
        CellFigure base = cell(random, 500, workload, run -> 1 + perRun * (2 * run + (run % 2 == 0 ? 0 : 1)));
        CellFigure candidate =
                cell(random, 500 * ratio, workload, run -> 1 + perRun * (2 * run + (run % 2 == 0 ? 1 : 0)));
        return Comparisons
                .between(paired ? base : base.withSeeds(List.of()), paired ? candidate : candidate.withSeeds(List.of()))
                .outcome() != Outcome.NO_DETECTABLE_DIFFERENCE;
    }
}
