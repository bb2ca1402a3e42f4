package org.inferometer.report.charts;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.inferometer.experiment.FieldType;
import org.inferometer.measurement.Metrics;
import org.inferometer.record.Metric;
import org.inferometer.report.DifferenceText;
import org.inferometer.report.charts.ChartData.Marks;
import org.inferometer.report.charts.ChartData.Point;
import org.inferometer.report.charts.ChartData.PointSeries;
import org.inferometer.report.charts.ChartData.SeriesStyle;
import org.inferometer.report.charts.ChartData.Shaded;
import org.inferometer.report.compare.ComparedCell;

/// Cells in the plane of two metrics: latency against throughput.
///
/// @param style of the marks of a cell
record PlaneChart(ObjectiveGuides guides, Function<ComparedCell, SeriesStyle> style) {
    private static final List<Metric> THROUGHPUTS = List.of(Metrics.OUTPUT_THROUGHPUT, Metrics.TOTAL_THROUGHPUT,
            Metrics.COMPUTING_RATE, Metrics.REQUEST_THROUGHPUT);
    private static final List<Metric> LATENCIES = List.of(Metrics.TTFT.p95(), Metrics.TTFT.p50(), Metrics.TTFT.mean(),
            Metrics.SERVICE_TTFT.p95(), Metrics.SERVICE_TTFT.p50(), Metrics.SERVICE_TTFT.mean(), Metrics.E2E.p95(),
            Metrics.E2E.p50(), Metrics.E2E.mean(), Metrics.SERVICE_E2E.p50(), Metrics.SERVICE_E2E.mean(),
            Metrics.PREFILL_LATENCY.mean());
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
        return Optional.of(
                new ChartData("plane", y.metric().label() + " against " + DifferenceText.lowerFirst(x.metric().label()),
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
        swept.curves(y.shown()).forEach((name, curve) -> series.add(new PointSeries(name, style.apply(curve.getFirst()),
                true, curve.stream().map(cell -> point(FieldType.plain(swept.value(cell)), cell, x, y)).toList())));
        return Optional.of(
                new ChartData("users", y.metric().label() + " against " + DifferenceText.lowerFirst(x.metric().label()),
                        "number: " + swept.label() + " · " + y.footer() + missing(cells, y.shown()), x.axis(), y.axis(),
                        new Marks.Points(series)));
    }

    private static Point point(String label, ComparedCell cell, CellAxis x, CellAxis y) {
        double[] runX = x.runs(cell);
        double[] runY = y.runs(cell);
        boolean paired = runX.length == runY.length && runX.length > 1;
        return new Point(label, x.value(cell), y.value(cell), x.span(cell), y.span(cell), paired ? runX : new double[0],
                paired ? runY : new double[0]);
    }

    private static String missing(List<ComparedCell> cells, List<ComparedCell> shown) {
        int missing = cells.size() - shown.size();
        return missing == 0 ? "" : " · not recorded for " + missing + " of " + cells.size() + " cells";
    }
}
