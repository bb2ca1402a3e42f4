package org.inferometer.ui.designer;

import java.util.List;
import java.util.Optional;
import org.inferometer.experiment.LoadSweep;
import org.inferometer.experiment.LoadSweep.Measure;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.WorkloadSpec;

/// The same load with one or several numbers of requests, offered at rising strength. Pure.
///
/// @param base without the endings of its name that say how many and how strong
/// @param counts measured requests of a run
/// @param sweep more than one strength
record LoadGrid(WorkloadSpec base, List<Integer> counts, LoadSweep sweep) {
    /// Recognises such a grid; empty where the loads are something else.
    static Optional<LoadGrid> of(List<WorkloadSpec> specs) {
        List<ArrivalProcess> arrivals = specs.stream().map(WorkloadSpec::arrivals).distinct().toList();
        Optional<LoadSweep> sweep = arrivals.size() > 1 ? sweep(arrivals) : Optional.empty();
        return sweep.flatMap(rising -> {
            List<Integer> counts = specs.stream().map(WorkloadSpec::requests).distinct().toList();
            WorkloadSpec first = specs.getFirst();
            String name = without(first.name(), rising.over(List.of(first.withName(""))).getFirst().name());
            LoadGrid grid = new LoadGrid(
                    first.withName(counts.size() > 1 ? without(name, "-" + first.requests()) : name), counts, rising);
            return grid.specs().equals(specs) ? Optional.of(grid) : Optional.empty();
        });
    }

    /// The loads: of each number of requests all strengths.
    List<WorkloadSpec> specs() {
        return sweep.over(counted(base, counts));
    }

    /// One load for each number of requests, named after it where there are several.
    static List<WorkloadSpec> counted(WorkloadSpec base, List<Integer> counts) {
        return counts.stream().map(
                count -> base.withName(counts.size() > 1 ? base.name() + "-" + count : base.name()).withRequests(count))
                .toList();
    }

    /// The arrivals of a single strength.
    static ArrivalProcess single(LoadSweep sweep) {
        double value = sweep.values().getFirst();
        return switch (sweep.measure()) {
            case CONCURRENCY -> new ArrivalProcess.ClosedLoop((int) value);
            case RATE -> new ArrivalProcess.Poisson(value);
        };
    }

    private static Optional<LoadSweep> sweep(List<ArrivalProcess> arrivals) {
        Measure measure = arrivals.getFirst() instanceof ArrivalProcess.ClosedLoop ? Measure.CONCURRENCY : Measure.RATE;
        List<Double> values = arrivals.stream().<Double>mapMulti((each, into) -> {
            switch (each) {
                case ArrivalProcess.ClosedLoop(int inFlight) when measure == Measure.CONCURRENCY ->
                    into.accept((double) inFlight);
                case ArrivalProcess.Poisson(double rate) when measure == Measure.RATE -> into.accept(rate);
                case ArrivalProcess.ClosedLoop other -> {}
                case ArrivalProcess.OpenLoop other -> {}
            }
        }).toList();
        boolean ascending = values.stream().sorted().distinct().toList().equals(values);
        return ascending && values.size() == arrivals.size() ? Optional.of(new LoadSweep(measure, values))
                : Optional.empty();
    }

    private static String without(String name, String ending) {
        return name.endsWith(ending) && name.length() > ending.length()
                ? name.substring(0, name.length() - ending.length()) : name;
    }
}
