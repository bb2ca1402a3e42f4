package org.inferometer.report.charts;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.inferometer.experiment.Subject;
import org.inferometer.measurement.Distribution;
import org.inferometer.measurement.Metrics;
import org.inferometer.measurement.RunWindow;
import org.inferometer.record.CellFigure;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.MemoryOwner;
import org.inferometer.record.Metric;
import org.inferometer.record.RunRecord;
import org.inferometer.record.TelemetrySample;
import org.inferometer.report.AxisUnit;
import org.inferometer.report.charts.ChartData.Axis;
import org.inferometer.report.charts.ChartData.Dash;
import org.inferometer.report.charts.ChartData.Layer;
import org.inferometer.report.charts.ChartData.Line;
import org.inferometer.report.charts.ChartData.Marks;
import org.inferometer.report.charts.ChartData.SeriesStyle;
import org.inferometer.report.compare.ComparedCell;
import org.inferometer.report.compare.LoadNames;
import org.jspecify.annotations.Nullable;

/// The charts of an experiment, from the complete runs of its record, as its tables are. A chart without data does not exist. For one
/// thread.
public final class ExperimentCharts {
    private static final int MOST_SERIES = 8;
    private static final String TIME = "time since measuring began, s";
    private static final int MOST_LEADING = 4;
    /// States of requests have a hue that no scheduler has.
    private static final int STATE_SLOT = SeriesStyles.SLOTS;
    private static final String THINNED = String.format(Locale.ROOT,
            " · first, least, greatest and last count of each of %,d stretches", CountOverTime.STRETCHES);
    private final CellCharts charts;
    private final List<ComparedCell> cells;
    private final ObjectiveGuides guides;
    private final Map<LatencySamples, Optional<ChartData>> distributions = new EnumMap<>(LatencySamples.class);
    private @Nullable List<ChartData> leading;

    /// @param record with at least one ended run, or there are no charts
    public ExperimentCharts(ExperimentRecord record) {
        this.charts = new CellCharts(List.of(record));
        this.cells = charts.cells();
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
                            gaps.or(this::mostDifferent), MemoryCharts.cells(cells), QuantisationChart.of(cells))
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
        Map<String, ChartData> all = new LinkedHashMap<>();
        Stream.of(leading().stream(), sweep(SweptField.of(cells)).stream(), others()).flatMap(each -> each)
                .forEach(chart -> all.putIfAbsent(chart.id(), chart));
        return List.copyOf(all.values());
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
        List<Optional<ChartData>> others =
                new ArrayList<>(List.of(bars(Metrics.OUTPUT_THROUGHPUT, "throughput", "Output throughput"),
                        bars(Metrics.TTFT.p50(), "ttft-p50", "TTFT P50"), outputThroughput(), ecdf(LatencySamples.TTFT),
                        ecdf(LatencySamples.ITL), ecdf(LatencySamples.INTER_CHUNK), ecdf(LatencySamples.E2E),
                        charts.boxes("e2e-boxes", unit -> "E2E latency by cell (" + unit.label() + ")", cells,
                                charts.e2eUnit(), ComparedCell::label, charts.styles()::of),
                        MemoryCharts.cells(cells), QuantisationChart.of(cells)));
        cellsWithRuns().stream().findFirst().ifPresent(cell -> {
            others.add(requests(cell));
            others.add(memory(cell));
        });
        return others.stream().flatMap(Optional::stream);
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

    /// Output tokens over time: one line a cell, of its first run.
    private Optional<ChartData> outputThroughput() {
        double width = TimeSeries.widthSeconds(cellsWithRuns().stream().map(this::firstRun).toList());
        List<Line> lines = new ArrayList<>();
        for (ComparedCell cell : cellsWithRuns()) {
            TimeSeries series = TimeSeries.outputThroughput(firstRun(cell), width);
            if (series.x().length > 0) {
                lines.add(new Line(cell.label(), charts.styles().of(cell), series.x(), series.y()));
            }
        }
        String window = BigDecimal.valueOf(width).stripTrailingZeros().toPlainString() + " s";
        return chart(lines.isEmpty(),
                new ChartData("throughput-over-time", "Output throughput over time (tok/s)",
                        "first run of each cell · windows of " + window + ", not smoothed" + omittedCells(),
                        new Axis(TIME, false, 0, Double.NaN), Axis.fromZero("tok/s"), new Marks.Lines(lines, false)));
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
        Map<String, List<ComparedCell>> series =
                ComparedCell.grouped(cells, cell -> cell.summary().cell().subject().system());
        int runs = figures.stream().mapToInt(CellFigure::runs).min().orElse(0);
        return Optional.of(new ChartData(id, title + " (" + unit.label() + ")",
                runs < 2 ? "1 run each, no interval" : "mean of " + runs + " runs, 95 % intervals", Axis.fitted(""),
                Axis.fromZero(unit.label()), charts.bars(ComparedCell.grouped(cells, category), series, metric, unit)));
    }

