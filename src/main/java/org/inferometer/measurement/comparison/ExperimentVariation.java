package org.inferometer.measurement.comparison;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.inferometer.measurement.CellFigures;
import org.inferometer.measurement.Metrics;
import org.inferometer.record.CellFigure;
import org.inferometer.record.Metric;
import org.inferometer.record.SelfCheckResult;

/// How much equal experiments differ on a machine beyond what their runs show, as variances of logarithms.
///
/// Learned from equal experiments (A/A) with the same seeds: the variance component of experiments in the two-way layout experiment × seed,
/// (MS(experiments) − MS(residual)) / seeds, at least 0 (Searle, Casella and McCulloch 1992, Variance Components, chapter 4). A comparison of
/// two experiments has twice this variance in its difference.
///
/// @param deviations standard deviation of the logarithm of a figure between experiments, by the id of its metric
/// @param experiments how many were measured
public record ExperimentVariation(Map<String, Double> deviations, int experiments) {
    /// Metrics that it is learned for.
    public static final List<Metric> METRICS = List.of(Metrics.REQUEST_THROUGHPUT, Metrics.OUTPUT_THROUGHPUT,
            Metrics.TOTAL_THROUGHPUT, Metrics.TTFT.p50(), Metrics.TTFT.p95(), Metrics.SERVICE_TTFT.p50(),
            Metrics.TPOT.p50(), Metrics.ITL.p50(), Metrics.ITL.p95(), Metrics.E2E.mean(), Metrics.E2E.p50(),
            Metrics.E2E.p95(), Metrics.SERVICE_E2E.p50(), Metrics.MEMORY_PEAK_TOTAL);
    /// The fewest experiments that show it.
    public static final int LEAST_EXPERIMENTS = 3;
    /// How the ids of results of the self-check begin.
    public static final String CHECK_PREFIX = "aa_";
    private static final String EXPERIMENTS = CHECK_PREFIX + "experiments";
    private static final double PERCENT = 100;

    /// From the figures of the same cell in equal experiments. Metrics without values for the same seeds everywhere are left out.
    ///
    /// @throws IllegalArgumentException with fewer than [#LEAST_EXPERIMENTS] experiments
    public static ExperimentVariation of(List<List<CellFigure>> experiments) {
        if (experiments.size() < LEAST_EXPERIMENTS) {
            throw new IllegalArgumentException(
                    "The variation between experiments needs " + LEAST_EXPERIMENTS + " experiments or more.");
        }
        Map<String, Double> deviations = new LinkedHashMap<>();
        for (Metric metric : METRICS) {
            List<CellFigure> figures =
                    experiments.stream().flatMap(each -> CellFigures.find(each, metric).stream()).toList();
            if (figures.size() == experiments.size() && sameSeeds(figures)) {
                deviations.put(metric.id(), Math.sqrt(component(figures)));
            }
        }
        return new ExperimentVariation(deviations, experiments.size());
    }

    /// The one that a self-check learned; empty if it did not.
    public static Optional<ExperimentVariation> of(Stream<SelfCheckResult> results) {
        Map<String, Double> deviations = new LinkedHashMap<>();
        int experiments = 0;
        for (SelfCheckResult result : results.filter(each -> each.id().startsWith(CHECK_PREFIX)).toList()) {
            double value = result.value().orElse(0.0);
            if (result.id().equals(EXPERIMENTS)) {
                experiments = (int) value;
            } else if (value >= 0) {
                deviations.put(result.id().substring(CHECK_PREFIX.length()), value / PERCENT);
            }
        }
        return experiments < LEAST_EXPERIMENTS ? Optional.empty()
                : Optional.of(new ExperimentVariation(Map.copyOf(deviations), experiments));
    }

    /// As results of a self-check.
    ///
    /// @param sentence about the experiments
    public List<SelfCheckResult> results(String sentence) {
        List<SelfCheckResult> results = new ArrayList<>(
                List.of(SelfCheckResult.figure(EXPERIMENTS, "A/A experiments", experiments, "", sentence)));
        deviations.forEach((id,
                deviation) -> results.add(SelfCheckResult.figure(CHECK_PREFIX + id,
                        "A/A " + Metrics.find(id).map(Metric::label).orElse(id), deviation * PERCENT, "%",
                        "Between equal experiments, beyond their runs (standard deviation).")));
        return List.copyOf(results);
    }

    /// The variance of a metric's logarithm between experiments; empty where it was not learned.
    Optional<Double> variance(Metric metric) {
        return Optional.ofNullable(deviations.get(metric.id())).map(deviation -> deviation * deviation);
    }

    double degreesOfFreedom() {
        return experiments - 1.0;
    }

    private static boolean sameSeeds(List<CellFigure> figures) {
        List<Long> seeds = figures.getFirst().runSeeds();
        return seeds.size() > 1 && figures.stream().allMatch(
                figure -> figure.runSeeds().equals(seeds) && figure.runValues().stream().allMatch(value -> value > 0));
    }

    private static double component(List<CellFigure> figures) {
        int rows = figures.size();
        int seeds = figures.getFirst().runs();
        double[][] logs = figures.stream().map(figure -> figure.runValues().stream().mapToDouble(Math::log).toArray())
                .toArray(double[][]::new);
        double[] rowMeans = new double[rows];
        double[] seedMeans = new double[seeds];
        double mean = 0;
        for (int i = 0; i < rows; i++) {
            for (int r = 0; r < seeds; r++) {
                rowMeans[i] += logs[i][r] / seeds;
                seedMeans[r] += logs[i][r] / rows;
                mean += logs[i][r] / (rows * (double) seeds);
            }
        }
        double between = 0;
        double residual = 0;
        for (int i = 0; i < rows; i++) {
            between += seeds * (rowMeans[i] - mean) * (rowMeans[i] - mean) / (rows - 1);
            for (int r = 0; r < seeds; r++) {
                double rest = logs[i][r] - rowMeans[i] - seedMeans[r] + mean;
                residual += rest * rest / ((rows - 1.0) * (seeds - 1));
            }
        }
        return Math.max(0, (between - residual) / seeds);
    }
}
