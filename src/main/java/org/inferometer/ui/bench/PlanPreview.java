package org.inferometer.ui.bench;

import static org.inferometer.ui.fx.Texts.text;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.inferometer.benchmark.BenchmarkService;
import org.inferometer.benchmark.ExperimentSpec;
import org.inferometer.benchmark.PlanFault;
import org.inferometer.benchmark.SchedulerLanes;
import org.inferometer.units.QuantityText;

/// What the designer says of an experiment before it runs; worked out in the background.
///
/// @param estimate runs, requests and memory, or what keeps it from running
/// @param lanes "2 lanes of 1 thread each: parallel", one line for each kind; empty where it cannot run
record PlanPreview(String estimate, String lanes) {
    static PlanPreview of(BenchmarkService benchmarks, ExperimentSpec spec, EarlierRuns earlier) {
        List<PlanFault> faults = benchmarks.check(spec);
        if (!faults.isEmpty()) {
            return new PlanPreview(text("designer.cannot-run", faults.stream().map(PlanFault::toString).collect(Collectors.joining("\n"))), "");
        }
        BenchmarkService.Estimate answer = benchmarks.estimate(spec);
        String runs = spec.search() ? searched(spec) : "";
        String time = earlier.time(spec).map(taken -> " " + text("designer.estimate-time", QuantityText.minutesSeconds(taken.toNanos() / 1e9)))
                .orElseGet(() -> spec.search() ? "" : " " + text("designer.estimate-no-time"));
        if (spec.drivesTargets()) {
            return new PlanPreview((runs.isEmpty() ? text("designer.estimate-outside", answer.runs(), answer.requests()) : runs) + time, "");
        }
        return new PlanPreview(
                text("designer.estimate", runs.isEmpty() ? text("designer.estimate-runs", answer.runs(), answer.requests()) : runs, QuantityText.bytes(answer.weightBytes()), QuantityText.bytes(answer.kvBytes()),
                        QuantityText.bytes(answer.memoryBytes())) + time,
                words(benchmarks.lanes(spec)));
    }

    /// A search halves the loads, then repeats those on either side of the border; so much can be said of it beforehand.
    private static String searched(ExperimentSpec spec) {
        int loads = spec.workloads().size();
        int candidates = spec.cells().size() / loads;
        int halvings = Integer.SIZE - Integer.numberOfLeadingZeros(loads);
        int runs = candidates * (halvings + 2 * (spec.runs() - 1));
        return text("designer.estimate-search", loads, runs, runs * spec.workloads().getFirst().requests());
    }

    private static String words(List<SchedulerLanes> lanes) {
        Map<String, List<String>> schedulersByLanes = new LinkedHashMap<>();
        lanes.forEach(each -> schedulersByLanes.computeIfAbsent(each.words(), words -> new java.util.ArrayList<>()).add(each.scheduler().toString()));
        if (schedulersByLanes.size() == 1) {
            return schedulersByLanes.keySet().iterator().next();
        }
        return schedulersByLanes.entrySet().stream()
                .map(entry -> text("designer.lanes", entry.getKey(), String.join(", ", entry.getValue())))
                .collect(Collectors.joining("\n"));
    }
}