    /// What varies of engine and load; the engine where neither does.
    private Function<ComparedCell, String> categories() {
        LoadNames loads = LoadNames.of(cells);
        boolean oneLoad = cells.stream().map(cell -> cell.summary().cell().workload()).distinct().count() == 1;
        boolean oneModel = cells.stream().map(ExperimentCharts::model).distinct().count() == 1;
        return cell -> oneLoad ? model(cell) : oneModel ? loads.of(cell) : model(cell) + " · " + loads.of(cell);
    }

    private static String model(ComparedCell cell) {
        Subject subject = cell.summary().cell().subject();
        return subject.model().orElse(subject.platform());
    }

    /// Requests running and waiting over the time of the first run; one line of both for a target that reports no admission.
    private Optional<ChartData> requests(ComparedCell cell) {
        TimeSeries running = TimeSeries.running(firstRun(cell));
        TimeSeries waiting = TimeSeries.waiting(firstRun(cell));
        List<Line> lines = new ArrayList<>();
        if (running.x().length > 0) {
            lines.add(new Line("running", SeriesStyle.solid(STATE_SLOT), running.x(), running.y()));
            lines.add(new Line("waiting", new SeriesStyle(STATE_SLOT, Dash.DOTTED), waiting.x(), waiting.y()));
        } else {
            TimeSeries inFlight = TimeSeries.inFlight(firstRun(cell));
            if (inFlight.x().length > 0) {
                lines.add(new Line("in flight", SeriesStyle.solid(STATE_SLOT), inFlight.x(), inFlight.y()));
            }
        }
        boolean thinned = 2L * firstRun(cell).observations().requests().size() > CountOverTime.MOST_POINTS;
        return chart(lines.isEmpty(),
                new ChartData("requests-in-system", "Requests running and waiting",
                        cell.label() + ", first run · warm-up included" + (thinned ? THINNED : ""), Axis.fitted(TIME),
                        Axis.fromZero("requests"), new Marks.Lines(lines, true)));
    }

    /// Memory by owner over the time of the first run.
    private Optional<ChartData> memory(ComparedCell cell) {
        RunRecord run = firstRun(cell);
        List<TelemetrySample> samples = run.observations().telemetry();
        if (samples.isEmpty()) {
            return Optional.empty();
        }
        long origin = RunWindow.of(run.observations().requests()).map(RunWindow::startNanos)
                .orElse(samples.getFirst().nanos());
        double[] seconds = samples.stream().mapToDouble(sample -> (sample.nanos() - origin) / 1e9).toArray();
        AxisUnit unit = AxisUnit.ofMemory(samples.stream()
                .mapToDouble(
                        sample -> Arrays.stream(sample.ownerBytes()).mapToDouble(bytes -> Math.max(bytes, 0)).sum())
                .max().orElse(0));
        List<Layer> layers = new ArrayList<>();
        for (MemoryOwner owner : MemoryOwner.values()) {
            double[] heights = samples.stream()
                    .mapToDouble(sample -> unit.of(Math.max(sample.ownerBytes()[owner.ordinal()], 0))).toArray();
            if (Arrays.stream(heights).anyMatch(height -> height > 0)) {
                layers.add(new Layer(owner.label(), owner.ordinal(), heights));
            }
        }
        return Optional.of(new ChartData("memory", "Memory by owner (" + unit.label() + ")",
                cell.label() + ", first run · n = " + samples.size() + " samples", Axis.fitted(TIME),
                Axis.fromZero(unit.label()), new Marks.Stack(seconds, layers)));
    }

    private List<ComparedCell> cellsWithRuns() {
        return cells.stream().filter(cell -> !charts.runs(cell).isEmpty()).limit(MOST_SERIES).toList();
    }

    private RunRecord firstRun(ComparedCell cell) {
        return charts.runs(cell).getFirst();
    }

    private String omittedCells() {
        return cells.size() > MOST_SERIES ? " · first " + MOST_SERIES + " of " + cells.size() + " cells" : "";
    }

    private static Optional<ChartData> chart(boolean empty, ChartData chart) {
        return empty ? Optional.empty() : Optional.of(chart);
    }
}
