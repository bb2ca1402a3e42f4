package org.inferometer.report.charts;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.inferometer.measurement.statistics.Distribution;
import org.inferometer.record.CellFigure;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.Metric;
import org.inferometer.record.Metric.Unit;
import org.inferometer.record.RunRecord;
import org.inferometer.report.AxisUnit;
import org.inferometer.report.FigureText;
import org.inferometer.report.charts.ChartData.Axis;
import org.inferometer.report.charts.ChartData.BarSeries;
import org.inferometer.report.charts.ChartData.Box;
import org.inferometer.report.charts.ChartData.Marks;
import org.inferometer.report.charts.ChartData.SeriesStyle;
import org.inferometer.report.charts.ChartData.Span;
import org.inferometer.report.charts.LatencyCurves.LogAxisFloor;
import org.inferometer.report.compare.ComparedCell;

/// The cells of experiments with their complete runs, and the kinds of chart that several sets of charts share.
///
/// Sorts the latencies of a cell once. For one thread.
final class CellCharts {
    private final List<ExperimentRecord> records;
    private final List<ComparedCell> cells;
    private final SeriesStyles styles;
    private final Map<SampleKey, double[]> samples = new HashMap<>();

    private record SampleKey(LatencySamples kind, String experiment, int cell) {}

    CellCharts(List<ExperimentRecord> records) {
        this.records = records;
        this.cells = ComparedCell.of(records.stream().map(ExperimentRecord::manifest).toList());
        this.styles = new SeriesStyles(cells);
    }

    List<ExperimentRecord> records() {
        return records;
    }

    List<ComparedCell> cells() {
        return cells;
    }

    SeriesStyles styles() {
        return styles;
    }

    /// `[samples]` nanoseconds of a cell's complete runs, ascending; not to be changed.
    double[] samples(LatencySamples kind, ComparedCell cell) {
        return samples.computeIfAbsent(new SampleKey(kind, cell.experiment(), cell.summary().cellIndex()),
                key -> kind.of(runs(cell)));
    }

    List<RunRecord> runs(ComparedCell cell) {
        return records.stream().filter(record -> record.manifest().id().equals(cell.experiment()))
                .flatMap(record -> record.completeRuns(cell.summary().cellIndex()).stream()).toList();
    }

    /// The figures of the cells that have one.
    List<CellFigure> figures(Metric metric) {
        return cells.stream().flatMap(cell -> cell.figure(metric).stream()).toList();
    }

    /// Bars of a metric with the intervals over runs.
    ///
    /// @param categories cells of each group of bars
    /// @param series cells of each colour; a category without a cell of the series has a gap
    Marks.Bars bars(Map<String, List<ComparedCell>> categories, Map<String, List<ComparedCell>> series, Metric metric,
            AxisUnit unit) {
        List<BarSeries> bars = new ArrayList<>();
        series.forEach((name, own) -> bars.add(new BarSeries(name,
                SeriesStyle.solid(styles.of(own.getFirst()).colour()),
                each(categories.values(), own, cell -> cell.figure(metric).map(figure -> unit.of(figure.mean())))
                        .stream().mapToDouble(value -> value.orElse(Double.NaN)).toArray(),
                each(categories.values(), own, cell -> cell.figure(metric).map(figure -> span(figure, unit))).stream()
                        .map(span -> span.orElse(Span.NONE)).toList())));
        return new Marks.Bars(List.copyOf(categories.keySet()), bars);
    }

    private static <T> List<Optional<T>> each(Collection<List<ComparedCell>> categories, List<ComparedCell> own,
            Function<ComparedCell, Optional<T>> value) {
        return categories.stream().map(category -> category.stream().filter(own::contains).findFirst().flatMap(value))
                .toList();
    }

    private static Span span(CellFigure figure, AxisUnit unit) {
        return figure.ends().map(ends -> new Span(unit.of(ends.low()), unit.of(ends.high()))).orElse(Span.NONE);
    }

