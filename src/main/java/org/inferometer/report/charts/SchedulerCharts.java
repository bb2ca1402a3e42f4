package org.inferometer.report.charts;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.inferometer.measurement.Distribution;
import org.inferometer.record.CellFigure;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.Metric.Unit;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.report.AxisUnit;
import org.inferometer.report.FigureText;
import org.inferometer.report.charts.ChartData.Axis;
import org.inferometer.report.charts.ChartData.BarSeries;
import org.inferometer.report.charts.ChartData.Box;
import org.inferometer.report.charts.ChartData.Line;
import org.inferometer.report.charts.ChartData.Marks;
import org.inferometer.report.compare.ComparedCell;
import org.inferometer.report.compare.RequestSizes;
import org.inferometer.units.QuantityText;
import org.inferometer.workload.WorkloadSpec;

/// The charts of a scheduler suite: throughput and latency against the number of requests, latency distributions, bars, and the use of
/// KV pool and lanes over time, all of complete runs. A chart for which nothing was recorded does not exist.
public final class SchedulerCharts {
    private static final int MOST_LINES = 8;
    private static final int MOST_ACROSS = 3;
    private static final List<String> LATENCIES = List.of("e2e_mean", "e2e_p50", "e2e_p95", "e2e_p99");
    /// A little over 100 %, so that what runs along it is seen.
    private static final double TOP_PERCENT = 104;
    /// The last marker must not touch the edge.
    private static final double ROOM_BESIDE = 1.03;
    private static final String REQUESTS = "requests of a run";
    private static final Comparator<ComparedCell> BY_SIZE = Comparator.comparingInt(SchedulerCharts::size);
    private final ExperimentRecord record;
    private final List<ComparedCell> cells;
    private final SeriesStyles looks;
    private final boolean sized;

    public SchedulerCharts(ExperimentRecord record) {
        this.record = record;
        this.cells = ComparedCell.of(List.of(record.manifest()));
        this.looks = new SeriesStyles(cells);
        this.sized = RequestSizes.tellLoadsApart(cells);
    }

    /// Every sheet, named as its file.
    public List<ChartSheet> sheets() {
        List<ChartSheet> sheets = new ArrayList<>();
        sheet(sheets, "throughput_comparison", 2, figure("request_throughput", "Request throughput"),
                figure("output_throughput", "Output throughput"));
        sheet(sheets, "latency_comparison", 2, figure("e2e_p50", "E2E P50"), figure("e2e_p95", "E2E P95"),
                figure("e2e_p99", "E2E P99"), figure("e2e_mean", "E2E mean"));
        List<ChartData> boxes = boxes();
        if (!boxes.isEmpty()) {
            sheets.add(new ChartSheet("latency_distribution", boxes,
                    boxes.size() <= MOST_ACROSS ? boxes.size() : (boxes.size() + 1) / 2));
        }
        sheet(sheets, "scheduler_comparison_bars", 2, bars("request_throughput", "Request throughput"),
                bars("output_throughput", "Output throughput"), bars("e2e_mean", "E2E mean"),
                bars("e2e_p95", "E2E P95"));
        sheet(sheets, "kv_use", 1, overTime("kv_use", "KV blocks held", "share of the pool, %", StepSeries::kvUse));
        sheet(sheets, "lane_use", 1,
                overTime("lane_use", "Lanes busy", "mean over computing lanes, %", StepSeries::laneUse));
        return sheets;
    }

    /// A figure against the number of requests where the loads differ in that alone, else as bars.
    Optional<ChartData> figure(String metricId, String title) {
        return sized ? bySize(metricId, title) : bars(metricId, title);
    }

    /// A figure against the number of requests: one line a scheduler.
    Optional<ChartData> bySize(String metricId, String title) {
        Map<String, List<ComparedCell>> named =
                byName(cells.stream().filter(cell -> cell.figure(metricId).isPresent()).toList());
        List<CellFigure> figures =
                named.values().stream().flatMap(List::stream).flatMap(cell -> cell.figure(metricId).stream()).toList();
        if (figures.isEmpty()) {
            return Optional.empty();
        }
        AxisUnit unit = unit(figures);
        List<Line> lines = new ArrayList<>();
        named.forEach((name, own) -> {
            List<ComparedCell> ordered = own.stream().sorted(BY_SIZE).toList();
            lines.add(new Line(name, look(ordered.getFirst()),
                    ordered.stream().mapToDouble(SchedulerCharts::size).toArray(),
                    ordered.stream().mapToDouble(cell -> unit.of(mean(cell, metricId))).toArray()));
        });
        return Optional.of(new ChartData(metricId + "-by-requests", title + ", " + unit.word(), footer(figures, false),
                new Axis(REQUESTS, false, 0,
                        ROOM_BESIDE * cells.stream().mapToInt(SchedulerCharts::size).max().orElse(1)),
                Axis.fromZero(unit.word()), new Marks.Lines(shown(lines), false)));
    }

