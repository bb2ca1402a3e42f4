package org.inferometer.suite.figures;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.Subject;
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
/// @param means in the units of their metrics
record LoadFigures(String subject, SuiteLoad load, int runs, long ok, long failed, long promptTokens, long outputTokens,
        Map<Metric, Double> means) {
    private static final int WIDTH = 50;
    private static final List<Map.Entry<String, Metric>> RATES =
            List.of(Map.entry("Request throughput (req/s):", Metrics.REQUEST_THROUGHPUT),
                    Map.entry("Output token throughput (tok/s):", Metrics.OUTPUT_THROUGHPUT),
                    Map.entry("Total Token throughput (tok/s):", Metrics.TOTAL_THROUGHPUT));

    /// The loads of records that have a complete run, in the order of their cells.
    static List<LoadFigures> of(List<ExperimentRecord> records) {
        List<LoadFigures> all = new ArrayList<>();
        for (ExperimentRecord record : records) {
            List<Cell> cells = record.manifest().spec().cells();
            for (int cell = 0; cell < cells.size(); cell++) {
                List<RunRecord> runs = record.completeRuns(cell);
                if (!runs.isEmpty()) {
                    all.add(of(record.manifest().spec().subjects().size() > 1 ? name(cells.get(cell).subject()) : "",
                            cells.get(cell).workload(), runs));
                }
            }
        }
        return all;
    }

    private static String name(Subject subject) {
        return subject.model().map(engine -> engine + " ").orElse("") + subject.system();
    }

    private static LoadFigures of(String subject, WorkloadSpec load, List<RunRecord> runs) {
        List<Map<Metric, Double>> figures = new ArrayList<>();
        List<RequestOutcome> measured = new ArrayList<>();
        for (RunRecord run : runs) {
            Map<Metric, Double> defined = new LinkedHashMap<>();
            List<RequestOutcome> requests = run.observations().requests();
            for (DefinedFigure figure : Redefinition.of(requests, run.observations().setup().load(), Definition.VLLM,
                    null)) {
                figure.there().ifPresent(value -> defined.put(figure.metric(), value));
            }
            figures.add(defined);
            requests.stream().filter(request -> !request.warmUp()).forEach(measured::add);
        }
        Map<Metric, Double> means = new LinkedHashMap<>();
        figures.getFirst().keySet().stream().filter(metric -> figures.stream().allMatch(run -> run.containsKey(metric)))
                .forEach(metric -> means.put(metric, figures.stream()
                        .mapToDouble(run -> run.getOrDefault(metric, Double.NaN)).average().orElse(Double.NaN)));
        long ok = measured.stream().filter(RequestOutcome::ok).count();
        return new LoadFigures(subject, SuiteLoad.of(load), runs.size(), ok, measured.size() - ok,
                sum(measured, RequestOutcome::promptTokens), sum(measured, RequestOutcome::outputTokens), means);
    }

    private static long sum(List<RequestOutcome> requests, ToDoubleFunction<RequestOutcome> tokens) {
        return Math.round(requests.stream().filter(RequestOutcome::ok).mapToDouble(tokens).sum());
    }

    /// A figure in milliseconds or per second.
    Optional<Double> value(Metric metric) {
        return Optional.ofNullable(means.get(metric))
                .map(mean -> metric.unit() == Metric.Unit.NANOSECONDS ? mean / 1e6 : mean);
    }

    /// The report that TensorRT-LLM's benchmark client prints; [LogMetrics] reads it.
    String report() {
        StringBuilder text = new StringBuilder();
        title(text, " Serving Benchmark Result ", '=');
        row(text, "Total requests:", ok + failed);
        row(text, "Successful requests:", ok);
        row(text, "Total failed requests:", failed);
        Optional.ofNullable(means.get(Metrics.WINDOW))
                .ifPresent(nanos -> row(text, "Benchmark duration (s):", nanos / 1e9));
        row(text, "Total input tokens:", promptTokens);
        row(text, "Total generated tokens:", outputTokens);
        RATES.forEach(rate -> value(rate.getValue()).ifPresent(value -> row(text, rate.getKey(), value)));
        for (String latency : ServingMetric.LATENCIES) {
            title(text, latency, '-');
            ServingMetric.ALL.stream().filter(metric -> metric.latency().equals(latency))
                    .forEach(metric -> value(metric.ours()).ifPresent(value -> row(text, metric.label(), value)));
        }
        text.append("=".repeat(WIDTH)).append('\n');
        if (runs > 1) {
            text.append("Latencies, rates and duration are means over ").append(runs).append(" runs.\n");
        }
        return text.append("Benchmark with ").append(load.text()).append(" done\n").toString();
    }

    private static void title(StringBuilder text, String title, char line) {
        int left = (WIDTH - title.length()) / 2;
        text.append(String.valueOf(line).repeat(left)).append(title)
                .append(String.valueOf(line).repeat(WIDTH - title.length() - left)).append('\n');
    }

    private static void row(StringBuilder text, String label, Number value) {
        String shown = value instanceof Double rate ? String.format(Locale.ROOT, "%.2f", rate) : value.toString();
        text.append("%-40s %s\n".formatted(label, shown));
    }
}
