package org.inferometer.report.charts;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.inferometer.experiment.ServiceObjective;
import org.inferometer.measurement.Metrics;
import org.inferometer.measurement.statistics.Distribution;
import org.inferometer.record.CellFigure;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RunRecord;
import org.inferometer.report.charts.ChartData.Axis;
import org.inferometer.report.charts.ChartData.Marks;
import org.inferometer.report.charts.ChartData.Point;
import org.inferometer.report.charts.ChartData.PointSeries;
import org.inferometer.report.charts.ChartData.SeriesStyle;
import org.inferometer.report.charts.ChartData.Span;
import org.inferometer.report.compare.ComparedSide;
import org.inferometer.report.compare.ResultComparison;
import org.inferometer.report.compare.ResultComparison.Pair;
import org.inferometer.report.compare.SideNames;

/// The charts of a comparison: ratios to the base, distributions of both sides, and their runs in the order of execution.
///
/// A chart of distributions or runs needs sides with runs. Several bases share no distribution: the pair that differs most is drawn.
public final class ComparisonCharts {
    /// Candidates that get a colour of their own beside the base.
    static final int MOST_CANDIDATES = 7;
    private static final SeriesStyle BASE = SeriesStyle.solid(7);
    private static final List<LatencySamples> LATENCIES =
            List.of(LatencySamples.TTFT, LatencySamples.ITL, LatencySamples.INTER_CHUNK, LatencySamples.E2E);
    private final List<ExperimentRecord> records;
    private final List<Pair> pairs;
    private final SideNames names;
    private final boolean oneBase;

    /// @param records of the runs of the sides, to find the request behind a value
    public ComparisonCharts(ResultComparison comparison, Collection<ExperimentRecord> records) {
        this.records = List.copyOf(records);
        this.pairs = comparison.pairs();
        this.oneBase = ResultComparison.haveOneBase(pairs);
        this.names = new SideNames(ResultComparison.sides(pairs));
    }

    /// Every chart, the most important first: ratios and the distribution that differs most come first and second.
    public List<ChartData> all() {
        List<ChartData> ratios = new RatioCharts(pairs, names).all();
        List<ChartData> distributions = distributions();
        List<ChartData> all = new ArrayList<>(ratios.stream().limit(1).toList());
        distributions.stream().limit(1).forEach(all::add);
        all.addAll(ratios.stream().skip(1).toList());
        all.addAll(distributions.stream().skip(1).toList());
        runs().ifPresent(all::add);
        return List.copyOf(all);
    }

    /// @param size the larger logarithm of the ratios of P50 and of P95, of the pair that differs most
    private record Overlay(double size, ChartData chart) {}

    private List<ChartData> distributions() {
        return LATENCIES.stream().flatMap(kind -> overlay(kind).stream())
                .sorted(Comparator.comparingDouble(Overlay::size).reversed()).map(Overlay::chart).toList();
    }

    private Optional<Overlay> overlay(LatencySamples kind) {
        Map<String, double[]> samples = new LinkedHashMap<>();
        ResultComparison.sides(pairs).forEach(side -> samples.put(side.name(), kind.of(side.runs())));
        List<Pair> both = pairs.stream()
                .filter(pair -> of(pair.base(), samples).length > 0 && of(pair.candidate(), samples).length > 0)
                .toList();
        Optional<Pair> most = both.stream().max(Comparator.comparingDouble(pair -> size(pair, samples)));
        if (most.isEmpty()) {
            return Optional.empty();
        }
        List<Pair> drawn = oneBase ? both.stream().limit(MOST_CANDIDATES).toList() : List.of(most.get());
        ComparedSide base = drawn.getFirst().baseSide();
        SideNames named = oneBase ? names : new SideNames(ResultComparison.sides(drawn));
        List<LatencyCurves.Curve> curves = new ArrayList<>();
        curves.add(new LatencyCurves.Curve(named.of(base), BASE, of(base.name(), samples), base.runs()));
        for (Pair pair : drawn) {
            curves.add(new LatencyCurves.Curve(named.of(pair.candidateSide()), style(pair.candidateSide()),
                    of(pair.candidate(), samples), pair.candidateSide().runs()));
        }
        String id = kind.name().toLowerCase(Locale.ROOT).replace('_', '-') + "-ecdf";
        return new LatencyCurves(kind, curves, guides(drawn), records).chart(id, omitted(drawn))
                .map(chart -> new Overlay(size(most.get(), samples), chart));
    }

