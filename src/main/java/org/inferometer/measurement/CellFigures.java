package org.inferometer.measurement;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.inferometer.measurement.statistics.Moments;
import org.inferometer.record.CellFigure;
import org.inferometer.record.Figure;
import org.inferometer.record.Metric;
import org.inferometer.record.RunManifest;
import org.inferometer.record.RunObservations;
import org.inferometer.record.RunRecord;
import org.inferometer.workload.LoadKind;
import org.jspecify.annotations.Nullable;

/// The figures of a cell from those of its runs.
public final class CellFigures {
    private static final Set<Metric> SET_BY_LOAD = Set.of(Metrics.REQUEST_THROUGHPUT, Metrics.OUTPUT_THROUGHPUT,
            Metrics.TOTAL_THROUGHPUT, Metrics.COST_PER_MILLION);

    private CellFigures() {}

    /// One figure per metric that at least one run has, in the order of the runs. The mean is over the runs that have it.
    ///
    /// @param runs the figures of each run
    public static List<CellFigure> of(List<List<Figure>> runs) {
        return of(runs, List.of());
    }

    /// As [#of(List)], with the seeds of the runs; empty where they are not known.
    public static List<CellFigure> of(List<List<Figure>> runs, List<Long> seeds) {
        return of(runs, seeds, 1);
    }

    /// As [#of(List, List)], at one of several looks.
    ///
    /// @param looks how often the experiment looks at its runs to decide on more
    public static List<CellFigure> of(List<List<Figure>> runs, List<Long> seeds, int looks) {
        Map<String, List<Figure>> byMetric = new LinkedHashMap<>();
        Map<String, List<Long>> seedsByMetric = new LinkedHashMap<>();
        for (int run = 0; run < runs.size(); run++) {
            for (Figure figure : runs.get(run)) {
                byMetric.computeIfAbsent(figure.metric().id(), id -> new ArrayList<>()).add(figure);
                List<Long> ofMetric = seedsByMetric.computeIfAbsent(figure.metric().id(), id -> new ArrayList<>());
                if (!seeds.isEmpty()) {
                    ofMetric.add(seeds.get(run));
                }
            }
        }
        return byMetric.values().stream().map(figures -> join(figures, looks))
                .map(figure -> figure.withSeeds(seedsByMetric.getOrDefault(figure.metric().id(), List.of()))).toList();
    }

    /// The figures of recorded runs, the percentiles of their latencies and the shares within their SLO by all requests.
    ///
    /// @param more a further figure of runs, by their numbers
    /// @param looks as in [#of(List, List, int)]
    public static List<CellFigure> ofRuns(List<RunRecord> runs, Map<Integer, Figure> more, int looks) {
        List<CellFigure> figures = of(
                runs.stream()
                        .map(run -> Stream.concat(RunFigures.of(run.observations()).stream(),
                                Stream.ofNullable(more.get(run.manifest().plan().index().run()))).toList())
                        .toList(),
                seeds(runs.stream().map(RunRecord::manifest).toList()), looks);
        List<RunObservations> observed = runs.stream().map(RunRecord::observations).toList();
        return PooledShares.with(PooledTails.with(figures, observed.stream().map(RunObservations::requests).toList()),
                observed);
    }

    /// The same figures under a load: where it sets the rates, they are marked.
    public static List<CellFigure> under(LoadKind load, List<CellFigure> figures) {
        return !load.setsRates() ? figures : figures.stream()
                .map(figure -> SET_BY_LOAD.contains(figure.metric()) ? figure.ofLoad() : figure).toList();
    }

    /// The seeds of runs; empty where a run has unknown requests.
    public static List<Long> seeds(List<RunManifest> runs) {
        return runs.stream().anyMatch(run -> run.workloadHash().isEmpty()) ? List.of()
                : runs.stream().map(run -> run.plan().procedure().workloadSeed()).toList();
    }

    /// The figure of a metric, by its id.
    public static Optional<CellFigure> find(List<CellFigure> figures, Metric metric) {
        return figures.stream().filter(figure -> figure.metric().id().equals(metric.id())).findFirst();
    }

    private static CellFigure join(List<Figure> runs, int looks) {
        List<Double> values = runs.stream().map(Figure::value).toList();
        Moments moments = Moments.of(values);
        return new CellFigure(runs.getFirst().metric(), moments.mean(), moments.halfWidth(looks).orElse(null), values,
                List.of(), runs.stream().mapToLong(Figure::n).sum(),
                runs.stream().mapToLong(Figure::n).min().orElseThrow(), runs.stream().allMatch(Figure::enough), looks,
                false).withBucket(bucket(runs));
    }

    private static CellFigure.@Nullable Ends bucket(List<Figure> runs) {
        List<CellFigure.Ends> buckets = runs.stream().map(Figure::bucket).filter(Objects::nonNull).toList();
        return buckets.size() < runs.size() ? null
                : new CellFigure.Ends(buckets.stream().mapToDouble(CellFigure.Ends::low).average().orElseThrow(),
                        buckets.stream().mapToDouble(CellFigure.Ends::high).average().orElseThrow());
    }
}