    /// A figure as bars with intervals: groups by load, each with a label of its own, and one bar a scheduler.
    public Optional<ChartData> bars(String metricId, String title) {
        List<CellFigure> figures = cells.stream().flatMap(cell -> cell.figure(metricId).stream()).toList();
        if (figures.isEmpty()) {
            return Optional.empty();
        }
        AxisUnit unit = unit(figures);
        Map<String, List<ComparedCell>> loads = loads();
        List<List<ComparedCell>> groups = List.copyOf(loads.values());
        List<String> categories = sized ? groups.stream().map(group -> size(group.getFirst()) + " requests").toList()
                : List.copyOf(loads.keySet());
        List<BarSeries> series = new ArrayList<>();
        byName(cells).forEach((name,
                own) -> series.add(new BarSeries(name, ChartData.Look.solid(look(own.getFirst()).colour()),
                        each(groups, own, cell -> cell.figure(metricId).map(figure -> unit.of(figure.mean()))),
                        each(groups, own, cell -> cell.figure(metricId).flatMap(CellFigure::interval).map(unit::of)))));
        return Optional.of(new ChartData(metricId + "-bars", title + ", " + unit.word(), footer(figures, true),
                Axis.fitted(""), Axis.fromZero(unit.word()), new Marks.Bars(categories, series)));
    }

    /// The loads in words, no two alike, with their cells: by size where they differ in that alone, else in the order of the cells.
    private Map<String, List<ComparedCell>> loads() {
        Map<String, List<ComparedCell>> loads = ComparedCell.byLoad(cells);
        boolean unlike =
                loads.values().stream().map(group -> workload(group.getFirst())).distinct().count() == loads.size();
        Map<String, List<ComparedCell>> named = new LinkedHashMap<>();
        loads.forEach((words, group) -> named.put(unlike ? workload(group.getFirst()) : words, group));
        if (!sized) {
            return named;
        }
        Map<String, List<ComparedCell>> ordered = new LinkedHashMap<>();
        named.entrySet().stream().sorted(Map.Entry.comparingByValue(Comparator.comparing(List::getFirst, BY_SIZE)))
                .forEach(load -> ordered.put(load.getKey(), load.getValue()));
        return ordered;
    }

    private static double[] each(List<List<ComparedCell>> groups, List<ComparedCell> own,
            Function<ComparedCell, Optional<Double>> value) {
        return groups.stream()
                .mapToDouble(
                        group -> group.stream().filter(own::contains).findFirst().flatMap(value).orElse(Double.NaN))
                .toArray();
    }

    /// Boxes of end-to-end latency, one a scheduler; a chart for each load.
    public List<ChartData> boxes() {
        List<ChartData> charts = new ArrayList<>();
        double largest = 0;
        for (ComparedCell cell : cells) {
            double[] nanos = LatencySamples.E2E.of(runs(cell));
            largest = nanos.length == 0 ? largest : Math.max(largest, nanos[nanos.length - 1]);
        }
        AxisUnit unit = AxisUnit.ofLatency(largest);
        loads().forEach((load, group) -> {
            List<double[]> samples = group.stream().map(cell -> LatencySamples.E2E.of(runs(cell))).toList();
            LogFloor floor = LogFloor.under(samples);
            List<Box> boxes = new ArrayList<>();
            for (int c = 0; c < group.size(); c++) {
                if (samples.get(c).length > 0) {
                    boxes.add(Box.of(group.get(c).name(), look(group.get(c)), Distribution.of(samples.get(c)),
                            value -> unit.of(floor.place(value))));
                }
            }
            if (!boxes.isEmpty()) {
                long n = samples.stream().mapToLong(nanos -> nanos.length).sum();
                charts.add(new ChartData("e2e-boxes-" + charts.size(), "E2E latency, " + unit.word() + ": " + load,
                        "n = " + n + " requests of all runs · box P25 to P75, whiskers P5 and P95, dot greatest"
                                + LogFloor.note(samples),
                        Axis.fitted(""), Axis.log("E2E latency, " + unit.word()), new Marks.Boxes(boxes)));
            }
        });
        return charts;
    }

