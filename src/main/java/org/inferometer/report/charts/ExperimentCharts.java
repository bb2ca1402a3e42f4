package org.inferometer.report.charts;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.inferometer.experiment.FieldType;
import org.inferometer.experiment.Subject;
import org.inferometer.measurement.Metrics;
import org.inferometer.measurement.statistics.Distribution;
import org.inferometer.record.CellFigure;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.MemoryOwner;
import org.inferometer.record.Metric;
import org.inferometer.report.AxisUnit;
import org.inferometer.report.FigureText;
import org.inferometer.report.charts.CellCharts.CellAxis;
import org.inferometer.report.charts.ChartData.Axis;
import org.inferometer.report.charts.ChartData.Layer;
import org.inferometer.report.charts.ChartData.Line;
import org.inferometer.report.charts.ChartData.Marks;
import org.inferometer.report.charts.SweepCharts.PlaneChart;
import org.inferometer.report.compare.ComparedCell;
import org.inferometer.report.compare.LoadNames;
import org.jspecify.annotations.Nullable;

/// The charts of an experiment, from the complete runs of its record, as its tables are. A chart without data does not exist. For one
/// thread.
public final class ExperimentCharts {
    private static final int MOST_SERIES = 8;
    private static final int MOST_LEADING = 4;
    private final CellCharts charts;
    private final List<ComparedCell> cells;
    private final ObjectiveGuides guides;
    private final RunPanels panels;
    private final Map<LatencySamples, Optional<ChartData>> distributions = new EnumMap<>(LatencySamples.class);
    private @Nullable List<ChartData> leading;

    /// @param record with at least one ended run, or there are no charts
    public ExperimentCharts(ExperimentRecord record) {
        this.charts = new CellCharts(List.of(record));
        this.cells = charts.cells();
        this.panels = new RunPanels(charts);
        this.guides = new ObjectiveGuides(record.manifest().spec().goal().objective());
    }

    /// The charts that answer first: of a sweep its curves; of one cell TTFT and ITL as distributions; else the cells in one plane and
    /// the distribution that differs most; and memory.
    public List<ChartData> leading() {
        List<ChartData> known = leading;
        if (known == null) {
            known = answering();
            leading = known;
        }
        return known;
    }

    private List<ChartData> answering() {
        List<SweptField> swept = SweptField.of(cells);
        if (swept.isEmpty()) {
            Optional<ChartData> plane = new PlaneChart(guides, charts.styles()::of).cells(cells);
            // A single mark in a plane says less than the distribution beside it.
            Optional<ChartData> gaps = cells.size() == 1 ? ecdf(LatencySamples.ITL) : Optional.empty();
            return Stream
                    .of(gaps.isPresent() ? mostDifferent() : plane.or(this::throughputBars),
                            gaps.or(this::mostDifferent), MemoryCharts.cells(cells), RatioCharts.quantisation(cells))
                    .flatMap(Optional::stream).toList();
        }
        List<ChartData> sweep = sweep(swept);
        return sweep.subList(0, Math.min(MOST_LEADING, sweep.size()));
    }

    /// Of a file that has no latencies beside its rates.
    private Optional<ChartData> throughputBars() {
        return CellAxis.first(List.of(Metrics.OUTPUT_THROUGHPUT, Metrics.TOTAL_THROUGHPUT), cells)
                .flatMap(axis -> bars(axis.metric(), "throughput", axis.metric().label()));
    }

    /// Every chart a report shows: the leading ones first.
    public List<ChartData> all() {
        return sheets().stream().flatMap(sheet -> sheet.panels().stream()).toList();
    }

    /// The same charts, those over the time of a run together: a sheet of small panels with equal axes.
    public List<ChartSheet> sheets() {
        Map<String, ChartSheet> sheets = new LinkedHashMap<>();
        Stream.of(leading().stream(), sweep(SweptField.of(cells)).stream(), others()).flatMap(each -> each)
                .map(ChartSheet::of).forEach(sheet -> sheets.putIfAbsent(sheet.id(), sheet));
        Stream.of(panels.requests(), panels.memory()).flatMap(Optional::stream)
                .forEach(sheet -> sheets.putIfAbsent(sheet.id(), sheet));
        return List.copyOf(sheets.values());
    }

    private List<ChartData> sweep(List<SweptField> swept) {
        if (swept.isEmpty()) {
            return List.of();
        }
        List<ChartData> sweep = new ArrayList<>(new SweepCharts(cells, swept, guides, charts.styles()).all());
        swept.stream().filter(SweptField::isLength).findFirst().flatMap(length -> MemoryCharts.lengths(length, cells))
                .ifPresent(memory -> sweep.add(Math.min(2, sweep.size()), memory));
        return sweep;
    }

