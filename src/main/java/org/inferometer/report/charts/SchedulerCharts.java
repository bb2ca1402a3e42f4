package org.inferometer.report.charts;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.inferometer.measurement.Metrics;
import org.inferometer.record.CellFigure;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.Metric;
import org.inferometer.record.Metric.Unit;
import org.inferometer.record.RunRecord;
import org.inferometer.report.AxisUnit;
import org.inferometer.report.FigureText;
import org.inferometer.report.charts.ChartData.Axis;
import org.inferometer.report.charts.ChartData.Line;
import org.inferometer.report.charts.ChartData.Marks;
import org.inferometer.report.compare.ComparedCell;
import org.inferometer.report.compare.ComparisonTables.RequestCountGroup;
import org.inferometer.report.compare.LoadNames;
import org.inferometer.units.QuantityText;

/// The charts of a scheduler suite: throughput and latency against the number of requests, latency distributions, bars, and the use of
/// KV pool and lanes over time, all of complete runs. A chart without data does not exist.
public final class SchedulerCharts {
    private static final int MOST_LINES = 8;
    private static final int MOST_ACROSS = 3;
    private static final List<Metric> LATENCIES =
            List.of(Metrics.E2E.mean(), Metrics.E2E.p50(), Metrics.E2E.p95(), Metrics.E2E.p99());
    /// A line along 100 % must not touch the edge.
    private static final double TOP_PERCENT = 104;
    /// The last marker must not touch the edge.
    private static final double RIGHT_MARGIN = 1.03;
    private static final Comparator<ComparedCell> BY_REQUESTS = Comparator.comparingInt(SchedulerCharts::requests);
    private final CellCharts charts;
    private final List<ComparedCell> cells;
    private final LoadNames names;
    private final boolean counted; // whether the loads differ in their number of requests alone

    /// @param records at least one
    public SchedulerCharts(List<ExperimentRecord> records) {
        this.charts = new CellCharts(records);
        this.cells = charts.cells();
        this.names = LoadNames.of(cells);
        this.counted = RequestCountGroup.tellLoadsApart(cells);
    }

    /// Every sheet, named as its file.
    public List<ChartSheet> sheets() {
        List<ChartSheet> sheets = new ArrayList<>();
        sheet(sheets, "throughput_comparison", 2, figure(Metrics.REQUEST_THROUGHPUT),
                figure(Metrics.OUTPUT_THROUGHPUT));
        sheet(sheets, "latency_comparison", 2, figure(Metrics.E2E.p50()), figure(Metrics.E2E.p95()),
                figure(Metrics.E2E.p99()), figure(Metrics.E2E.mean()));
        List<ChartData> boxes = boxes();
        if (!boxes.isEmpty()) {
            sheets.add(new ChartSheet("latency_distribution", boxes.getFirst().title(), boxes,
                    boxes.size() <= MOST_ACROSS ? boxes.size() : (boxes.size() + 1) / 2));
        }
        sheet(sheets, "scheduler_comparison_bars", 2, bars(Metrics.REQUEST_THROUGHPUT), bars(Metrics.OUTPUT_THROUGHPUT),
                bars(Metrics.E2E.mean()), bars(Metrics.E2E.p95()));
        sheet(sheets, "kv_use", 1, overTime("kv_use", "KV blocks held (%)", "share of the pool, %", TimeSeries::kvUse));
        sheet(sheets, "lane_use", 1,
                overTime("lane_use", "Lanes busy (%)", "mean over computing lanes, %", TimeSeries::laneUse));
        return sheets;
    }

    /// A metric against the number of requests where the loads differ in that alone, else as bars.
    private Optional<ChartData> figure(Metric metric) {
        return counted ? byRequests(metric) : bars(metric);
    }

    /// One line a scheduler.
    private Optional<ChartData> byRequests(Metric metric) {
        List<CellFigure> figures = charts.figures(metric);
        if (figures.isEmpty()) {
            return Optional.empty();
        }
        AxisUnit unit = unit(figures);
        List<Line> lines = new ArrayList<>();
        ComparedCell
                .grouped(cells.stream().filter(cell -> cell.figure(metric).isPresent()).toList(), ComparedCell::name)
                .forEach((name, own) -> {
                    List<ComparedCell> ordered = own.stream().sorted(BY_REQUESTS).toList();
                    lines.add(new Line(name, charts.styles().of(ordered.getFirst()),
                            ordered.stream().mapToDouble(SchedulerCharts::requests).toArray(),
                            ordered.stream().mapToDouble(cell -> unit.of(cell.required(metric).mean())).toArray()));
                });
        double most = cells.stream().mapToInt(SchedulerCharts::requests).max().orElse(1);
        return Optional.of(new ChartData(metric.id() + "-by-requests", title(metric, unit), footer(figures, false),
                new Axis("requests of a run", false, 0, RIGHT_MARGIN * most), Axis.fromZero(unit.label()),
                new Marks.Lines(drawn(lines), false)));
    }