    /// A scheduler has the colour that it has in every result, unless several candidates have the same.
    private SeriesStyle style(ComparedSide candidate) {
        List<ComparedSide> candidates = pairs.stream().map(Pair::candidateSide).toList();
        List<Integer> slots = candidates.stream().map(side -> SeriesStyles.ownSlot(side.cell().subject().system()))
                .distinct().toList();
        boolean own = slots.size() == candidates.size() && !slots.contains(-1);
        return SeriesStyle.solid(own ? SeriesStyles.ownSlot(candidate.cell().subject().system())
                : oneBase ? candidates.indexOf(candidate) % MOST_CANDIDATES
                : 0);
    }

    /// " · INT4 · naive, which differs most of 4 pairs"
    private String omitted(List<Pair> drawn) {
        if (drawn.size() == pairs.size()) {
            return "";
        }
        return oneBase ? " · " + drawn.size() + " of " + pairs.size() + " candidates" : " · "
                + new SideNames(pairs.stream().map(Pair::candidateSide).toList()).of(drawn.getFirst().candidateSide())
                + ", which differs most of " + pairs.size() + " pairs";
    }

    private static double[] of(String side, Map<String, double[]> samples) {
        return Objects.requireNonNull(samples.get(side));
    }

    private static double size(Pair pair, Map<String, double[]> samples) {
        Distribution base = Distribution.of(of(pair.base(), samples));
        Distribution candidate = Distribution.of(of(pair.candidate(), samples));
        return Math.max(logRatio(base.percentile(50), candidate.percentile(50)),
                logRatio(base.percentile(95), candidate.percentile(95)));
    }

    private static double logRatio(double base, double candidate) {
        return base > 0 && candidate > 0 ? Math.abs(Math.log(candidate / base)) : 0;
    }

    /// The limits of the SLO, if all sides have the same.
    private static ObjectiveGuides guides(List<Pair> drawn) {
        List<ServiceObjective> objectives =
                ResultComparison.sides(drawn).stream().map(side -> side.origin().objective()).distinct().toList();
        return new ObjectiveGuides(objectives.size() == 1 ? objectives.getFirst() : ServiceObjective.NONE);
    }

    /// @param tokensPerSecond its output throughput
    private record OrderedRun(ComparedSide side, RunRecord run, double tokensPerSecond) {}

    /// Output throughput of each run, in the order of execution; shows a drift that all sides have. Empty with several bases, and if the order
    /// is not known.
    private Optional<ChartData> runs() {
        if (!oneBase) {
            return Optional.empty();
        }
        List<ComparedSide> sides = ResultComparison.sides(pairs).stream().limit(MOST_CANDIDATES + 1).toList();
        List<OrderedRun> runs = sides.stream().flatMap(ComparisonCharts::runs).toList();
        boolean oneExperiment = sides.stream().map(side -> side.origin().experiment()).distinct().count() == 1;
        boolean timed = runs.stream().allMatch(run -> run.run().manifest().anchorWall() != null);
        if (runs.size() <= sides.size() || !(oneExperiment || timed)) {
            return Optional.empty();
        }
        Comparator<OrderedRun> index = Comparator.comparingInt(run -> run.run().manifest().plan().index().run());
        List<OrderedRun> ordered = runs.stream().sorted(!timed ? index
                : Comparator.<OrderedRun, Instant>comparing(
                        run -> Objects.requireNonNull(run.run().manifest().anchorWall())).thenComparing(index))
                .toList();
        List<PointSeries> series = new ArrayList<>();
        for (ComparedSide side : sides) {
            List<Point> points = new ArrayList<>();
            for (int place = 0; place < ordered.size(); place++) {
                if (ordered.get(place).side() == side) {
                    points.add(new Point("", place + 1.0, ordered.get(place).tokensPerSecond(), Span.NONE, Span.NONE,
                            new double[0], new double[0]));
                }
            }
            series.add(new PointSeries(names.of(side), series.isEmpty() ? BASE : style(side), false, points));
        }
        return Optional.of(new ChartData("runs", "Output throughput of each run (tok/s)",
                ordered.size() + " runs" + (oneExperiment ? " of one experiment" : " by their start")
                        + " · a common trend is drift, or the requests of the seeds",
                new Axis("run, in order of execution", false, 0.5, ordered.size() + 0.5), Axis.fitted("tok/s"),
                new Marks.Points(series)));
    }

    /// Empty where the throughput of each run is not known.
    private static Stream<OrderedRun> runs(ComparedSide side) {
        Optional<CellFigure> throughput =
                side.figure(Metrics.OUTPUT_THROUGHPUT).filter(figure -> figure.runs() == side.runs().size());
        return throughput.stream().flatMap(figure -> IntStream.range(0, figure.runs())
                .mapToObj(i -> new OrderedRun(side, side.runs().get(i), figure.runValues().get(i))));
    }
}
