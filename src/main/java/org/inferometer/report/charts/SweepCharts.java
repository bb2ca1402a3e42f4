package org.inferometer.report.charts;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.experiment.FieldType;
import org.inferometer.experiment.ServiceObjective;
import org.inferometer.measurement.Metrics;
import org.inferometer.measurement.verdict.ServedRange;
import org.inferometer.record.Metric;
import org.inferometer.record.SloResult;
import org.inferometer.report.DifferenceText;
import org.inferometer.report.charts.CellCharts.CellAxis;
import org.inferometer.report.charts.ChartData.Axis;
import org.inferometer.report.charts.ChartData.Guide;
import org.inferometer.report.charts.ChartData.Line;
import org.inferometer.report.charts.ChartData.Marks;
import org.inferometer.report.charts.ChartData.Point;
import org.inferometer.report.charts.ChartData.PointSeries;
import org.inferometer.report.charts.ChartData.SeriesStyle;
import org.inferometer.report.charts.ChartData.Shaded;
import org.inferometer.report.charts.ChartData.Span;
import org.inferometer.report.compare.ComparedCell;
import org.inferometer.units.QuantityText;

/// The charts of a sweep: metrics against the swept field, a curve for each combination of what else varies.
final class SweepCharts {
    private static final int MOST_HEAT_MAPS = 2;
    /// Values further apart than this have a logarithmic axis.
    private static final double LOG_RATIO = 8;
    private final List<ComparedCell> cells;
    private final SweptField swept;
    private final List<SweptField> others;
    private final ObjectiveGuides guides;
    private final SeriesStyles styles;

    /// @param fields at least one: the axis first
    SweepCharts(List<ComparedCell> cells, List<SweptField> fields, ObjectiveGuides guides, SeriesStyles styles) {
        this.cells = cells;
        this.swept = fields.getFirst();
        this.others = fields.subList(1, fields.size());
        this.guides = guides;
        this.styles = styles;
    }

    /// Every chart that has data, the most telling first.
    List<ChartData> all() {
        Optional<CellAxis> latency = CellAxis.first(Stream
                .concat(guides.judged().stream(),
                        Stream.of(Metrics.TTFT.p95(), Metrics.TTFT.p50(), Metrics.TTFT.mean(),
                                Metrics.SERVICE_TTFT.p50(), Metrics.E2E.p95(), Metrics.E2E.p50(), Metrics.E2E.mean()))
                .toList(), cells);
        Optional<CellAxis> throughput = CellAxis
                .first(List.of(Metrics.OUTPUT_THROUGHPUT, Metrics.TOTAL_THROUGHPUT, Metrics.COMPUTING_RATE), cells);
        Optional<CellAxis> gap =
                CellAxis.first(List.of(Metrics.ITL.p50(), Metrics.INTER_CHUNK.p50(), Metrics.TPOT.p50()), cells);
        List<ChartData> charts = new ArrayList<>(Stream.of(goodput(), latency.map(this::latency),
                throughput.map(y -> curves(y, List.of())), new PlaneChart(guides, styles::ofCurve).users(swept, cells),
                gap.map(this::latency), median(latency).map(this::latency)).flatMap(Optional::stream).toList());
        throughput.ifPresent(y -> charts.addAll(heatMaps(y)));
        return charts;
    }

    /// The median beside a tail.
    private Optional<CellAxis> median(Optional<CellAxis> shown) {
        return shown.filter(axis -> axis.metric().equals(Metrics.TTFT.p95()))
                .flatMap(axis -> CellAxis.of(Metrics.TTFT.p50(), cells));
    }

    private ChartData latency(CellAxis y) {
        return curves(y, guides.of(y.metric().id(), y.unit(), false, Shaded.NONE));
    }

    private ChartData curves(CellAxis y, List<Guide> lines) {
        return new ChartData(y.metric().id() + "-sweep", y.metric().label() + " against " + swept.title(), y.footer(),
                axis(), y.axis(), new Marks.Lines(lines(y, y::span), false), lines);
    }

    private List<Line> lines(CellAxis y, Function<ComparedCell, Span> span) {
        List<Line> lines = new ArrayList<>();
        swept.curves(y.shown())
                .forEach((name,
                        curve) -> lines.add(new Line(name, styles.ofCurve(curve.getFirst()),
                                curve.stream().mapToDouble(swept::value).toArray(),
                                curve.stream().mapToDouble(y::value).toArray(), curve.stream().map(span).toList())));
        return lines;
    }

    private Axis axis() {
        double least = swept.values().getFirst();
        double greatest = swept.values().getLast();
        return least > 0 && greatest / least >= LOG_RATIO ? Axis.log(swept.label()) : Axis.fitted(swept.label());
    }

