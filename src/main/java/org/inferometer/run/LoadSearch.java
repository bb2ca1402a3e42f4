package org.inferometer.run;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.measurement.SloAttainment;
import org.inferometer.measurement.statistics.LoadCurve;
import org.inferometer.measurement.verdict.SearchedLoads;
import org.inferometer.measurement.verdict.SloDecision;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunRecord;

/// Finds the highest load that meets the service-level objective, for each candidate. Each run goes to the load next to the estimate by all
/// runs so far ([LoadCurve]), below or above it by turns: there it narrows the interval most, also where the curve is no such line farther
/// away. Then lower loads are repeated, by halving, until the highest one is known that is shown to be served ([SloDecision]). What is left of
/// the runs goes to the estimate again.
///
/// The search assumes that lower loads are no worse. Candidates take turns, which spreads machine drift over all of them.
final class LoadSearch implements RunQueue {
    /// The interval is as narrow as the steps of a grid.
    private static final double NARROW = 1.1;

    private final ExperimentSpec spec;
    private final Planning planning;
    private final SloAttainment attainment;
    private final SloDecision decision;
    private final List<SearchedLoads> candidates;
    private final Map<List<Integer>, Boolean> served = new HashMap<>(); // by cell, runs and loads tried

    LoadSearch(ExperimentSpec spec, Planning planning) {
        this.spec = spec;
        this.planning = planning;
        this.attainment = new SloAttainment(spec.goal().objective());
        this.decision = new SloDecision(spec.goal().objective());
        this.candidates = SearchedLoads.of(spec);
    }

    @Override
    public Optional<RunPlan> next(List<RunRecord> ended) throws EngineFormatException {
        List<SearchedLoads> byTurn =
                candidates.stream().sorted(Comparator.comparingLong(candidate -> runs(candidate, ended))).toList();
        for (SearchedLoads candidate : byTurn) {
            Optional<Integer> cell = next(candidate, ended);
            if (cell.isPresent()) {
                return Optional.of(planning.plan(ended.size(), cell.get(), runs(cell.get(), ended)));
            }
        }
        return Optional.empty();
    }

    private Optional<Integer> next(SearchedLoads candidate, List<RunRecord> ended) {
        List<Integer> cells = candidate.cells();
        long done = runs(candidate, ended);
        if (done == 0) {
            return Optional.of(cells.get((cells.size() - 1) / 2));
        }
        LoadCurve curve = candidate.curve(ended);
        SearchRuns runs = new SearchRuns(cells.size(), spec.runs());
        int beside = beside(candidate, curve.estimate(), ended);
        if (done < runs.fewest()) {
            return Optional.of(beside);
        }
        if (!isProvable(cells, ended) || done >= runs.most()) {
            return Optional.empty();
        }
        boolean told = curve.high() <= NARROW * curve.low() || curve.low() >= candidate.loads().getLast()
                || curve.high() <= candidate.loads().getFirst();
        return shown(cells, below(candidate, curve.estimate()), ended)
                .or(() -> told ? Optional.empty() : Optional.of(beside));
    }

    /// Of the two loads beside the estimate the one with fewer runs, else the closer one.
    private static int beside(SearchedLoads candidate, double estimate, List<RunRecord> ended) {
        int below = below(candidate, estimate);
        int above = Math.min(below + 1, candidate.cells().size() - 1);
        int more =
                Integer.compare(runs(candidate.cells().get(below), ended), runs(candidate.cells().get(above), ended));
        boolean closer = estimate / candidate.loads().get(below) <= candidate.loads().get(above) / estimate;
        return candidate.cells().get(more < 0 || (more == 0 && closer) ? below : above);
    }

    /// The index of the highest load that is at most the estimate, else of the lowest.
    private static int below(SearchedLoads candidate, double estimate) {
        return (int) Math.max(0, candidate.loads().stream().filter(load -> load <= estimate).count() - 1);
    }

    /// A load at or below the border whose runs tell whether it is served; empty once the highest such load is known.
    private Optional<Integer> shown(List<Integer> loads, int border, List<RunRecord> ended) {
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

    /// Whether a load without a miss could be told with this many requests.
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

    private static long runs(SearchedLoads candidate, List<RunRecord> ended) {
        return ended.stream().filter(run -> candidate.cells().contains(cellIndex(run))).count();
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
