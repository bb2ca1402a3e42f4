package org.inferometer.report.charts;

import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Optional;
import org.inferometer.record.CellFigure;
import org.inferometer.record.Metric;
import org.inferometer.record.Metric.Unit;
import org.inferometer.report.AxisUnit;
import org.inferometer.report.FigureText;
import org.inferometer.report.charts.ChartData.Axis;
import org.inferometer.report.charts.ChartData.Span;
import org.inferometer.report.compare.ComparedCell;

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

    /// Whether each run has samples enough.
    boolean enough() {
        return shown.stream().allMatch(cell -> figure(cell).enough());
    }

    double value(ComparedCell cell) {
        return unit.of(figure(cell).mean());
    }

    Span span(ComparedCell cell) {
        return figure(cell).ends().map(ends -> new Span(unit.of(ends.low()), unit.of(ends.high()))).orElse(Span.NONE);
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
        return enough() ? runs
                : runs + " · " + metric.label() + ": " + FigureText.fewestSamples(figures) + " in a run, too few";
    }

    private CellFigure figure(ComparedCell cell) {
        return cell.required(metric);
    }
}