    /// The share of requests within the limits. Each curve has its knee, the highest load that it serves, as a line and in the footer.
    private Optional<ChartData> goodput() {
        if (guides.objective().equals(ServiceObjective.NONE)) {
            return Optional.empty();
        }
        List<Knee> knees = knees();
        List<Guide> lines = new ArrayList<>(List.of(guides.goal()));
        lines.addAll(served(knees));
        boolean decided = cells.stream().allMatch(cell -> cell.summary().slo() != null);
        return CellAxis.of(Metrics.OBJECTIVE_MET, cells).map(y -> new ChartData("objective-met-sweep",
                "Share of requests within the limits, %",
                Stream.concat(Stream.of(decided ? "mean of runs; the bounds decide, 95 % for all loads" : y.footer()),
                        knees.stream().map(Knee::sentence)).collect(Collectors.joining(" · ")),
                axis(), new Axis("within the limits, %", false, 0, 104),
                new Marks.Lines(lines(y, decided ? SweepCharts::bounds : y::span), false), lines));
    }

    /// The bounds that decide whether a load is served, in percent: a line over the goal is then never refused.
    private static Span bounds(ComparedCell cell) {
        SloResult result = Objects.requireNonNull(cell.summary().slo());
        return new Span(100 * result.lowerShare(), 100 * result.upperShare());
    }

    /// Where a curve ends to be served, between two measured loads.
    ///
    /// @param served highest load that is served
    /// @param not lowest load that is not
    private record Knee(String name, OptionalDouble served, OptionalDouble not) {
        /// "continuous served 8, not 11".
        String sentence() {
            if (served.isEmpty()) {
                return name + " did not serve " + FieldType.plain(not.orElseThrow());
            }
            return name + " served " + FieldType.plain(served.getAsDouble())
                    + (not.isPresent() ? ", not " + FieldType.plain(not.getAsDouble()) : "");
        }
    }

    private List<Knee> knees() {
        List<Knee> knees = new ArrayList<>();
        if (!swept.isLoad()) {
            return knees;
        }
        swept.curves(cells).forEach((name, curve) -> {
            List<SloResult> results = curve.stream().map(cell -> cell.summary().slo()).toList();
            if (results.stream().allMatch(Objects::nonNull)) {
                ServedRange range = ServedRange.of(results);
                Knee knee = new Knee(name, load(curve, range.highestServed()), load(curve, range.lowestNotServed()));
                if (knee.served().isPresent() || knee.not().isPresent()) {
                    knees.add(knee);
                }
            }
        });
        return knees;
    }

    private OptionalDouble load(List<ComparedCell> curve, OptionalInt index) {
        return index.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(swept.value(curve.get(index.getAsInt())));
    }

    /// A line at each load that is the highest for some curves; none at the end, where all loads are served.
    private List<Guide> served(List<Knee> knees) {
        Map<Double, List<String>> names = new TreeMap<>();
        knees.forEach(knee -> knee.served().stream().filter(load -> load < swept.values().getLast())
                .forEach(load -> names.computeIfAbsent(load, each -> new ArrayList<>()).add(knee.name())));
        return names.entrySet().stream()
                .map(each -> new Guide(true, each.getKey(),
                        String.join(", ", each.getValue()) + " up to " + FieldType.plain(each.getKey()), Shaded.NONE))
                .toList();
    }

    /// A map over two swept fields, one for each combination of the rest.
    private List<ChartData> heatMaps(CellAxis value) {
        List<ChartData> maps = new ArrayList<>();
        if (others.isEmpty()) {
            return maps;
        }
        SweptField down = others.getFirst();
        Map<String, List<ComparedCell>> groups = new LinkedHashMap<>();
        swept.curves(value.shown()).values().forEach(curve -> curve
                .forEach(cell -> groups.computeIfAbsent(cell.subject().label(), each -> new ArrayList<>()).add(cell)));
        groups.forEach((name, group) -> {
            if (maps.size() < MOST_HEAT_MAPS && group.stream().mapToDouble(down::value).distinct().count() > 1) {
                maps.add(heatMap(value, down, groups.size() > 1 ? ": " + name : "", maps.size(), group));
            }
        });
        return maps;
    }

