package org.inferometer.report.charts;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.inferometer.measurement.Metrics;
import org.inferometer.measurement.RunWindow;
import org.inferometer.record.CellFigure;
import org.inferometer.record.MemoryOwner;
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

/// Requests in the system and memory by owner over the time of a run: a panel a cell, all on equal axes, each of the run with the middle
/// throughput of its cell. Of many cells those that differ most in peak and duration.
final class RunPanels {
    static final String TIME = "time since measuring began, s";
    private static final int MOST = 8;
    private static final int ACROSS = 2;
    /// States of requests have a hue that no scheduler has.
    private static final int STATE_SLOT = SeriesStyles.SLOTS;
    private static final double HEADROOM = 1.05;
    private static final String THINNED = String.format(Locale.ROOT,
            " · first, least, greatest and last count of each of %,d stretches", TimeSeries.STRETCHES);
    private final CellCharts charts;
    private final List<ComparedCell> cells;

    RunPanels(CellCharts charts) {
        this.charts = charts;
        this.cells = charts.cells().stream().filter(cell -> !charts.runs(cell).isEmpty()).toList();
    }

    /// @param marks lines or areas
    /// @param peak of the whole
    private record Panel(ComparedCell cell, RunRecord run, Marks marks, DoubleSummaryStatistics seconds, double peak,
            String note) {}

    /// The run with the middle output throughput of the cell's runs; the lower of two.
    RunRecord run(ComparedCell cell) {
        List<RunRecord> runs = charts.runs(cell);
        List<Double> values = throughputs(cell);
        return values.size() != runs.size() ? runs.getFirst()
                : IntStream.range(0, runs.size()).boxed().sorted(Comparator.comparing(values::get))
                        .skip((runs.size() - 1) / 2).findFirst().map(runs::get).orElseThrow();
    }

    private static List<Double> throughputs(ComparedCell cell) {
        return cell.figure(Metrics.OUTPUT_THROUGHPUT).map(CellFigure::runValues).orElse(List.of());
    }

    /// Requests running and waiting; one line of both for a target that reports no admission.
    Optional<ChartSheet> requests() {
        List<Panel> panels = cells.stream().flatMap(cell -> requests(cell).stream()).toList();
        return sheet(panels, "requests-in-system", panels.size() == 1 ? "Requests running and waiting" : "Requests",
                "requests");
    }

    private Optional<Panel> requests(ComparedCell cell) {
        RunRecord run = run(cell);
        TimeSeries running = TimeSeries.running(run);
        List<Line> lines = new ArrayList<>();
        if (running.x().length > 0) {
            TimeSeries waiting = TimeSeries.waiting(run);
            lines.add(new Line("running", SeriesStyle.solid(STATE_SLOT), running.x(), running.y()));
            lines.add(new Line("waiting", new SeriesStyle(STATE_SLOT, Dash.DOTTED), waiting.x(), waiting.y()));
        } else {
            TimeSeries inFlight = TimeSeries.inFlight(run);
            if (inFlight.x().length > 0) {
                lines.add(new Line("in flight", SeriesStyle.solid(STATE_SLOT), inFlight.x(), inFlight.y()));
            }
        }
        if (lines.isEmpty()) {
            return Optional.empty();
        }
        DoubleSummaryStatistics seconds =
                lines.stream().flatMapToDouble(line -> Arrays.stream(line.x())).summaryStatistics();
        double peak = lines.stream().flatMapToDouble(line -> Arrays.stream(line.y())).max().orElse(0);
        boolean thinned = 2L * run.observations().requests().size() > TimeSeries.MOST_POINTS;
        return Optional.of(new Panel(cell, run, new Marks.Lines(lines, true), seconds, peak, thinned ? THINNED : ""));
    }

    /// Memory by owner.
    Optional<ChartSheet> memory() {
        List<ComparedCell> sampled =
                cells.stream().filter(cell -> !run(cell).observations().telemetry().isEmpty()).toList();
        double most = sampled.stream().flatMap(cell -> run(cell).observations().telemetry().stream())
                .mapToDouble(RunPanels::total).max().orElse(0);
        AxisUnit unit = AxisUnit.ofMemory(most);
        List<Panel> panels = sampled.stream().map(cell -> memory(cell, unit)).toList();
        return sheet(panels, "memory", (panels.size() == 1 ? "Memory by owner (" : "Memory (") + unit.label() + ")",
                unit.label());
    }

