package org.inferometer.ui.designer;

import static org.inferometer.ui.fx.Messages.counted;
import static org.inferometer.ui.fx.Messages.text;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.PlanFault;
import org.inferometer.run.BenchmarkService;
import org.inferometer.run.SchedulerLanes;
import org.inferometer.run.SearchRuns;
import org.inferometer.units.QuantityText;
import org.inferometer.workload.WorkloadSpec;

/// What an experiment will take. Computed in the background.
///
/// @param estimate runs, requests, memory and time, or why it cannot run
/// @param lanes "2 lanes of 1 thread each: parallel", one line per kind; empty when it cannot run
/// @param memory of one run; absent for servers, and when it cannot run
/// @param faults why it cannot run, each with its field; empty when it can
public record PlanPreview(String estimate, String lanes, Optional<MemoryNeed> memory, List<FormFault> faults) {
    /// What the weights and the KV cache of the largest engine take.
    ///
    /// @param deviceBytes memory of the device
    public record MemoryNeed(long weightBytes, long kvBytes, long deviceBytes) {
        /// Whether they do not fit.
        public boolean over() {
            return weightBytes + kvBytes > deviceBytes;
        }
    }

    private static final int MOST_NAMED = 2;

    PlanPreview(String estimate, String lanes) {
        this(estimate, lanes, Optional.empty(), List.of());
    }

    /// Before the first one.
    static final PlanPreview EMPTY = new PlanPreview("", "");

    /// While the experiment cannot run.
    static PlanPreview faulty(List<FormFault> faults) {
        return new PlanPreview(
                text("designer.cannot-run",
                        faults.stream().map(FormFault::toString).distinct().collect(Collectors.joining("\n"))),
                "", Optional.empty(), faults);
    }

    public static PlanPreview of(BenchmarkService benchmarks, ExperimentSpec spec, RunTimeHistory earlier) {
        List<PlanFault> faults = benchmarks.check(spec);
        if (!faults.isEmpty()) {
            return faulty(faults.stream().map(FormFault::of).distinct().toList());
        }
        BenchmarkService.Estimate answer = benchmarks.estimate(spec);
        String runs = spec.search() ? searched(spec) : spec.until() != null ? added(spec) : "";
        String time = answer.traces().stream().map(trace -> " " + trace).collect(Collectors.joining()) + " "
                + earlier.time(spec).map(PlanPreview::time)
                        .or(() -> earlier.roughTime(spec)
                                .map(rough -> text("designer.estimate-rough", minutes(rough.least(), rough.most()))))
                        .orElseGet(() -> notKnown(spec, earlier.unknown(spec)))
                + benchmarks.warnings(spec).stream().map(warning -> " " + text("designer.warning", warning))
                        .collect(Collectors.joining());
        // Another machine tells its memory only when the experiment starts.
        if (spec.engines().isEmpty() || answer.memoryBytes() == 0) {
            String words = counted(spec.engines().isEmpty() ? "designer.estimate-outside" : "designer.estimate-runs",
                    answer.runs(), measured(spec, answer.requests()));
            return new PlanPreview((runs.isEmpty() ? words : runs) + time, "");
        }
        return new PlanPreview(
                text("designer.estimate", runs.isEmpty()
                        ? counted("designer.estimate-runs", answer.runs(), measured(spec, answer.requests())) : runs,
                        QuantityText.bytes(answer.weightBytes()), QuantityText.bytes(answer.kvBytes()),
                        QuantityText.bytes(answer.memoryBytes())) + time,
                lanesText(benchmarks.lanes(spec)),
                Optional.of(new MemoryNeed(answer.weightBytes(), answer.kvBytes(), answer.memoryBytes())), List.of());
    }

    private static String added(ExperimentSpec spec) {
        int cells = spec.cells().size();
        return text("designer.estimate-until", cells * spec.looks().getFirst(), cells * spec.looks().getLast(),
                Objects.requireNonNull(spec.until()).clause());
    }

    private static String searched(ExperimentSpec spec) {
        int loads = spec.workloads().size();
        int candidates = spec.cells().size() / loads;
        SearchRuns runs = new SearchRuns(loads, spec.runs());
        int requests = spec.workloads().getFirst().requests();
        return text("designer.estimate-search", loads, range(candidates * runs.fewest(), candidates * runs.most()),
                measured(spec, range(candidates * runs.fewest() * requests, candidates * runs.most() * requests)));
    }

    /// The requests of all runs, or the length of runs that end by time or with a file.
    private static String measured(ExperimentSpec spec, Object requests) {
        return spec.workloads().stream().allMatch(load -> load.requests() > 0)
                ? text("designer.estimate-requests", requests) : text("designer.estimate-each", spec.workloads()
                        .stream().map(WorkloadSpec::sizeText).distinct().collect(Collectors.joining(" or ")));
    }

    private static String range(int least, int most) {
        return least == most ? Integer.toString(least) : text("designer.range", least, most);
    }

    /// From which runs on it will be known.
    private static String notKnown(ExperimentSpec spec, List<Cell> unknown) {
        if (spec.search()) {
            return text("designer.estimate-no-search-time");
        }
        List<String> first = unknown.stream().map(cell -> spec.label(cell)).distinct().toList();
        return text("designer.estimate-no-time",
                first.size() > MOST_NAMED ? text("designer.estimate-each-of", first.size()) : String.join(", ", first));
    }

    private static String time(RunTimeHistory.RequestSpan span) {
        return text(span.least().equals(span.most()) ? "designer.estimate-time" : "designer.estimate-times",
                minutes(span.least(), span.most()));
    }

    /// "01:20", or "01:20 to 03:00".
    private static String minutes(Duration least, Duration most) {
        String from = QuantityText.minutesSeconds(least.toNanos() / 1e9);
        String to = QuantityText.minutesSeconds(most.toNanos() / 1e9);
        return from.equals(to) ? to : text("designer.range-time", from, to);
    }

    private static String lanesText(List<SchedulerLanes> lanes) {
        Map<String, List<String>> schedulersByLanes = new LinkedHashMap<>();
        lanes.forEach(each -> schedulersByLanes.computeIfAbsent(each.describe(), words -> new ArrayList<>())
                .add(each.scheduler().toString()));
        if (schedulersByLanes.size() == 1) {
            return schedulersByLanes.keySet().iterator().next();
        }
        return schedulersByLanes.entrySet().stream()
                .map(entry -> text("designer.lanes", entry.getKey(), String.join(", ", entry.getValue())))
                .collect(Collectors.joining("\n"));
    }
}
