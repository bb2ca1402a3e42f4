package org.inferometer.report.charts;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.inferometer.experiment.Subject;
import org.inferometer.measurement.Distribution;
import org.inferometer.measurement.RunWindow;
import org.inferometer.record.CellFigure;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.MemoryOwner;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.record.TelemetrySample;
import org.inferometer.report.AxisUnit;
import org.inferometer.report.charts.ChartData.Axis;
import org.inferometer.report.charts.ChartData.BarSeries;
import org.inferometer.report.charts.ChartData.Bins;
import org.inferometer.report.charts.ChartData.Box;
import org.inferometer.report.charts.ChartData.Layer;
import org.inferometer.report.charts.ChartData.Line;
import org.inferometer.report.charts.ChartData.Marks;
import org.inferometer.report.compare.ComparedCell;
import org.inferometer.workload.WorkloadSpec;

/// The charts of an experiment, from the complete runs of its record, as its tables are. A chart for which nothing was recorded does not exist.
public final class ExperimentCharts {
    private static final int MOST_SERIES = 8;
    private static final int MOST_BINS = 64;
    private static final String TIME = "time since measuring began, s";
    private final ExperimentRecord record;
    private final List<ComparedCell> cells;
    private final SeriesStyles looks;

    /// @param record with at least one ended run, or there are no charts
    public ExperimentCharts(ExperimentRecord record) {
        this.record = record;
        this.cells = ComparedCell.of(List.of(record.manifest()));
        this.looks = new SeriesStyles(cells);
    }

    /// Every chart a report shows, in order.
    public List<ChartData> all() {
        List<Optional<ChartData>> charts =
                new ArrayList<>(List.of(comparison("output_throughput", "throughput", "Output throughput by cell"),
                        comparison("ttft_p50", "ttft-p50", "TTFT P50 by cell"), outputThroughput(),
                        ecdf(LatencySamples.TTFT, "ttft-ecdf"), ecdf(LatencySamples.ITL, "itl-ecdf"),
                        ecdf(LatencySamples.INTER_CHUNK, "inter-chunk-ecdf"), ecdf(LatencySamples.E2E, "e2e-ecdf"),
                        latencyBoxes()));
        firstRuns().stream().findFirst().ifPresent(run -> {
            charts.add(requestsInSystem(run));
            charts.add(memory(run));
        });
        return charts.stream().flatMap(Optional::stream).toList();
    }

    /// Output tokens over time: one line a cell, of its first run.
    public Optional<ChartData> outputThroughput() {
        List<RunRecord> runs = firstRuns();
        double width = TimeSeries.widthSeconds(runs);
        List<Line> lines = new ArrayList<>();
        for (RunRecord run : runs) {
            TimeSeries series = TimeSeries.outputThroughput(run, width);
            if (series.x().length > 0) {
                lines.add(new Line(name(run), look(run), series.x(), series.y()));
            }
        }
        String window = BigDecimal.valueOf(width).stripTrailingZeros().toPlainString() + " s";
        return chart(lines.isEmpty(),
                new ChartData("throughput-over-time", "Output throughput over time, tok/s",
                        "first run of each cell · windows of " + window + ", not smoothed" + leftOut(),
                        new Axis(TIME, false, 0, Double.NaN), Axis.fromZero("tok/s"), new Marks.Lines(lines, false)));
    }

    /// TTFT as the share of requests within a latency.
    public Optional<ChartData> ttftDistribution() {
        return ecdf(LatencySamples.TTFT, "ttft-ecdf");
    }

    /// End-to-end latency as the share of requests within a latency.
    public Optional<ChartData> e2eDistribution() {
        return ecdf(LatencySamples.E2E, "e2e-ecdf");
    }