    /// A metric as bars with intervals: groups by load, each with a label of its own, and one bar a scheduler.
    public Optional<ChartData> bars(Metric metric) {
        List<CellFigure> figures = charts.figures(metric);
        if (figures.isEmpty()) {
            return Optional.empty();
        }
        AxisUnit unit = unit(figures);
        Map<String, List<ComparedCell>> loads = loads();
        if (counted) {
            loads = ComparedCell.grouped(loads.values().stream().flatMap(List::stream).toList(),
                    cell -> requests(cell) + " requests");
        }
        return Optional.of(new ChartData(metric.id() + "-bars", title(metric, unit), footer(figures, true),
                Axis.fitted(""), Axis.fromZero(unit.label()),
                charts.bars(loads, ComparedCell.grouped(cells, ComparedCell::name), metric, unit)));
    }

    /// The cells by load, named by what varies: by number of requests where they differ in that alone, else in the order of the cells.
    private Map<String, List<ComparedCell>> loads() {
        Map<String, List<ComparedCell>> labelled = new LinkedHashMap<>();
        var loads = ComparedCell.byLoad(cells).values().stream();
        (counted ? loads.sorted(Comparator.comparing(List::getFirst, BY_REQUESTS)) : loads)
                .forEach(load -> labelled.put(names.of(load.getFirst()), load));
        return labelled;
    }

    /// Boxes of E2E latency, one a scheduler; a chart for each load.
    public List<ChartData> boxes() {
        List<ChartData> boxes = new ArrayList<>();
        AxisUnit unit = charts.e2eUnit();
        loads().forEach((load,
                group) -> charts.boxes("e2e-boxes-" + boxes.size(),
                        chosen -> "E2E latency (" + chosen.label() + ")" + (severalLoads() ? ": " + load : ""), group,
                        unit, ComparedCell::name, charts.styles()::of).ifPresent(boxes::add));
        return boxes;
    }

    /// A series of the first run of each scheduler under the largest load.
    private Optional<ChartData> overTime(String id, String title, String axis, Function<RunRecord, TimeSeries> source) {
        List<Line> lines = new ArrayList<>();
        List<ComparedCell> largest = ComparedCell.byLoad(cells).values().stream()
                .max(Comparator.comparing(List::getFirst, BY_REQUESTS)).orElse(List.of());
        for (ComparedCell cell : largest) {
            charts.runs(cell).stream().findFirst().map(source).filter(series -> series.x().length > 0).ifPresent(
                    series -> lines.add(new Line(cell.name(), charts.styles().of(cell), series.x(), series.y())));
        }
        return lines.isEmpty() ? Optional.empty()
                : Optional.of(new ChartData(id, title,
                        "first run of each scheduler" + (severalLoads() ? " · " + names.of(largest.getFirst()) : ""),
                        new Axis("time since measuring began, s", false, 0, Double.NaN),
                        new Axis(axis, false, 0, TOP_PERCENT), new Marks.Lines(drawn(lines), false)));
    }

    private static List<Line> drawn(List<Line> lines) {
        return lines.stream().limit(MOST_LINES).toList();
    }

    /// One unit for all latencies, so that the panels of a sheet can be compared.
    private AxisUnit unit(List<CellFigure> figures) {
        Unit unit = figures.getFirst().metric().unit();
        List<CellFigure> shown = unit == Unit.NANOSECONDS
                ? LATENCIES.stream().flatMap(metric -> charts.figures(metric).stream()).toList() : figures;
        return AxisUnit.of(unit, shown.stream().mapToDouble(CellFigure::mean).max().orElse(0));
    }

    private static String title(Metric metric, AxisUnit unit) {
        return metric.label() + " (" + unit.label() + ")";
    }

    private String footer(List<CellFigure> figures, boolean bars) {
        int runs = figures.stream().mapToInt(CellFigure::runs).min().orElse(0);
        String spread =
                runs < 2 ? "1 run each, no interval" : "mean of " + runs + " runs" + (bars ? ", 95 % intervals" : "");
        String samples = figures.stream().noneMatch(CellFigure::isMarked) ? ""
                : " · " + FigureText.tooFew(figures) + " for this percentile";
        return spread + samples + window();
    }

    /// The measured window, as long as it was.
    private String window() {
        List<Double> seconds =
                charts.figures(Metrics.WINDOW).stream().map(figure -> figure.mean() / 1e9).sorted().toList();
        if (seconds.isEmpty()) {
            return "";
        }
        String shortest = QuantityText.significant(seconds.getFirst());
        String longest = QuantityText.significant(seconds.getLast());
        return " · window " + shortest + (shortest.equals(longest) ? "" : " to " + longest) + " s";
    }

    private static int requests(ComparedCell cell) {
        return cell.load().requests();
    }

    private boolean severalLoads() {
        return ComparedCell.byLoad(cells).size() > 1;
    }

    @SafeVarargs
    private static void sheet(List<ChartSheet> sheets, String id, int across, Optional<ChartData>... panels) {
        List<ChartData> present = Arrays.stream(panels).flatMap(Optional::stream).toList();
        if (!present.isEmpty()) {
            sheets.add(new ChartSheet(id, present.getFirst().title(), present, across));
        }
    }
}