    private Stream<ChartData> others() {
        return Stream.of(bars(Metrics.OUTPUT_THROUGHPUT, "throughput", "Output throughput"),
                bars(Metrics.TTFT.p50(), "ttft-p50", "TTFT P50"), outputThroughput(), ecdf(LatencySamples.TTFT),
                ecdf(LatencySamples.ITL), ecdf(LatencySamples.INTER_CHUNK), ecdf(LatencySamples.E2E),
                charts.boxes("e2e-boxes", unit -> "E2E latency by cell (" + unit.label() + ")", cells, charts.e2eUnit(),
                        ComparedCell::label, charts.styles()::of),
                MemoryCharts.cells(cells), RatioCharts.quantisation(cells)).flatMap(Optional::stream);
    }

    /// The distribution of the latency whose P50 or P95 differ most between the cells, by their ratio; of TTFT with one cell.
    private Optional<ChartData> mostDifferent() {
        return Stream.of(LatencySamples.values()).filter(samples -> ecdf(samples).isPresent())
                .max(Comparator.comparingDouble(this::spread)).flatMap(this::ecdf);
    }

    private double spread(LatencySamples samples) {
        List<double[]> all = cellsWithRuns().stream().map(cell -> charts.samples(samples, cell))
                .filter(nanos -> nanos.length > 0).toList();
        return DoubleStream.of(50, 95).map(percent -> {
            double[] values = all.stream().mapToDouble(nanos -> Distribution.ofAscending(nanos).percentile(percent))
                    .filter(value -> value > 0).sorted().toArray();
            return values.length < 2 ? 1 : values[values.length - 1] / values[0];
        }).max().orElse(1);
    }

    /// Output tokens over time: one line a cell, of its run with the middle throughput.
    private Optional<ChartData> outputThroughput() {
        double width = TimeSeries.widthSeconds(cellsWithRuns().stream().map(panels::run).toList());
        List<Line> lines = new ArrayList<>();
        for (ComparedCell cell : cellsWithRuns()) {
            TimeSeries series = TimeSeries.outputThroughput(panels.run(cell), width);
            if (series.x().length > 0) {
                lines.add(new Line(cell.label(), charts.styles().of(cell), series.x(), series.y()));
            }
        }
        String window = FieldType.plain(width) + " s";
        return lines.isEmpty() ? Optional.empty()
                : Optional.of(new ChartData("throughput-over-time", "Output throughput over time (tok/s)",
                        "run with the middle throughput of each cell · windows of " + window + ", not smoothed"
                                + omittedCells(),
                        new Axis(RunPanels.TIME, false, 0, Double.NaN), Axis.fromZero("tok/s"),
                        new Marks.Lines(lines, false)));
    }

    private Optional<ChartData> ecdf(LatencySamples samples) {
        return distributions.computeIfAbsent(samples, this::distribution);
    }

    private Optional<ChartData> distribution(LatencySamples samples) {
        List<LatencyCurves.Curve> curves = cellsWithRuns().stream().map(cell -> new LatencyCurves.Curve(cell.label(),
                charts.styles().of(cell), charts.samples(samples, cell), charts.runs(cell))).toList();
        return new LatencyCurves(samples, curves, guides, charts.records()).chart(samples.id(), omittedCells());
    }

    /// Bars of one metric: engines (with workloads) side by side, one bar a scheduler, with the intervals over runs.
    private Optional<ChartData> bars(Metric metric, String id, String title) {
        List<CellFigure> figures = charts.figures(metric);
        if (figures.isEmpty()) {
            return Optional.empty();
        }
        AxisUnit unit = AxisUnit.of(figures.getFirst().metric().unit(),
                figures.stream().mapToDouble(CellFigure::mean).max().orElse(0));
        Function<ComparedCell, String> category = categories();
        Map<String, List<ComparedCell>> series = ComparedCell.grouped(cells, cell -> cell.subject().system());
        int runs = figures.stream().mapToInt(CellFigure::runs).min().orElse(0);
        return Optional.of(new ChartData(id, title + " (" + unit.label() + ")",
                runs < 2 ? "1 run each, no interval" : "mean of " + runs + " runs, 95 % intervals", Axis.fitted(""),
                Axis.fromZero(unit.label()), charts.bars(ComparedCell.grouped(cells, category), series, metric, unit)));
    }

