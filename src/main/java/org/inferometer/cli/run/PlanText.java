package org.inferometer.cli.run;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.inferometer.experiment.EngineLimits;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.Subject;
import org.inferometer.options.Selection;
import org.inferometer.report.AlignedColumns;
import org.inferometer.run.BenchmarkService.Estimate;
import org.inferometer.run.SchedulerLanes;
import org.inferometer.units.QuantityText;
import org.inferometer.workload.WorkloadSpec;

/// The plan of an experiment as text: cells, runs, lanes and memory.
final class PlanText {
    private PlanText() {}

    /// Ends with a line feed.
    ///
    /// @param lanes of each scheduler; empty if unknown
    /// @param warnings what makes its runs slow
    static String of(ExperimentSpec spec, Estimate estimate, List<SchedulerLanes> lanes, List<String> warnings,
            int columns) {
        List<String> sentences = new ArrayList<>();
        if (spec.cells().size() > 1) {
            sentences.add(count(spec.cells().size(), "cell") + " (" + factors(spec) + "), " + runs(spec) + " each.");
        }
        sentences.add(spec.search() ? "Search for the highest load that meets " + spec.goal().objective()
                + ". Each run goes where it tells most; then lower loads are repeated until one is shown to be served. Ctrl+C stops and keeps the measurements."
                : spec.until() != null ? until(spec) + " Ctrl+C stops and keeps the measurements."
                : count(estimate.runs(), "run") + ", " + measured(spec.workloads(), estimate)
                        + ". Ctrl+C stops and keeps the measurements.");
        sentences.addAll(estimate.traces());
        if (!lanes.isEmpty()) {
            sentences.add("Lanes: " + lanes(lanes) + ".");
        }
        // Another machine tells its memory only when the experiment starts.
        if (!spec.engines().isEmpty() && estimate.weightBytes() > 0) {
            sentences.add("Weights " + QuantityText.bytes(estimate.weightBytes()) + ", KV pool "
                    + QuantityText.bytes(estimate.kvBytes()) + memory(spec, estimate.memoryBytes()) + ".");
        }
        warnings.forEach(warning -> sentences.add("Warning: " + warning));
        return rendered(sentences, columns);
    }

    /// ", machine memory 23.5 GiB"; empty if unknown.
    private static String memory(ExperimentSpec spec, long bytes) {
        long host = spec.backends().stream().filter(backend -> backend.name().equals(Subject.HOST.name())).count();
        String whose = host == spec.backends().size() ? "machine memory" : host == 0 ? "GPU memory"
                : "memory of machine or GPU, the larger,";
        return bytes == 0 ? "" : ", " + whose + " " + QuantityText.bytes(bytes);
    }

    /// "tiny x naive, continuous x short"; with targets beside engines "(tiny x naive beside http:url=...) x short".
    private static String factors(ExperimentSpec spec) {
        String engines = spec.engines().isEmpty() ? ""
                : product(List.of(spec.engines(), texts(spec.schedulers()), several(texts(spec.backends())),
                        several(spec.engineLimits().stream().map(EngineLimits::text).toList())));
        String targets = String.join(", ", texts(spec.targets()));
        String subjects =
                engines.isEmpty() || targets.isEmpty() ? engines + targets : "(" + engines + " beside " + targets + ")";
        return product(List.of(List.of(subjects), spec.workloads().stream().map(WorkloadSpec::name).toList()));
    }

    private static List<String> several(List<String> values) {
        return values.size() > 1 ? values : List.of();
    }

    private static String product(List<List<String>> factors) {
        return factors.stream().filter(factor -> !factor.isEmpty()).map(factor -> String.join(", ", factor))
                .collect(Collectors.joining(" x "));
    }

    private static String runs(ExperimentSpec spec) {
        return spec.until() == null ? count(spec.runs(), "run")
                : spec.looks().getFirst() + " to " + spec.looks().getLast() + " runs";
    }

    /// "3 to 30 runs a cell, until output_throughput is within ±2%; looked at after 3, 5, 8, 12, 18 30."
    private static String until(ExperimentSpec spec) {
        List<String> looks = spec.looks().stream().map(String::valueOf).toList();
        return runs(spec) + " a cell, until " + Objects.requireNonNull(spec.until()).clause() + "; looked at after "
                + String.join(", ", looks) + ".";
    }

    private static List<String> texts(List<Selection> selections) {
        return selections.stream().map(Selection::toString).toList();
    }

    /// The number of requests of all runs, or what ends each run.
    private static String measured(List<WorkloadSpec> loads, Estimate estimate) {
        return loads.stream().allMatch(load -> load.requests() > 0) ? estimate.requests() + " measured requests"
                : "each " + loads.stream().map(WorkloadSpec::sizeText).distinct().collect(Collectors.joining(" or "));
    }

    private static String rendered(List<String> sentences, int columns) {
        return sentences.stream().map(sentence -> AlignedColumns.paragraph(sentence, "", columns))
                .collect(Collectors.joining());
    }

    /// Schedulers with the same lanes are named together.
    private static String lanes(List<SchedulerLanes> lanes) {
        Map<String, List<String>> schedulers = new LinkedHashMap<>();
        lanes.forEach(each -> schedulers.computeIfAbsent(each.describe(), words -> new ArrayList<>())
                .add(each.scheduler().toString()));
        return schedulers.size() == 1 ? schedulers.keySet().iterator().next()
                : schedulers.entrySet().stream()
                        .map(entry -> String.join(", ", entry.getValue()) + " on " + entry.getKey())
                        .collect(Collectors.joining("; "));
    }

    private static String count(int count, String noun) {
        return count + " " + noun + (count == 1 ? "" : "s");
    }
}
