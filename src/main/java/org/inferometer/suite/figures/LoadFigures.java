package org.inferometer.suite.figures;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.Subject;
import org.inferometer.measurement.MetricFamily;
import org.inferometer.measurement.Metrics;
import org.inferometer.measurement.definitions.DefinedFigure;
import org.inferometer.measurement.definitions.Definition;
import org.inferometer.measurement.definitions.Redefinition;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.Metric;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RunRecord;
import org.inferometer.workload.WorkloadSpec;

/// The figures of one load, by the definitions of TensorRT-LLM's benchmark client, which are vLLM's.
///
/// Each is the mean over the complete runs; one that a run lacks is absent.
///
/// @param subject the engine or server with its scheduler, where the record has several; else empty
/// @param runs complete runs
/// @param ok requests that ended well, over all runs
/// @param failed other measured requests, over all runs
/// @param seconds mean length of a run
/// @param latencies by metric, in milliseconds
/// @param rates throughputs, per second
record LoadFigures(String subject, SuiteLoad load, int runs, long ok, long failed, double seconds, long promptTokens,
        long outputTokens, Map<ServingMetric, Double> latencies, Map<Metric, Double> rates) {
    private static final List<Metric> RATES =
            List.of(Metrics.REQUEST_THROUGHPUT, Metrics.OUTPUT_THROUGHPUT, Metrics.TOTAL_THROUGHPUT);
    private static final double NANOS_IN_MILLISECOND = 1e6;
    private static final Map<String, MetricFamily> FAMILIES =
            Map.of("TTFT", Metrics.TTFT, "TPOT", Metrics.TPOT, "ITL", Metrics.ITL, "E2EL", Metrics.E2E);

    /// The loads of a record that have a complete run, in the order of its cells.
    static List<LoadFigures> of(ExperimentRecord record) {
        List<LoadFigures> all = new ArrayList<>();
        boolean severalSubjects = record.manifest().spec().subjects().size() > 1;
        for (int cell = 0; cell < record.manifest().spec().cells().size(); cell++) {
            List<RunRecord> runs = record.completeRuns(cell);
            if (!runs.isEmpty()) {
                Cell measured = record.manifest().spec().cells().get(cell);
                all.add(of(severalSubjects ? subject(measured.subject()) : "", measured.workload(), runs));
            }
        }
        return all;
    }

    private static String subject(Subject subject) {
        return subject.model().map(engine -> engine + " ").orElse("") + subject.system();
    }

    private static LoadFigures of(String subject, WorkloadSpec load, List<RunRecord> runs) {
        List<Map<Metric, Double>> figures = new ArrayList<>();
        List<RequestOutcome> measured = new ArrayList<>();
        for (RunRecord run : runs) {
            Map<Metric, Double> defined = new LinkedHashMap<>();
            List<RequestOutcome> requests = run.observations().requests();
            for (DefinedFigure figure : Redefinition.of(requests, Definition.VLLM, null)) {
                figure.there().ifPresent(value -> defined.put(figure.metric(), value));
            }
            figures.add(defined);
            requests.stream().filter(request -> !request.warmUp()).forEach(measured::add);
        }
        Map<ServingMetric, Double> latencies = new LinkedHashMap<>();
        for (ServingMetric metric : ServingMetric.ALL) {
            mean(figures, ours(metric)).ifPresent(nanos -> latencies.put(metric, nanos / NANOS_IN_MILLISECOND));
        }
        Map<Metric, Double> rates = new LinkedHashMap<>();
        RATES.forEach(metric -> mean(figures, metric).ifPresent(value -> rates.put(metric, value)));
        long ok = measured.stream().filter(RequestOutcome::ok).count();
        return new LoadFigures(subject, SuiteLoad.of(load), runs.size(), ok, measured.size() - ok,
                mean(figures, Metrics.WINDOW).map(nanos -> nanos / 1e9).orElse(Double.NaN),
                sum(measured, RequestOutcome::promptTokens), sum(measured, RequestOutcome::outputTokens), latencies,
                rates);
    }

    private static Metric ours(ServingMetric metric) {
        MetricFamily family = FAMILIES.get(metric.latency());
        if (family == null) {
            throw new IllegalArgumentException("No latency " + metric.latency());
        }
        return switch (metric.statistic()) {
            case "Mean" -> family.mean();
            case "Median" -> family.p50();
            default -> family.p99();
        };
    }

    private static long sum(List<RequestOutcome> requests, ToDoubleFunction<RequestOutcome> tokens) {
        return Math.round(requests.stream().filter(RequestOutcome::ok).mapToDouble(tokens).sum());
    }

    /// Absent unless every run has it.
    private static Optional<Double> mean(List<Map<Metric, Double>> runs, Metric metric) {
        return runs.stream().allMatch(figures -> figures.containsKey(metric)) ? Optional.of(runs.stream()
                .mapToDouble(figures -> figures.getOrDefault(metric, Double.NaN)).average().orElse(Double.NaN))
                : Optional.empty();
    }
}
