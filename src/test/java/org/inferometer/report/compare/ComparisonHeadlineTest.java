package org.inferometer.report.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.inferometer.measurement.Metrics;
import org.inferometer.measurement.comparison.Comparison;
import org.inferometer.measurement.comparison.Comparisons;
import org.inferometer.record.CellFigure;
import org.inferometer.record.Metric;
import org.junit.jupiter.api.Test;

/// Figures of three paired runs; a ratio of 2 stands for a difference, of about 1 for none.
class ComparisonHeadlineTest {
    private static CellFigure figure(Metric metric, double... runs) {
        return new CellFigure(metric, Arrays.stream(runs).average().orElseThrow(), null,
                Arrays.stream(runs).boxed().toList(), 60, 20, true).withSeeds(List.of(1L, 2L, 3L));
    }

    /// The ratio is exact in every pair of runs.
    private static Comparison ratio(Metric metric, double ratio) {
        return Comparisons.between(figure(metric, 90, 100, 110), figure(metric, 90 * ratio, 100 * ratio, 110 * ratio));
    }

    private static Comparison alike(Metric metric) {
        return Comparisons.between(figure(metric, 90, 100, 110), figure(metric, 92, 99, 109));
    }

    private static String headline(Comparison... comparisons) {
        return ComparisonHeadline.of("INT4", List.of(comparisons)).toString();
    }

    @Test
    void differencesComeBeforeWhatIsAlike() {
        Comparison itl =
                Comparisons.between(figure(Metrics.ITL.p50(), 14.1, 14.2, 14.3), figure(Metrics.ITL.p50(), 10, 10, 10));
        assertThat(headline(ratio(Metrics.OUTPUT_THROUGHPUT, 1.31), alike(Metrics.TTFT.p50()),
                alike(Metrics.TTFT.p95()), itl, ratio(Metrics.MODEL_MEMORY_PEAK, 0.55)))
                .isEqualTo("INT4 decodes 1.42× faster [1.40, 1.45] and needs 0.55× the memory for weights and KV cache."
                        + " First token: no detectable difference.");
    }

    @Test
    void worseFigureNeverLeavesForABetterOne() {
        assertThat(headline(ratio(Metrics.OUTPUT_THROUGHPUT, 3), ratio(Metrics.ITL.p95(), 1.2),
                ratio(Metrics.TTFT.p50(), 0.1), ratio(Metrics.MEMORY_PEAK_TOTAL, 1.05)))
                .isEqualTo("INT4 decodes 1.20× slower (ITL P95), gives the first token 10× faster and needs 1.05× the"
                        + " memory in all.");
    }

    @Test
    void percentileThatDiffersIsNotHiddenByTheMedian() {
        assertThat(headline(alike(Metrics.TTFT.p50()), ratio(Metrics.TTFT.p95(), 1.5)))
                .isEqualTo("INT4 gives the first token 1.50× slower (TTFT P95).");
    }

    @Test
    void nothingDetectableIsOneSentence() {
        assertThat(headline(alike(Metrics.OUTPUT_THROUGHPUT), alike(Metrics.TTFT.p50())))
                .startsWith(
                        "No detectable difference in 2 metrics judged together. Output throughput: a difference of ")
                .endsWith(" % would have been found in 4 of 5 experiments.");
    }

    @Test
    void otherMetricThatDiffersIsNamed() {
        assertThat(headline(alike(Metrics.OUTPUT_THROUGHPUT), ratio(Metrics.ENERGY_PER_TOKEN, 0.5)))
                .isEqualTo("INT4 has 0.50× the energy per token. Speed: no detectable difference.");
    }

    @Test
    void baseOfZeroHasNoRatio() {
        Comparison goodput = Comparisons.between(figure(Metrics.GOODPUT, 0, 0, 0), figure(Metrics.GOODPUT, 4, 4, 4));
        assertThat(headline(goodput)).isEqualTo("INT4 is better in goodput (0.00 → 4.00 req/s).");
    }

    @Test
    void singleRunsAreNotTested() {
        Comparison one = Comparisons.between(figure(Metrics.E2E.p50(), 10), figure(Metrics.E2E.p50(), 20));
        assertThat(headline(one)).isEqualTo("Not tested: each side needs 2 runs or more.");
        assertThat(headline()).isEqualTo("Nothing to compare: no metric is on both sides.");
    }

    @Test
    void severalPairsAreCounted() {
        List<Comparison> better = List.of(ratio(Metrics.OUTPUT_THROUGHPUT, 2), alike(Metrics.TTFT.p50()));
        List<Comparison> mixed =
                List.of(ratio(Metrics.OUTPUT_THROUGHPUT, 2), ratio(Metrics.ITL.p95(), 3), alike(Metrics.TTFT.p50()));
        assertThat(ComparisonHeadline.of(List.of(better, mixed), 1)).hasToString(
                "Speed: better in 2 of 2 pairs, worse in 1. First token: no detectable difference. 1 of 3 pairs not ranked.");
    }

    /// 1,000 pairs of equal systems, 5 runs of 12 independent metrics: at most 50 are expected, and 3 standard deviations more.
    @Test
    void equalSystemsRarelyGetADifference() {
        List<Metric> metrics = List.of(Metrics.OUTPUT_THROUGHPUT, Metrics.REQUEST_THROUGHPUT, Metrics.TTFT.p50(),
                Metrics.TTFT.p95(), Metrics.ITL.p50(), Metrics.ITL.p95(), Metrics.TPOT.p50(), Metrics.E2E.p50(),
                Metrics.E2E.p95(), Metrics.E2E.mean(), Metrics.MODEL_MEMORY_PEAK, Metrics.MEMORY_PEAK_TOTAL);
        Random random = new Random(17);
        int differing = 0;
        for (int pair = 0; pair < 1_000; pair++) {
            Comparison[] comparisons =
                    metrics.stream().map(metric -> Comparisons.between(noisy(metric, random), noisy(metric, random)))
                            .toArray(Comparison[]::new);
            differing += headline(comparisons).startsWith("No detectable difference") ? 0 : 1;
        }
        assertThat(differing).isBetween(5, 70);
    }

    private static CellFigure noisy(Metric metric, Random random) {
        double[] runs = random.doubles(5).map(each -> 100 * Math.exp(0.05 * (each - 0.5))).toArray();
        return new CellFigure(metric, Arrays.stream(runs).average().orElseThrow(), null,
                Arrays.stream(runs).boxed().toList(), 500, 100, true).withSeeds(List.of(1L, 2L, 3L, 4L, 5L));
    }
}
