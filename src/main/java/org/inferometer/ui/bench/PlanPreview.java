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
    static PlanPreview of(BenchmarkService benchmarks, ExperimentSpec spec) {
        List<PlanFault> faults = benchmarks.check(spec);
        if (!faults.isEmpty()) {
            return new PlanPreview(text("designer.cannot-run", faults.stream().map(PlanFault::toString).collect(Collectors.joining("\n"))), "");
        }
        BenchmarkService.Estimate answer = benchmarks.estimate(spec);
        if (spec.drivesTargets()) {
            return new PlanPreview(text("designer.estimate-outside", answer.runs(), answer.requests()), "");
        }
        return new PlanPreview(
                text("designer.estimate", answer.runs(), answer.requests(), QuantityText.bytes(answer.weightBytes()), QuantityText.bytes(answer.kvBytes()),
                        QuantityText.bytes(answer.memoryBytes())),
                words(benchmarks.lanes(spec)));
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
