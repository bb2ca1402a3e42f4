package org.inferometer.run;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.inferometer.engine.EngineFormatException;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.Subject;
import org.inferometer.measurement.SloAttainment;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunRecord;

/// Finds the highest load that meets the service-level objective, for each candidate, by bisection of a grid of loads. Then
/// repeats the two loads at the border until each has the specified number of runs.
///
/// A load meets the objective if the mean share of good requests over its runs reaches the objective's share. The search
/// assumes that lower loads are no worse; if noise contradicts this, the lowest failing load is the border.
/// Candidates take turns, which spreads machine drift over all of them.
final class LoadSearch implements RunQueue {
    private final ExperimentSpec spec;
    private final Planning planning;
    private final List<TriedLoad> candidates;

    LoadSearch(ExperimentSpec spec, Planning planning) {
        this.spec = spec;
        this.planning = planning;
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
            unserved = met.isPresent() && !spec.goal().objective().isServedBy(met.getAsDouble()) ? load : unserved;
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
        return Optional.empty();
    }

    /// Mean share of good requests over the runs of a cell; 0 for a run without requests. Empty before the first run.
    private OptionalDouble met(int cellIndex, List<RunRecord> ended) {
        return ended.stream().filter(run -> cellIndex(run) == cellIndex)
                .mapToDouble(run -> new SloAttainment(spec.goal().objective()).share(run.observations().requests()))
                .average();
    }

    private static int runs(int cellIndex, List<RunRecord> ended) {
        return (int) ended.stream().filter(run -> cellIndex(run) == cellIndex).count();
    }

    private static int cellIndex(RunRecord run) {
        return run.manifest().plan().index().cell();
    }
}
