package org.inferometer.measurement.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import org.inferometer.measurement.Metrics;
import org.inferometer.measurement.comparison.Comparison.Outcome;
import org.inferometer.measurement.statistics.Holm;
import org.inferometer.measurement.statistics.MeanDifference;
import org.inferometer.measurement.statistics.Moments;
import org.inferometer.measurement.statistics.TestPower;
import org.inferometer.record.CellFigure;
import org.inferometer.record.Metric;
import org.junit.jupiter.api.Test;

class ComparisonsTest {
    private static final Metric LATENCY = Metrics.TTFT.mean();
    private static final Metric THROUGHPUT = Metrics.OUTPUT_THROUGHPUT;
    private static final Metric MEMORY = Metrics.MEMORY_PEAK_TOTAL;

    private static CellFigure cell(Metric metric, double... runs) {
        List<Double> values = Arrays.stream(runs).boxed().toList();
        Double half = Moments.of(values).halfWidth().orElse(null);
        return new CellFigure(metric, Arrays.stream(runs).average().orElseThrow(), half, values, 100,
                100 / values.size(), true);
    }

    /// Student's sleep data (1908) as in R's t.test(extra ~ group): t = -1.8608, df = 17.776, p = 0.07939, interval -3.3654832 to 0.2054832.
    @Test
    void welchAgreesWithAPublishedExample() {
        List<Double> first = List.of(0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0);
        List<Double> second = List.of(1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4);
        MeanDifference difference = MeanDifference.ofSamples(first, second).orElseThrow();
        assertThat(difference.difference()).isCloseTo(1.58, within(1e-12));
        assertThat(difference.difference() / difference.standardError()).isCloseTo(1.8608, within(5e-5));
        assertThat(difference.degreesOfFreedom()).isCloseTo(17.776, within(5e-4));
        assertThat(difference.pValue()).isCloseTo(0.07939, within(5e-6));
        assertThat(difference.difference() + difference.halfWidth(0.95)).isCloseTo(3.3654832, within(5e-7));
    }

    /// The same data as pairs, as in R's t.test(extra ~ group, paired = TRUE): t = -4.0621, df = 9, p = 0.002833, interval -2.4598858 to
    /// -0.7001142.
    @Test
    void pairsAgreeWithAPublishedExample() {
        List<Double> first = List.of(0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0);
        List<Double> second = List.of(1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4);
        MeanDifference difference = MeanDifference.ofPairs(first, second);
        assertThat(difference.difference()).isCloseTo(1.58, within(1e-12));
        assertThat(difference.difference() / difference.standardError()).isCloseTo(4.0621, within(5e-5));
        assertThat(difference.degreesOfFreedom()).isCloseTo(9, within(1e-9));
        assertThat(difference.pValue()).isCloseTo(0.002833, within(5e-7));
        assertThat(difference.difference() + difference.halfWidth(0.95)).isCloseTo(2.4598858, within(5e-7));
    }

    /// R: pwr.t.test(n = 34, d = 0.5, type = "paired") has power 0.8077775; pwr.t.test(n = 64, d = 0.5) has 0.8014596.
    @Test
    void powerAgreesWithPublishedExamples() {
        assertThat(TestPower.power(0.5 * Math.sqrt(34), 33, 0.05)).isCloseTo(0.8078, within(0.001));
        assertThat(TestPower.power(0.5 * Math.sqrt(32), 126, 0.05)).isCloseTo(0.8015, within(0.001));
    }

    /// R: power.t.test(delta = log(1.02), sd = 0.02, type = "paired", power = 0.8) needs 10.07 pairs.
    @Test
    void neededRunsAgreeWithAPublishedFormula() {
        double step = 0.02;
        CellFigure base = cell(THROUGHPUT, 100, 100, 100).withSeeds(List.of(1L, 2L, 3L));
        CellFigure candidate =
                cell(THROUGHPUT, 100 * Math.exp(-step), 100, 100 * Math.exp(step)).withSeeds(List.of(1L, 2L, 3L));
        Comparison comparison = Comparisons.between(base, candidate);
        assertThat(comparison.runsToFind(0.02).orElseThrow()).isBetween(10, 11);
        assertThat(comparison.runsToFind(0.5)).hasValue(3);
        assertThat(comparison.runsToFind(0.0001)).isEmpty();
        CellFigure shares = cell(Metrics.BATCH_EFFICIENCY, 0.5, 0.6, 0.7);
        assertThat(Comparisons.between(shares, shares).runsToFind(0.1)).isEmpty();
    }