    /// Time to first token in logarithmic bins, 64 at most, fitted to one cell's exact latencies.
    public Optional<ChartData> ttftHistogram(int cellIndex) {
        List<RunRecord> runs = runs(cellIndex);
        double[] nanos = LatencySamples.TTFT.of(runs);
        if (nanos.length == 0) {
            return Optional.empty();
        }
        List<double[]> all = List.of(nanos);
        AxisUnit unit = AxisUnit.ofLatency(nanos[nanos.length - 1]);
        // Few samples in many bins show nothing but noise: 2·∛n bins (Rice's rule) until that reaches the most.
        int bins = (int) Math.min(MOST_BINS, Math.ceil(2 * Math.cbrt(nanos.length)));
        double[] edges = logEdges(unit.of(LogFloor.under(all).nanos()), unit.of(nanos[nanos.length - 1]), bins);
        double[] shares = new double[bins];
        for (double sample : nanos) {
            int place = Arrays.binarySearch(edges, sample / unit.raw());
            int bin = Math.clamp(place >= 0 ? place : -place - 2, 0, bins - 1);
            shares[bin] += 100.0 / nanos.length;
        }
        RunRecord any = runs.getFirst();
        return Optional.of(new ChartData("ttft-histogram-" + cellIndex, "TTFT distribution, share of requests",
                "n = " + nanos.length + " requests of " + count(runs) + " · " + bins + " logarithmic bins"
                        + LogFloor.note(all),
                Axis.log("TTFT, " + unit.word()), Axis.fromZero("share, %"),
                new Marks.Histogram(edges, List.of(new Bins(name(any), look(any), shares, false)))));
    }

    private Optional<ChartData> ecdf(LatencySamples samples, String id) {
        List<LatencyCurves.Curve> curves = firstRuns().stream().map(first -> new LatencyCurves.Curve(name(first),
                look(first), samples.of(runs(first.manifest().plan().cellIndex())))).toList();
        return new LatencyCurves(samples, curves).chart(id, leftOut());
    }

    /// One box a cell of end-to-end latency: P25 to P75, whiskers P5 and P95, a dot for the greatest.
    public Optional<ChartData> latencyBoxes() {
        List<double[]> samples = new ArrayList<>();
        for (ComparedCell cell : cells) {
            samples.add(LatencySamples.E2E.of(runs(cell.summary().cellIndex())));
        }
        AxisUnit unit = AxisUnit.ofLatency(samples.stream().filter(nanos -> nanos.length > 0)
                .mapToDouble(nanos -> nanos[nanos.length - 1]).max().orElse(0));
        LogFloor floor = LogFloor.under(samples);
        List<Box> boxes = new ArrayList<>();
        long n = 0;
        for (int c = 0; c < cells.size(); c++) {
            double[] nanos = samples.get(c);
            if (nanos.length > 0) {
                boxes.add(Box.of(cells.get(c).label(), looks.of(cells.get(c).summary()), Distribution.of(nanos),
                        value -> unit.of(floor.place(value))));
                n += nanos.length;
            }
        }
        return chart(boxes.isEmpty(),
                new ChartData("e2e-boxes", "E2E latency by cell, " + unit.word(),
                        "n = " + n + " requests of all runs · box P25 to P75, whiskers P5 and P95, dot greatest"
                                + LogFloor.note(samples),
                        Axis.fitted(""), Axis.log("E2E latency, " + unit.word()), new Marks.Boxes(boxes)));
    }

    /// Bars of one figure: engines (with workloads) side by side, one bar a scheduler, with the intervals over runs.
    public Optional<ChartData> comparison(String metricId, String id, String title) {
        List<CellFigure> present = cells.stream().flatMap(cell -> cell.figure(metricId).stream()).toList();
        if (present.isEmpty()) {
            return Optional.empty();
        }
        double largest = present.stream().mapToDouble(CellFigure::mean).max().orElse(0);
        AxisUnit axis = AxisUnit.of(present.getFirst().metric().unit(), largest);
        Function<ComparedCell, String> group = grouping();
        Set<String> categories = new LinkedHashSet<>();
        Set<String> schedulers = new LinkedHashSet<>();
        cells.forEach(cell -> {
            categories.add(group.apply(cell));
            schedulers.add(cell.summary().cell().subject().system());
        });
        List<BarSeries> series = new ArrayList<>();
        for (String scheduler : schedulers) {
            List<ComparedCell> own =
                    cells.stream().filter(cell -> cell.summary().cell().subject().system().equals(scheduler)).toList();
            series.add(bars(scheduler, List.copyOf(categories), own, group, metricId, axis));
        }
        int runs = present.stream().mapToInt(CellFigure::runs).min().orElse(0);
        String spread = runs < 2 ? "single runs, no interval" : "mean of " + runs + " runs, bars of 95 % intervals";
        String fullTitle = title + ", " + axis.word();
        return Optional.of(new ChartData(id, fullTitle, spread, Axis.fitted(""), Axis.fromZero(axis.word()),
                new Marks.Bars(List.copyOf(categories), series)));
    }

