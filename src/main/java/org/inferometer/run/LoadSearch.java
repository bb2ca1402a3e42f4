package org.inferometer.run;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.Subject;
import org.inferometer.measurement.SloAttainment;
import org.inferometer.measurement.verdict.SloDecision;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunRecord;

/// Finds the highest load that meets the service-level objective, for each candidate, by bisection of a grid of loads. Then
/// repeats the two loads at the border until each has the specified number of runs. If these do not tell whether the border is
/// served, it halves the loads below until the highest one is known that is.
///
/// The search goes by the mean share of good requests over the runs of a load; a run that was not served as fast as asked has none. The
/// answer is stricter: the bounds of [SloDecision] tell which loads are served and which are not, for all loads tried together. The search
/// assumes that lower loads are no worse; if noise contradicts this, the lowest failing load is the border.
/// Candidates take turns, which spreads machine drift over all of them.
final class LoadSearch implements RunQueue {
    private final ExperimentSpec spec;
    private final Planning planning;
    private final SloAttainment attainment;
    private final SloDecision decision;
    private final List<TriedLoad> candidates;
    private final Map<List<Integer>, Boolean> served = new HashMap<>(); // by cell, runs and loads tried

    LoadSearch(ExperimentSpec spec, Planning planning) {
        this.spec = spec;
        this.planning = planning;
        this.attainment = new SloAttainment(spec.goal().objective());
        this.decision = new SloDecision(spec.goal().objective());
        Map<Subject, List<Integer>> byCandidate = new LinkedHashMap<>();
        List<Cell> cells = spec.cells();
        for (int i = 0; i < cells.size(); i++) {
            byCandidate.computeIfAbsent(cells.get(i).subject(), subject -> new ArrayList<>()).add(i);
        }
        this.candidates = byCandidate.values().stream().map(TriedLoad::new).toList();
    }

    /// @param cellIndices of its loads, ascending in load
    private record TriedLoad(List<Integer> cellIndices) {}

    @Override
    public Optional<RunPlan> next(List<RunRecord> ended) throws EngineFormatException {
        List<TriedLoad> byTurn = candidates.stream().sorted(Comparator.comparingLong(
                candidate -> ended.stream().filter(run -> candidate.cellIndices.contains(cellIndex(run))).count()))
                .toList();
        for (TriedLoad candidate : byTurn) {
            Optional<Integer> cell = next(candidate, ended);
            if (cell.isPresent()) {
                return Optional.of(planning.plan(ended.size(), cell.get(), runs(cell.get(), ended)));
            }
        }
        return Optional.empty();
    }

    private Optional<Integer> next(TriedLoad candidate, List<RunRecord> ended) {
        List<Integer> loads = candidate.cellIndices;
        int unserved = loads.size();
        for (int load = loads.size() - 1; load >= 0; load--) {
            OptionalDouble met = met(loads.get(load), ended);
            unserved = met.isPresent() && !spec.goal().objective().isReachedBy(met.getAsDouble()) ? load : unserved;
        }
        int served = -1;
        for (int load = 0; load < unserved; load++) {
            served = met(loads.get(load), ended).isPresent() ? load : served;
        }
        if (unserved - served > 1) {
            return Optional.of(loads.get((served + unserved) / 2));
        }
        for (int load : new int[]{served, unserved}) {
            if (load >= 0 && load < loads.size() && runs(loads.get(load), ended) < spec.runs()) {
                return Optional.of(loads.get(load));
            }
        }
        return next(loads, served, ended);
    }

    /// A load at or below the border whose runs tell whether it is served; empty once the highest such load is known, or if even a load
    /// without a miss could not be told with this many requests.
    private Optional<Integer> next(List<Integer> loads, int border, List<RunRecord> ended) {
        if (border < 0 || !isProvable(loads, ended)) {
            return Optional.empty();
        }
        int served = -1;
        for (int load = 0; load <= border; load++) {
            served = isServed(loads, load, ended) ? load : served;
        }
        int open = served + 1;
        while (open < border && (runs(loads.get(open), ended) < spec.runs() || isServed(loads, open, ended))) {
            open++;
        }
        int middle = open - served > 1 ? (served + open) / 2 : served;
        return served == border || middle < 0 || runs(loads.get(middle), ended) >= spec.runs() ? Optional.empty()
                : Optional.of(loads.get(middle));
    }

    private boolean isProvable(List<Integer> loads, List<RunRecord> ended) {
        long most = loads.stream().flatMap(cell -> runsOf(cell, ended))
                .mapToLong(run -> attainment.judged(run.observations().requests()).size()).max().orElse(0);
        return decision.result(List.of(1.0), most * spec.runs(), tried(ended)).isServed();
    }

    private boolean isServed(List<Integer> loads, int load, List<RunRecord> ended) {
        int cell = loads.get(load);
        OptionalDouble met = met(cell, ended);
        if (met.isEmpty() || !spec.goal().objective().isReachedBy(met.getAsDouble())) {
            return false;
        }
        int tried = tried(ended);
        return served.computeIfAbsent(List.of(cell, runs(cell, ended), tried),
                key -> decision.result(runsOf(cell, ended).toList(), tried).isServed());
    }

    /// Of all subjects: the best load is chosen among them.
    private static int tried(List<RunRecord> ended) {
        return (int) ended.stream().map(run -> run.manifest().plan().index().cell()).distinct().count();
    }

    /// Mean share of good requests over the runs of a cell; 0 for a run without requests or one that was overloaded. Empty before the first run.
    private OptionalDouble met(int cellIndex, List<RunRecord> ended) {
        return runsOf(cellIndex, ended)
                .mapToDouble(run -> SloDecision.overloaded(run) ? 0 : attainment.share(run.observations().requests()))
                .average();
    }

    private static int runs(int cellIndex, List<RunRecord> ended) {
        return (int) runsOf(cellIndex, ended).count();
    }

    private static Stream<RunRecord> runsOf(int cellIndex, List<RunRecord> ended) {
        return ended.stream().filter(run -> cellIndex(run) == cellIndex);
    }

    private static int cellIndex(RunRecord run) {
        return run.manifest().plan().index().cell();
    }
}