    /// Boxes of E2E latency, one a cell with samples: P25 to P75, whiskers P5 and P95, a dot at the maximum. Empty without samples.
    ///
    /// @param title completed by the unit: "E2E latency by cell, "
    Optional<ChartData> boxes(String id, Function<AxisUnit, String> title, List<ComparedCell> shown, AxisUnit unit,
            Function<ComparedCell, String> name, Function<ComparedCell, SeriesStyle> style) {
        List<double[]> nanos = shown.stream().map(cell -> samples(LatencySamples.E2E, cell)).toList();
        LogAxisFloor floor = LogAxisFloor.of(nanos);
        List<Box> boxes = new ArrayList<>();
        for (int c = 0; c < shown.size(); c++) {
            if (nanos.get(c).length > 0) {
                boxes.add(Box.of(name.apply(shown.get(c)), style.apply(shown.get(c)),
                        Distribution.ofAscending(nanos.get(c)), value -> unit.of(floor.clip(value))));
            }
        }
        long n = nanos.stream().mapToLong(each -> each.length).sum();
        long gaveUp = shown.stream().mapToLong(cell -> LatencySamples.E2E.atLeast(runs(cell)).length).sum();
        return boxes.isEmpty() ? Optional.empty()
                : Optional.of(new ChartData(id, title.apply(unit),
                        "n = " + n + " requests of all runs · box P25 to P75, whiskers P5 and P95, dot maximum"
                                + (gaveUp == 0 ? "" : " · without " + gaveUp + " given up") + LogAxisFloor.note(nanos),
                        Axis.fitted(""), Axis.log("E2E latency, " + unit.label()), new Marks.Boxes(boxes), List.of(),
                        new LatencySamples.Lookup(LatencySamples.E2E, unit, records,
                                shown.stream().collect(Collectors.toMap(name, this::runs, (first, same) -> first)))));
    }

    /// The unit that fits the longest E2E latency of all cells.
    AxisUnit e2eUnit() {
        return AxisUnit.ofLatency(cells.stream().map(cell -> samples(LatencySamples.E2E, cell))
                .filter(nanos -> nanos.length > 0).mapToDouble(nanos -> nanos[nanos.length - 1]).max().orElse(0));
    }

    /// A metric of cells as an axis: its unit fits the largest mean.
    ///
    /// @param shown the cells that have it
    record CellAxis(Metric metric, AxisUnit unit, List<ComparedCell> shown) {
        /// The axis of a metric; empty if no cell has it.
        static Optional<CellAxis> of(Metric metric, List<ComparedCell> cells) {
            List<ComparedCell> shown = cells.stream().filter(cell -> cell.figure(metric).isPresent()).toList();
            return shown.isEmpty() ? Optional.empty()
                    : Optional.of(new CellAxis(metric,
                            AxisUnit.of(metric.unit(),
                                    shown.stream().mapToDouble(cell -> cell.required(metric).mean()).max().orElse(0)),
                            shown));
        }

        /// The first of some metrics that most cells have with samples enough; else the first that they have at all.
        static Optional<CellAxis> first(List<Metric> metrics, List<ComparedCell> cells) {
            List<CellAxis> axes = metrics.stream().flatMap(metric -> of(metric, cells).stream()).toList();
            int most = axes.stream().mapToInt(axis -> axis.shown.size()).max().orElse(0);
            List<CellAxis> widest = axes.stream().filter(axis -> axis.shown.size() == most).toList();
            return widest.stream().filter(CellAxis::enough).findFirst().or(() -> widest.stream().findFirst());
        }

        /// Whether the requests tell it of each cell.
        boolean enough() {
            return shown.stream().noneMatch(cell -> figure(cell).isMarked());
        }

        double value(ComparedCell cell) {
            return unit.of(figure(cell).mean());
        }

        Span span(ComparedCell cell) {
            return CellCharts.span(figure(cell), unit);
        }

        double[] runs(ComparedCell cell) {
            return figure(cell).runValues().stream().mapToDouble(unit::of).toArray();
        }

        /// Metric and unit: "TTFT P95, ms".
        String label() {
            return metric.label() + (unit.label().isEmpty() ? "" : ", " + unit.label());
        }

        /// Latencies span orders of magnitude, and so have a logarithmic axis if all are above zero.
        Axis axis() {
            boolean logarithmic = metric.unit() == Unit.NANOSECONDS
                    && shown.stream().allMatch(cell -> figure(cell).runValues().stream().allMatch(value -> value > 0));
            return logarithmic ? Axis.log(label()) : Axis.fromZero(label());
        }

        /// "mean of 3 runs, 95 % intervals · n = 24 in a run, too few for this percentile".
        String footer() {
            List<CellFigure> figures = shown.stream().map(this::figure).toList();
            IntSummaryStatistics counts = figures.stream().mapToInt(CellFigure::runs).summaryStatistics();
            String runs = counts.getMax() < 2 ? "1 run each, no interval"
                    : "mean of " + FigureText.runs(counts) + ", 95 % intervals";
            return enough() ? runs : runs + " · " + metric.label() + ": " + FigureText.tooFew(figures);
        }

        private CellFigure figure(ComparedCell cell) {
            return cell.required(metric);
        }
    }
}
