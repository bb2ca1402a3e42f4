package org.inferometer.experiment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.inferometer.experiment.LoadSweep.Measure;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.WorkloadSpec;

/// Workloads as a product: shapes × numbers of requests × strengths of load.
///
/// @param bases the shapes, without count and strength in their names
/// @param counts measured requests of a run, in the order of the workloads
/// @param sweep more than one strength; empty where each shape has its own arrivals
public record LoadGrid(List<WorkloadSpec> bases, List<Integer> counts, Optional<LoadSweep> sweep) {
    /// The grid that these workloads are; empty where they are something else.
    public static Optional<LoadGrid> of(List<WorkloadSpec> loads) {
        if (loads.isEmpty()) {
            return Optional.empty();
        }
        Optional<LoadSweep> sweep = sweep(loads.stream().map(WorkloadSpec::arrivals).distinct().toList());
        // A higher strength may have more requests than the lowest, which comes first.
        int strengths = sweep.map(rising -> rising.values().size()).orElse(1);
        List<Integer> own =
                IntStream.range(0, loads.size()).mapToObj(i -> loads.get(i - i % strengths).requests()).toList();
        List<Integer> counts = own.stream().distinct().toList();
        Set<WorkloadSpec> bases = new LinkedHashSet<>();
        for (int i = 0; i < loads.size(); i++) {
            WorkloadSpec load = loads.get(i);
            String name = without(load.name(), sweep.map(rising -> rising.suffix(load.arrivals())).orElse(""));
            bases.add(load.withName(counts.size() > 1 ? without(name, "-" + own.get(i)) : name)
                    .withRequests(counts.getFirst())
                    .withArrivals(sweep.isPresent() ? loads.getFirst().arrivals() : load.arrivals()));
        }
        LoadGrid grid = new LoadGrid(List.copyOf(bases), counts, sweep);
        return grid.specs().equals(loads) ? Optional.of(grid) : Optional.empty();
    }

    /// The workloads: of each shape all numbers of requests, and of each of these all strengths.
    public List<WorkloadSpec> specs() {
        List<WorkloadSpec> counted = counted(bases, counts);
        return sweep.map(rising -> rising.over(counted)).orElse(counted);
    }

    /// Gives workloads numbers of requests: one replaces their own, several make a workload each, none leaves them.
    ///
    /// Workloads that differ in their number of requests alone become one shape first.
    public static List<WorkloadSpec> counted(List<WorkloadSpec> workloads, List<Integer> counts) {
        if (counts.isEmpty()) {
            return workloads;
        }
        Map<WorkloadSpec, List<WorkloadSpec>> shapes = new LinkedHashMap<>();
        workloads.forEach(workload -> shapes
                .computeIfAbsent(workload.withName("").withRequests(0), shape -> new ArrayList<>()).add(workload));
        List<WorkloadSpec> counted = new ArrayList<>();
        for (List<WorkloadSpec> alike : shapes.values()) {
            WorkloadSpec first = alike.getFirst();
            String name = without(first.name(), "-" + first.requests());
            boolean named = alike.size() > 1 || counts.size() > 1 || !name.equals(first.name());
            counts.forEach(count -> counted
                    .add(first.withRequests(count).withName(named ? name + "-" + count : first.name())));
        }
        return counted;
    }

    private static Optional<LoadSweep> sweep(List<ArrivalProcess> arrivals) {
        Measure measure = arrivals.getFirst() instanceof ArrivalProcess.ClosedLoop ? Measure.CONCURRENCY : Measure.RATE;
        List<Double> values = arrivals.stream().flatMap(each -> measure.of(each).stream().boxed()).toList();
        boolean ascending = values.stream().sorted().distinct().toList().equals(values);
        return ascending && values.size() == arrivals.size() && values.size() > 1
                ? Optional.of(new LoadSweep(measure, values)) : Optional.empty();
    }

    private static String without(String name, String ending) {
        return name.endsWith(ending) && name.length() > ending.length()
                ? name.substring(0, name.length() - ending.length()) : name;
    }
}