    @Test
    void sharedSeedsArePairedAndOthersLeftOut() {
        CellFigure base = cell(THROUGHPUT, 100, 130, 70, 90).withSeeds(List.of(1L, 2L, 3L, 4L));
        CellFigure candidate = cell(THROUGHPUT, 77.7, 111.1, 143.0, 500).withSeeds(List.of(3L, 1L, 2L, 9L));
        Comparison comparison = Comparisons.between(base, candidate);
        assertThat(comparison.pairing()).isEqualTo(new Comparison.Pairing(3, 2, false, 1));
        assertThat(comparison.pairing().text())
                .isEqualTo("Paired by seed (3 pairs; 2 runs without a partner left out).");
        assertThat(comparison.outcome()).isEqualTo(Outcome.FASTER);
        assertThat(comparison.change().orElseThrow()).isCloseTo(0.1070, within(1e-4));
        Comparison apart = Comparisons.between(base, candidate.withSeeds(List.of(1L, 2L, 8L, 9L)));
        assertThat(apart.pairing().text()).isEqualTo("Not paired: fewer than 3 shared seeds (Welch's interval).");
    }

    @Test
    void sharesAreComparedByDifferenceAndStayPossible() {
        Comparison comparison = Comparisons.between(cell(Metrics.RECOMPUTED_TOKENS, 10, 20, 0, 10),
                cell(Metrics.RECOMPUTED_TOKENS, 0, 0, 0, 4));
        assertThat(comparison.change().orElseThrow()).isCloseTo(-0.9, within(1e-12));
        assertThat(comparison.changeInterval().orElseThrow().low()).isEqualTo(-1);
    }

    @Test
    void lowerLatencyIsFasterAndAnImprovement() {
        Comparison comparison = Comparisons.between(cell(LATENCY, 100, 101, 99), cell(LATENCY, 80, 80.8, 79.2));
        assertThat(comparison.outcome()).isEqualTo(Outcome.FASTER);
        assertThat(comparison.outcomeText()).isEqualTo("faster");
        assertThat(comparison.change()).hasValueSatisfying(change -> assertThat(change).isCloseTo(-0.2, within(1e-12)));
        assertThat(comparison.improvement())
                .hasValueSatisfying(better -> assertThat(better).isCloseTo(0.2, within(1e-12)));
        assertThat(Comparisons.between(cell(LATENCY, 80, 80.8, 79.2), cell(LATENCY, 100, 101, 99)).outcome())
                .isEqualTo(Outcome.SLOWER);
    }

    @Test
    void higherThroughputIsFasterAndAnImprovement() {
        Comparison comparison =
                Comparisons.between(cell(THROUGHPUT, 100, 101, 99), cell(THROUGHPUT, 120, 121.2, 118.8));
        assertThat(comparison.outcome()).isEqualTo(Outcome.FASTER);
        assertThat(comparison.improvement())
                .hasValueSatisfying(better -> assertThat(better).isCloseTo(0.2, within(1e-12)));
        assertThat(Comparisons.between(cell(THROUGHPUT, 120, 121.2, 118.8), cell(THROUGHPUT, 100, 101, 99)).outcome())
                .isEqualTo(Outcome.SLOWER);
    }

    @Test
    void moreMemoryIsAnOverheadAndWorse() {
        Comparison comparison = Comparisons.between(cell(MEMORY, 100, 101, 99), cell(MEMORY, 120, 121.2, 118.8));
        assertThat(comparison.change())
                .hasValueSatisfying(overhead -> assertThat(overhead).isCloseTo(0.2, within(1e-12)));
        assertThat(comparison.improvement())
                .hasValueSatisfying(better -> assertThat(better).isCloseTo(-0.2, within(1e-12)));
        assertThat(comparison.outcomeText()).isEqualTo("more");
    }

    @Test
    void differenceWithinTheSpreadIsNotDetectable() {
        Comparison comparison = Comparisons.between(cell(LATENCY, 100, 110, 90), cell(LATENCY, 101, 111, 92));
        assertThat(comparison.outcome()).isEqualTo(Outcome.NO_DETECTABLE_DIFFERENCE);
        assertThat(comparison.relativeSmallestDetectable())
                .hasValueSatisfying(share -> assertThat(share).isBetween(0.40, 0.50));
        assertThat(comparison.changeInterval())
                .hasValueSatisfying(interval -> assertThat(interval.high() - interval.low()).isBetween(0.36, 0.50));
    }

    @Test
    void oneRunOnASideIsTooFew() {
        Comparison comparison = Comparisons.between(cell(LATENCY, 100), cell(LATENCY, 50, 51, 52.02));
        assertThat(comparison.outcome()).isEqualTo(Outcome.TOO_FEW_RUNS);
        assertThat(comparison.testResult()).isEmpty();
        assertThat(comparison.change())
                .hasValueSatisfying(change -> assertThat(change).isCloseTo(-0.49, within(1e-12)));
    }

    @Test
    void figuresThatNeverVaryAreComparedExactly() {
        Metric efficiency = Metrics.BATCH_EFFICIENCY;
        assertThat(Comparisons.between(cell(efficiency, 0.5, 0.5), cell(efficiency, 0.5, 0.5)).outcome())
                .isEqualTo(Outcome.NO_DETECTABLE_DIFFERENCE);
        assertThat(Comparisons.between(cell(efficiency, 0.5, 0.5), cell(efficiency, 0.6, 0.6)))
                .satisfies(better -> assertThat(better.outcome()).isEqualTo(Outcome.FASTER))
                .satisfies(better -> assertThat(better.outcomeText()).isEqualTo("better"));
    }

