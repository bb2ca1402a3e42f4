package org.inferometer.measurement.verdict;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.LoadSweep.Measure;
import org.inferometer.experiment.Subject;
import org.inferometer.measurement.SloAttainment;
import org.inferometer.measurement.statistics.LoadCurve;
import org.inferometer.measurement.statistics.MissClusters;
import org.inferometer.record.ExperimentManifest.LoadEstimate;
import org.inferometer.record.RequestColumns;
import org.inferometer.record.RunRecord;
import org.inferometer.record.SloResult;
import org.inferometer.workload.ArrivalProcess;

/// The loads of one subject in a search for the highest that meets an SLO, and where that lies.
///
/// @param cells indices of its cells, ascending in load
/// @param loads requests a second, or requests in flight, of each
public record SearchedLoads(SloDecision decision, List<Integer> cells, List<Double> loads) {
    /// Those of each subject, and of each of its workloads: the loads of one rise.
    public static List<SearchedLoads> of(ExperimentSpec spec) {
        SloDecision decision = new SloDecision(spec.goal().objective());
        List<SearchedLoads> searched = new ArrayList<>();
        Map<Subject, SearchedLoads> last = new HashMap<>();
        List<Cell> all = spec.cells();
        for (int i = 0; i < all.size(); i++) {
            double load = strength(all.get(i).workload().arrivals());
            SearchedLoads loads = last.get(all.get(i).subject());
            if (loads == null || loads.loads.getLast() >= load) {
                loads = new SearchedLoads(decision, new ArrayList<>(), new ArrayList<>());
                last.put(all.get(i).subject(), loads);
                searched.add(loads);
            }
            loads.cells.add(i);
            loads.loads.add(load);
        }
        return searched;
    }

    private static double strength(ArrivalProcess arrivals) {
        return switch (arrivals) {
            case ArrivalProcess.Constant(double rate) -> rate;
            case ArrivalProcess.Gamma(double rate, double _) -> rate;
            default -> Arrays.stream(Measure.values()).map(measure -> measure.of(arrivals))
                    .flatMapToDouble(OptionalDouble::stream).findFirst().orElse(Double.NaN);
        };
    }

    /// Where the share of good requests falls to the goal, by all complete runs. Runs that are INVALID for a fault of the harness do not count.
    public LoadCurve curve(List<RunRecord> runs) {
        List<LoadCurve.Point> points = new ArrayList<>();
        for (int i = 0; i < cells.size(); i++) {
            List<RunRecord> counted = runsOf(i, runs).stream().filter(SloDecision::tells).toList();
            if (!counted.isEmpty()) {
                points.add(point(loads.get(i), counted));
            }
        }
        return LoadCurve.of(points, decision.objective().share(), loads.getFirst(), loads.getLast());
    }

    private LoadCurve.Point point(double load, List<RunRecord> runs) {
        SloAttainment attainment = new SloAttainment(decision.objective());
        List<RequestColumns> all = runs.stream().map(run -> run.observations().requests()).toList();
        List<double[]> shares =
                all.stream().map(requests -> decision.limitShares(attainment.judged(requests))).toList();
        return new LoadCurve.Point(load, all.stream().mapToDouble(attainment::share).average().orElseThrow(),
                shares.stream().mapToInt(run -> run.length).sum(), MissClusters.of(shares).varianceInflation());
    }

    private List<RunRecord> runsOf(int index, List<RunRecord> runs) {
        int cell = cells.get(index);
        return runs.stream().filter(run -> run.manifest().plan().index().cell() == cell).toList();
    }

    /// The estimate; empty before the first run.
    ///
    /// @param runs complete runs of all subjects
    public Optional<LoadEstimate> estimate(List<RunRecord> runs) {
        List<Integer> measured = runs.stream().map(run -> run.manifest().plan().index().cell()).distinct().toList();
        List<Integer> mine = cells.stream().filter(measured::contains).toList();
        if (mine.isEmpty()) {
            return Optional.empty();
        }
        List<SloResult> results =
                mine.stream().map(cell -> decision.result(runsOf(cells.indexOf(cell), runs), measured.size())).toList();
        OptionalInt served = ServedRange.of(results).highestServed();
        LoadCurve curve = curve(runs);
        double least = loads.getFirst();
        double most = loads.getLast();
        return Optional.of(new LoadEstimate(cells, Math.clamp(curve.estimate(), least, most),
                curve.low() < least ? null : curve.low(), curve.high() > most ? null : curve.high(),
                served.isEmpty() ? null : loads.get(cells.indexOf(mine.get(served.getAsInt())))));
    }
}