    private ChartData heatMap(CellAxis value, SweptField down, String of, int place, List<ComparedCell> group) {
        double[][] values = new double[down.values().size()][swept.values().size()];
        Arrays.stream(values).forEach(row -> Arrays.fill(row, Double.NaN));
        group.forEach(cell -> {
            int row = down.values().indexOf(down.value(cell));
            int column = swept.values().indexOf(swept.value(cell));
            if (row >= 0 && column >= 0) {
                values[row][column] = value.value(cell);
            }
        });
        List<List<String>> texts =
                Arrays.stream(values)
                        .map(row -> Arrays.stream(row)
                                .mapToObj(each -> Double.isNaN(each) ? "–" : QuantityText.significant(each)).toList())
                        .toList();
        return new ChartData(value.metric().id() + "-map-" + place, value.label() + of, value.footer(),
                Axis.fitted(swept.label()), Axis.fitted(down.label()),
                new Marks.HeatMap(swept.values().stream().map(FieldType::plain).toList(),
                        down.values().stream().map(FieldType::plain).toList(), values, texts));
    }

    /// Cells in the plane of two metrics: latency against throughput.
    ///
    /// @param style of the marks of a cell
    record PlaneChart(ObjectiveGuides guides, Function<ComparedCell, SeriesStyle> style) {
        private static final List<Metric> THROUGHPUTS = List.of(Metrics.OUTPUT_THROUGHPUT, Metrics.TOTAL_THROUGHPUT,
                Metrics.COMPUTING_RATE, Metrics.REQUEST_THROUGHPUT);
        private static final List<Metric> LATENCIES = List.of(Metrics.TTFT.p95(), Metrics.TTFT.p50(),
                Metrics.TTFT.mean(), Metrics.SERVICE_TTFT.p95(), Metrics.SERVICE_TTFT.p50(),
                Metrics.SERVICE_TTFT.mean(), Metrics.E2E.p95(), Metrics.E2E.p50(), Metrics.E2E.mean(),
                Metrics.SERVICE_E2E.p50(), Metrics.SERVICE_E2E.mean(), Metrics.PREFILL_LATENCY.mean());
        private static final List<Metric> INTERACTIVITIES =
                List.of(Metrics.INTERACTIVITY.p50(), Metrics.INTERACTIVITY.mean());
        /// Latency against throughput, a mark a cell: TTFT where it was measured. Empty without both.
        Optional<ChartData> cells(List<ComparedCell> cells) {
            Optional<CellAxis> throughput = CellAxis.first(THROUGHPUTS, cells);
            Optional<CellAxis> latency = throughput.flatMap(x -> CellAxis.first(LATENCIES, x.shown()));
            if (latency.isEmpty()) {
                return Optional.empty();
            }
            CellAxis x = throughput.orElseThrow();
            CellAxis y = latency.get();
            List<PointSeries> series = y.shown().stream().map(cell -> new PointSeries(cell.label(), style.apply(cell),
                    false, List.of(point(cell.label(), cell, x, y)))).toList();
            return Optional.of(new ChartData("plane",
                    y.metric().label() + " against " + DifferenceText.lowerFirst(x.metric().label()),
                    "mark: cell, " + y.footer() + " · dot: run" + missing(cells, y.shown()), x.axis(), y.axis(),
                    new Marks.Points(series), guides.of(y.metric().id(), y.unit(), false, Shaded.BELOW)));
        }

        /// Throughput of all users against tokens a second of one, joined over the loads of a curve. Empty without both.
        Optional<ChartData> users(SweptField swept, List<ComparedCell> cells) {
            Optional<CellAxis> user = CellAxis.first(INTERACTIVITIES, cells);
            Optional<CellAxis> all = user.flatMap(x -> CellAxis.first(THROUGHPUTS, x.shown()));
            if (all.isEmpty()) {
                return Optional.empty();
            }
            CellAxis x = user.orElseThrow();
            CellAxis y = all.get();
            List<PointSeries> series = new ArrayList<>();
            swept.curves(y.shown()).forEach((name, curve) -> series.add(new PointSeries(name,
                    style.apply(curve.getFirst()), true,
                    curve.stream().map(cell -> point(FieldType.plain(swept.value(cell)), cell, x, y)).toList())));
            return Optional.of(new ChartData("users",
                    y.metric().label() + " against " + DifferenceText.lowerFirst(x.metric().label()),
                    "number: " + swept.label() + " · " + y.footer() + missing(cells, y.shown()), x.axis(), y.axis(),
                    new Marks.Points(series)));
        }

        private static Point point(String label, ComparedCell cell, CellAxis x, CellAxis y) {
            double[] runX = x.runs(cell);
            double[] runY = y.runs(cell);
            boolean paired = runX.length == runY.length && runX.length > 1;
            return new Point(label, x.value(cell), y.value(cell), x.span(cell), y.span(cell),
                    paired ? runX : new double[0], paired ? runY : new double[0]);
        }

        private static String missing(List<ComparedCell> cells, List<ComparedCell> shown) {
            int missing = cells.size() - shown.size();
            return missing == 0 ? "" : " · not recorded for " + missing + " of " + cells.size() + " cells";
        }
    }
}