    /// What steps tell over time, of the first run of each scheduler under the largest load.
    Optional<ChartData> overTime(String id, String title, String axis, Function<RunRecord, StepSeries> source) {
        List<Line> lines = new ArrayList<>();
        List<ComparedCell> largest = ComparedCell.byLoad(cells).values().stream()
                .max(Comparator.comparing(List::getFirst, BY_SIZE)).orElse(List.of());
        for (ComparedCell cell : largest) {
            runs(cell).stream().findFirst().map(source).filter(series -> series.x().length > 0)
                    .ifPresent(series -> lines.add(new Line(cell.name(), look(cell), series.x(), series.y())));
        }
        return lines.isEmpty() ? Optional.empty()
                : Optional.of(new ChartData(id, title + ", %",
                        "first run of each scheduler · " + workload(largest.getFirst()),
                        new Axis("time since measuring began, s", false, 0, Double.NaN),
                        new Axis(axis, false, 0, TOP_PERCENT), new Marks.Lines(shown(lines), false)));
    }

    /// The dash tells precisions apart; where there is one alone, a solid line is easier to follow.
    private ChartData.Look look(ComparedCell cell) {
        boolean onePrecision = cells.stream().map(each -> each.summary().precision()).distinct().count() == 1;
        ChartData.Look look = looks.of(cell.summary());
        return onePrecision ? ChartData.Look.solid(look.colour()) : look;
    }

    private static Map<String, List<ComparedCell>> byName(List<ComparedCell> cells) {
        Map<String, List<ComparedCell>> named = new LinkedHashMap<>();
        cells.forEach(cell -> named.computeIfAbsent(cell.name(), name -> new ArrayList<>()).add(cell));
        return named;
    }

    private static <T> List<T> shown(List<T> lines) {
        return lines.size() > MOST_LINES ? lines.subList(0, MOST_LINES) : lines;
    }

    /// One unit for all latencies, so that the panels of a sheet can be compared.
    private AxisUnit unit(List<CellFigure> figures) {
        if (figures.getFirst().metric().unit() == Unit.NANOSECONDS) {
            return AxisUnit.ofLatency(
                    LATENCIES.stream().flatMap(id -> cells.stream().flatMap(cell -> cell.figure(id).stream()))
                            .mapToDouble(CellFigure::mean).max().orElse(0));
        }
        return AxisUnit.of(figures.getFirst().metric().unit(),
                figures.stream().mapToDouble(CellFigure::mean).max().orElse(0));
    }

    private String footer(List<CellFigure> figures, boolean bars) {
        int least = figures.stream().mapToInt(CellFigure::runs).min().orElse(0);
        String spread = least < 2 ? "single runs, no interval"
                : "means of " + least + " runs" + (bars ? ", 95 % intervals" : "");
        String enough = figures.stream().allMatch(CellFigure::enough) ? "" : " · fewest samples of a run "
                + FigureText.fewestSamplesOfARun(figures) + ", too few for this percentile";
        return spread + enough + window();
    }

    /// The stretch that the figures rest on, as long as it was.
    private String window() {
        List<Double> seconds = cells.stream().flatMap(cell -> cell.figure("window").stream())
                .map(figure -> figure.mean() / 1e9).toList();
        if (seconds.isEmpty()) {
            return "";
        }
        double least = seconds.stream().mapToDouble(Double::doubleValue).min().orElse(0);
        double most = seconds.stream().mapToDouble(Double::doubleValue).max().orElse(0);
        return " · windows of " + number(least) + (number(least).equals(number(most)) ? "" : " to " + number(most))
                + " s";
    }

    private static String number(double value) {
        return QuantityText.significant(value);
    }

    private List<RunRecord> runs(ComparedCell cell) {
        return record.runs().stream().filter(run -> run.manifest().plan().cellIndex() == cell.summary().cellIndex()
                && run.manifest().status() == RunStatus.COMPLETE).toList();
    }

    private static double mean(ComparedCell cell, String metricId) {
        return cell.figure(metricId).map(CellFigure::mean).orElse(Double.NaN);
    }

    private static int size(ComparedCell cell) {
        return cell.summary().cell().workload().requests();
    }

    private static String workload(ComparedCell cell) {
        WorkloadSpec load = cell.summary().cell().workload();
        return load.name() + ", " + load.sizeInWords();
    }

    @SafeVarargs
    private static void sheet(List<ChartSheet> sheets, String id, int across, Optional<ChartData>... panels) {
        List<ChartData> present = Arrays.stream(panels).flatMap(Optional::stream).toList();
        if (!present.isEmpty()) {
            sheets.add(new ChartSheet(id, present, across));
        }
    }
}