    @Test
    void baseOfZeroHasNoRelativeChange() {
        assertThat(Comparisons.between(cell(MEMORY, 0, 0), cell(MEMORY, 5, 6)).change()).isEmpty();
    }

    @Test
    void incomparableMetricsAreRefused() {
        CellFigure window = cell(Metrics.WINDOW, 1, 2);
        assertThatThrownBy(() -> Comparisons.between(window, window)).hasMessageContaining("no better direction");
        assertThatThrownBy(() -> Comparisons.between(cell(LATENCY, 1, 2), cell(MEMORY, 1, 2)))
                .hasMessageContaining("Memory peak");
    }

    /// The fifteen p-values of Neuhaus et al. (1992) as printed by Benjamini and Hochberg (1995), J. R. Statist. Soc. B 57, section 4.1:
    /// procedures that control the error over the family reject the first three. 15·0.0001, 14·0.0004, 13·0.0019, 12·0.0095, ...
    @Test
    void holmRejectsThreeOfThePublishedFifteen() {
        double[] corrected = Holm.corrected(new double[]{0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
                0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0});
        assertThat(Arrays.copyOf(corrected, 6))
                .containsExactly(new double[]{0.0015, 0.0056, 0.0247, 0.1140, 0.2211, 0.2780}, within(1e-12));
        assertThat(corrected[14]).isEqualTo(1);
        assertThat(Arrays.stream(corrected).filter(p -> p <= 0.05)).hasSize(3);
    }

    /// R: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm") is 0.03 0.06 0.06 0.02.
    @Test
    void holmAgreesWithAKnownExample() {
        assertThat(Holm.corrected(new double[]{0.01, 0.04, 0.03, 0.005}))
                .containsExactly(new double[]{0.03, 0.06, 0.06, 0.02}, within(1e-15));
        assertThat(Holm.corrected(new double[]{0.9, 0.8})).containsExactly(1, 1);
        assertThat(Holm.corrected(new double[0])).isEmpty();
    }

    /// Six schedulers: five candidates against the baseline are one family, whatever their order.
    @Test
    void fiveCandidatesAreJudgedTogether() {
        CellFigure base = cell(THROUGHPUT, 100, 102, 98);
        List<CellFigure> candidates = List.of(cell(THROUGHPUT, 200, 203, 197), cell(THROUGHPUT, 101, 103, 99),
                cell(THROUGHPUT, 150, 152, 148), cell(THROUGHPUT, 60, 61, 59), cell(THROUGHPUT, 104.5, 105.5, 104));
        List<Comparison> together = Comparisons.against(base, candidates);
        assertThat(together).extracting(Comparison::outcome).containsExactly(Outcome.FASTER,
                Outcome.NO_DETECTABLE_DIFFERENCE, Outcome.FASTER, Outcome.SLOWER, Outcome.NO_DETECTABLE_DIFFERENCE);
        assertThat(together).allSatisfy(comparison -> assertThat(comparison.family()).isEqualTo(5));
        assertThat(Comparisons.between(base, candidates.getLast()).outcome()).isEqualTo(Outcome.FASTER);
        double[] raw = candidates.stream()
                .mapToDouble(candidate -> Comparisons.between(base, candidate).testResult().orElseThrow().pValue())
                .toArray();
        assertThat(
                together.stream().mapToDouble(comparison -> comparison.testResult().orElseThrow().pValue()).toArray())
                .containsExactly(Holm.corrected(raw));
        assertThat(Comparisons.against(base, candidates.reversed()).reversed()).isEqualTo(together);
    }

    @Test
    void holmRaisesTheBarForManyCandidates() {
        CellFigure base = cell(LATENCY, 100, 102, 98, 101);
        CellFigure slightlyFaster = cell(LATENCY, 96, 98, 94, 97);
        CellFigure same = cell(LATENCY, 99, 101, 98, 102);
        Comparison alone = Comparisons.between(base, slightlyFaster);
        List<Comparison> among = Comparisons.against(base, List.of(same, slightlyFaster, same, cell(LATENCY, 7), same));
        assertThat(alone.outcome()).isEqualTo(Outcome.FASTER);
        assertThat(alone.family()).isEqualTo(1);
        assertThat(among).extracting(Comparison::outcome).containsExactly(Outcome.NO_DETECTABLE_DIFFERENCE,
                Outcome.NO_DETECTABLE_DIFFERENCE, Outcome.NO_DETECTABLE_DIFFERENCE, Outcome.TOO_FEW_RUNS,
                Outcome.NO_DETECTABLE_DIFFERENCE);
        assertThat(among.get(1).family()).isEqualTo(4);
        assertThat(among.get(1).candidate()).isEqualTo(slightlyFaster);
        assertThat(among.get(1).relativeSmallestDetectable().orElseThrow())
                .isGreaterThan(alone.relativeSmallestDetectable().orElseThrow());
    }
}