    private static double total(TelemetrySample sample) {
        return Arrays.stream(sample.ownerBytes()).mapToDouble(bytes -> Math.max(bytes, 0)).sum();
    }

    private Panel memory(ComparedCell cell, AxisUnit unit) {
        RunRecord run = run(cell);
        List<TelemetrySample> samples = run.observations().telemetry();
        long origin = RunWindow.of(run.observations().requests()).map(RunWindow::startNanos)
                .orElse(samples.getFirst().nanos());
        double[] seconds = samples.stream().mapToDouble(sample -> (sample.nanos() - origin) / 1e9).toArray();
        List<Layer> layers = new ArrayList<>();
        for (MemoryOwner owner : MemoryOwner.values()) {
            double[] heights = samples.stream()
                    .mapToDouble(sample -> unit.of(Math.max(sample.ownerBytes()[owner.ordinal()], 0))).toArray();
            if (Arrays.stream(heights).anyMatch(height -> height > 0)) {
                layers.add(new Layer(owner.label(), owner.ordinal(), heights));
            }
        }
        double peak = unit.of(samples.stream().mapToDouble(RunPanels::total).max().orElse(0));
        return new Panel(cell, run, new Marks.Stack(seconds, layers), Arrays.stream(seconds).summaryStatistics(), peak,
                "");
    }

    /// Of equal axes; empty without panels.
    private Optional<ChartSheet> sheet(List<Panel> panels, String id, String title, String y) {
        List<Panel> shown =
                mostDifferent(panels, Panel::peak, panel -> panel.seconds().getMax() - panel.seconds().getMin());
        double first = shown.stream().mapToDouble(panel -> panel.seconds().getMin()).min().orElse(0);
        double last = shown.stream().mapToDouble(panel -> panel.seconds().getMax()).max().orElse(1);
        Axis time = new Axis(TIME, false, Math.min(first, 0), last > first ? last : first + 1);
        double peak = shown.stream().mapToDouble(Panel::peak).max().orElse(0);
        Axis heights = new Axis(y, false, 0, peak > 0 ? peak * HEADROOM : 1);
        String omitted = shown.size() < panels.size()
                ? " · " + shown.size() + " of " + panels.size() + " cells, which differ most" : "";
        List<ChartData> charts = shown.stream()
                .map(panel -> new ChartData(
                        panels.size() == 1 ? id : id + "-" + (panel.cell().summary().cellIndex() + 1),
                        panels.size() == 1 ? title : title + ": " + panel.cell().label(),
                        named(panel) + omitted + panel.note(), time, heights, panel.marks()))
                .toList();
        return charts.isEmpty() ? Optional.empty()
                : Optional.of(new ChartSheet(id, title, charts, Math.min(ACROSS, charts.size())));
    }

    /// "run 7, middle throughput of 3".
    private String named(Panel panel) {
        int runs = charts.runs(panel.cell()).size();
        return "run " + (panel.run().manifest().plan().index().run() + 1)
                + (runs == 1 ? "" : throughputs(panel.cell()).size() != runs ? ", first of " + runs
                        : (runs == 2 ? ", lower" : ", middle") + " throughput of " + runs);
    }

    /// Of many the one with the greatest first value, then each time the one that is farthest from all chosen, by the ratios of both values. In
    /// their order.
    static <P> List<P> mostDifferent(List<P> all, ToDoubleFunction<P> value, ToDoubleFunction<P> other) {
        if (all.size() <= MOST) {
            return all;
        }
        List<P> chosen = new ArrayList<>(List.of(all.stream().max(Comparator.comparingDouble(value)).orElseThrow()));
        while (chosen.size() < MOST) {
            ToDoubleFunction<P> distance = each -> chosen.stream()
                    .mapToDouble(known -> logRatio(each, known, value) + logRatio(each, known, other)).min()
                    .orElseThrow();
            chosen.add(all.stream().filter(each -> !chosen.contains(each)).max(Comparator.comparingDouble(distance))
                    .orElseThrow());
        }
        return all.stream().filter(chosen::contains).toList();
    }

    private static <P> double logRatio(P one, P other, ToDoubleFunction<P> value) {
        double least = Double.MIN_NORMAL;
        return Math
                .abs(Math.log(Math.max(value.applyAsDouble(one), least) / Math.max(value.applyAsDouble(other), least)));
    }
}