    /// What varies of engine and load; the engine where neither does.
    private Function<ComparedCell, String> categories() {
        LoadNames loads = LoadNames.of(cells);
        boolean oneLoad = cells.stream().map(ComparedCell::load).distinct().count() == 1;
        boolean oneModel = cells.stream().map(ExperimentCharts::model).distinct().count() == 1;
        return cell -> oneLoad ? model(cell) : oneModel ? loads.of(cell) : model(cell) + " · " + loads.of(cell);
    }

    private static String model(ComparedCell cell) {
        Subject subject = cell.subject();
        return subject.model().orElse(subject.platform());
    }

    private List<ComparedCell> cellsWithRuns() {
        return cells.stream().filter(cell -> !charts.runs(cell).isEmpty()).limit(MOST_SERIES).toList();
    }

    private String omittedCells() {
        return cells.size() > MOST_SERIES ? " · first " + MOST_SERIES + " of " + cells.size() + " cells" : "";
    }

    /// Memory of cells by owner at its peak, as bars on one axis.
    private static final class MemoryCharts {
        /// What an engine needs on any machine; the rest is the runtime's.
        private static final Set<MemoryOwner> OF_THE_MODEL =
                EnumSet.of(MemoryOwner.WEIGHTS, MemoryOwner.KV_CACHE, MemoryOwner.ACTIVATIONS, MemoryOwner.WORKSPACE);
        private static final int MOST_BARS = 12;

        private MemoryCharts() {}

        /// One bar a cell: of the model's owners alone if a cell has them, so that they are seen beside the runtime. Empty without samples.
        static Optional<ChartData> cells(List<ComparedCell> cells) {
            Map<String, ComparedCell> named = new LinkedHashMap<>();
            cells.forEach(cell -> named.putIfAbsent(cell.label(), cell));
            return bars("memory-by-cell", named);
        }

        /// One bar for each value of a swept length, in the order of the curves. Empty without samples.
        static Optional<ChartData> lengths(SweptField length, List<ComparedCell> cells) {
            Map<String, ComparedCell> named = new LinkedHashMap<>();
            Map<String, List<ComparedCell>> curves = length.curves(cells);
            curves.forEach(
                    (name, curve) -> curve
                            .forEach(
                                    cell -> named.putIfAbsent(
                                            (curves.size() > 1 ? name + " · " : "")
                                                    + FieldType.plain(length.value(cell)) + " " + length.label(),
                                            cell)));
            return bars("memory-by-length", named);
        }

        private static Optional<ChartData> bars(String id, Map<String, ComparedCell> named) {
            List<String> names = named.keySet().stream()
                    .filter(name -> largest(named.get(name), EnumSet.allOf(MemoryOwner.class)) > 0).limit(MOST_BARS)
                    .toList();
            List<ComparedCell> cells = names.stream().map(named::get).toList();
            boolean ofTheModel = cells.stream().anyMatch(cell -> largest(cell, OF_THE_MODEL) > 0);
            Set<MemoryOwner> shown = ofTheModel ? OF_THE_MODEL : EnumSet.allOf(MemoryOwner.class);
            AxisUnit unit = AxisUnit.ofMemory(cells.stream().mapToDouble(cell -> largest(cell, shown)).max().orElse(0));
            List<Layer> layers = new ArrayList<>();
            for (MemoryOwner owner : shown) {
                double[] peaks = cells.stream().mapToDouble(cell -> unit.of(peak(cell, owner))).toArray();
                if (Arrays.stream(peaks).anyMatch(peak -> peak > 0)) {
                    layers.add(new Layer(owner.label(), owner.ordinal(), peaks));
                }
            }
            return layers.isEmpty() ? Optional.empty() : Optional.of(new ChartData(id,
                    "Memory by owner at its peak (" + unit.label() + ")",
                    "peak, mean of " + FigureText.runs(cells.stream().mapToInt(ComparedCell::runs).summaryStatistics())
                            + (ofTheModel ? " · without runtime and unattributed" : "")
                            + (named.size() > names.size() ? " · " + names.size() + " of " + named.size() + " cells"
                                    : ""),
                    Axis.fromZero(unit.label()), Axis.fitted(""), new Marks.OwnerBars(names, layers)));
        }

        private static double largest(@Nullable ComparedCell cell, Set<MemoryOwner> owners) {
            return cell == null ? 0 : owners.stream().mapToDouble(owner -> peak(cell, owner)).sum();
        }

        private static double peak(ComparedCell cell, MemoryOwner owner) {
            return cell.figure(Metrics.memory(owner).peak()).map(CellFigure::mean).orElse(0.0);
        }
    }
}