    private BarSeries bars(String scheduler, List<String> categories, List<ComparedCell> own,
            Function<ComparedCell, String> group, String metricId, AxisUnit axis) {
        double[] values = new double[categories.size()];
        double[] halfWidths = new double[categories.size()];
        Arrays.fill(values, Double.NaN);
        Arrays.fill(halfWidths, Double.NaN);
        for (ComparedCell cell : own) {
            int at = categories.indexOf(group.apply(cell));
            cell.figure(metricId).ifPresent(figure -> {
                values[at] = axis.of(figure.mean());
                halfWidths[at] = figure.interval().map(axis::of).orElse(Double.NaN);
            });
        }
        return new BarSeries(scheduler, ChartData.Look.solid(looks.of(own.getFirst().summary()).colour()), values,
                halfWidths);
    }

    private Function<ComparedCell, String> grouping() {
        long workloads = cells.stream().map(cell -> cell.summary().cell().workload()).distinct().count();
        return cell -> {
            Subject subject = cell.summary().cell().subject();
            WorkloadSpec load = cell.summary().cell().workload();
            String model = subject.model().orElse(subject.platform());
            return workloads > 1 ? model + " · " + load.name() + ", " + load.sizeInWords() : model;
        };
    }

    /// Requests running and waiting over the time of one run; where the target does not tell them apart, both as one line.
    public Optional<ChartData> requestsInSystem(RunRecord run) {
        TimeSeries running = TimeSeries.running(run);
        TimeSeries waiting = TimeSeries.waiting(run);
        List<Line> lines = new ArrayList<>();
        if (running.x().length > 0) {
            lines.add(new Line("running", ChartData.Look.solid(0), running.x(), running.y()));
            lines.add(new Line("waiting", ChartData.Look.solid(1), waiting.x(), waiting.y()));
        } else if (TimeSeries.inSystem(run).x().length > 0) {
            TimeSeries all = TimeSeries.inSystem(run);
            lines.add(new Line("in the system", ChartData.Look.solid(0), all.x(), all.y()));
        }
        return chart(lines.isEmpty(),
                new ChartData("requests-in-system", "Requests in the system",
                        name(run) + ", first run · warm-up included", Axis.fitted(TIME), Axis.fromZero("requests"),
                        new Marks.Lines(lines, true)));
    }

    /// Memory by owner over the time of one run.
    public Optional<ChartData> memory(RunRecord run) {
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
            layers.add(new Layer(owner.label(), owner.ordinal(), samples.stream()
                    .mapToDouble(sample -> unit.of(Math.max(sample.ownerBytes()[owner.ordinal()], 0))).toArray()));
        }
        return Optional.of(new ChartData("memory", "Memory by owner, " + unit.word(),
                name(run) + ", first run · n = " + samples.size() + " samples", Axis.fitted(TIME),
                Axis.fromZero(unit.word()), new Marks.Stack(seconds, layers)));
    }

    private List<RunRecord> firstRuns() {
        List<RunRecord> first = new ArrayList<>();
        for (ComparedCell cell : cells) {
            runs(cell.summary().cellIndex()).stream().findFirst().ifPresent(first::add);
        }
        return first.size() > MOST_SERIES ? first.subList(0, MOST_SERIES) : first;
    }

    private List<RunRecord> runs(int cellIndex) {
        return record.runs().stream().filter(
                run -> run.manifest().plan().cellIndex() == cellIndex && run.manifest().status() == RunStatus.COMPLETE)
                .toList();
    }

    private String leftOut() {
        return cells.size() > MOST_SERIES ? " · first " + MOST_SERIES + " of " + cells.size() + " cells" : "";
    }

    private String name(RunRecord run) {
        int index = run.manifest().plan().cellIndex();
        return cells.stream().filter(cell -> cell.summary().cellIndex() == index).findFirst().map(ComparedCell::label)
                .orElse(run.manifest().plan().cell().label());
    }

    private ChartData.Look look(RunRecord run) {
        int index = run.manifest().plan().cellIndex();
        return cells.stream().filter(cell -> cell.summary().cellIndex() == index).findFirst()
                .map(cell -> looks.of(cell.summary())).orElse(ChartData.Look.solid(0));
    }

    private static String count(List<RunRecord> runs) {
        return runs.size() == 1 ? "1 run" : runs.size() + " runs";
    }

    private static Optional<ChartData> chart(boolean empty, ChartData chart) {
        return empty ? Optional.empty() : Optional.of(chart);
    }

    private static double[] logEdges(double least, double greatest, int bins) {
        double top = greatest > least ? greatest : least * 1.01;
        double[] edges = new double[bins + 1];
        Arrays.setAll(edges, i -> least * Math.pow(top / least, i / (double) bins));
        return edges;
    }
}
