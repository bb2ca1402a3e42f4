package org.inferometer.report.charts;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.inferometer.report.AxisUnit;
import org.inferometer.report.charts.ChartData.Axis;
import org.inferometer.report.charts.ChartData.Line;
import org.inferometer.report.charts.ChartData.Look;
import org.inferometer.report.charts.ChartData.Marks;

/// Latencies of some cells as the share within a latency: one curve a cell, through every sample.
///
/// @param samples what is drawn
/// @param curves in the order of their cells; cells without such samples are named under the chart
record LatencyCurves(LatencySamples samples, List<Curve> curves) {
    private static final int MOST_NAMED = 3;

    /// @param name of its cell
    /// @param nanos `[samples]` ascending; empty where the cell has none
    record Curve(String name, Look look, double[] nanos) {}

    /// Empty where no cell has such samples.
    ///
    /// @param leftOut what else is said under the chart
    Optional<ChartData> chart(String id, String leftOut) {
        List<Curve> drawn = curves.stream().filter(curve -> curve.nanos.length > 0).toList();
        if (drawn.isEmpty()) {
            return Optional.empty();
        }
        List<double[]> all = drawn.stream().map(Curve::nanos).toList();
        AxisUnit unit = AxisUnit.ofLatency(all.stream().mapToDouble(nanos -> nanos[nanos.length - 1]).max().orElse(0));
        LogFloor floor = LogFloor.under(all);
        List<Line> lines = drawn.stream().map(curve -> line(curve, floor, unit)).toList();
        long n = all.stream().mapToLong(nanos -> nanos.length).sum();
        return Optional
                .of(new ChartData(id, samples.label() + ": share of " + samples.counted() + " within a latency",
                        "n = " + n + " " + samples.counted() + " of all runs, exact" + LogFloor.note(all) + without()
                                + leftOut,
                        Axis.log(samples.label() + ", " + unit.word()), new Axis("share within, %", false, 0, 100),
                        new Marks.Lines(lines, true)));
    }

    private static Line line(Curve curve, LogFloor floor, AxisUnit unit) {
        double[] nanos = curve.nanos;
        double[] x = new double[nanos.length + 1];
        double[] y = new double[nanos.length + 1];
        x[0] = unit.of(floor.place(nanos[0]));
        for (int i = 0; i < nanos.length; i++) {
            x[i + 1] = unit.of(floor.place(nanos[i]));
            y[i + 1] = 100.0 * (i + 1) / nanos.length;
        }
        return new Line(curve.name, curve.look, x, y);
    }

    private String without() {
        List<String> names =
                new ArrayList<>(curves.stream().filter(curve -> curve.nanos.length == 0).map(Curve::name).toList());
        if (names.size() > MOST_NAMED) {
            int more = names.size() - MOST_NAMED;
            names.subList(MOST_NAMED, names.size()).clear();
            names.add("and " + more + " more");
        }
        return names.isEmpty() ? "" : " · none of " + String.join(", ", names);
    }
}
