package org.inferometer.ui.chart;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartData.Axis;
import org.inferometer.report.charts.ChartData.Line;
import org.inferometer.report.charts.ChartData.Marks;
import org.inferometer.report.charts.M4Decimation;

/// The visible part of a chart with the points that its pixels can show, so that a zoom step over millions of points takes a frame.
///
/// Long lines have a decimation each, which is made when a line is first drawn and dropped with its chart.
final class DrawnPart {
    private static final int LONG_LINE = 8192;
    private final Map<double[], M4Decimation> decimations = new IdentityHashMap<>();

    /// Drops the decimations of lines that a chart does not have.
    void keep(ChartData chart) {
        if (!decimations.isEmpty()) {
            List<double[]> lines = chart.marks() instanceof Marks.Lines(var all, boolean ignored)
                    ? all.stream().map(Line::y).toList() : List.of();
            decimations.keySet().removeIf(y -> lines.stream().noneMatch(line -> line == y));
        }
    }

    /// The part to draw.
    ///
    /// @param visible without its hidden series
    /// @param columns pixel columns of the plot
    ChartData of(ChartData visible, Optional<AxisRange> zoom, int columns) {
        boolean large = visible.marks() instanceof Marks.Lines(var lines, boolean ignored)
                && lines.stream().anyMatch(DrawnPart::isLong);
        Optional<AxisRange> range = zoom.or(() -> large ? VisiblePart.ends(visible) : Optional.empty());
        if (!large || range.isEmpty() || !(visible.marks() instanceof Marks.Lines(var lines, boolean steps))) {
            return zoom.map(part -> VisiblePart.of(visible, part)).orElse(visible);
        }
        AxisRange shown = range.get();
        Axis axis = new Axis(visible.x().label(), visible.x().logarithmic(), shown.lower(), shown.upper());
        return visible.withMarks(zoom.isPresent() ? axis : visible.x(),
                new Marks.Lines(lines.stream()
                        .map(line -> isLong(line) ? thinned(line, axis, columns) : VisiblePart.of(line, shown))
                        .toList(), steps));
    }

    private static boolean isLong(Line line) {
        return line.x().length > LONG_LINE && !line.marked();
    }

    private Line thinned(Line line, Axis axis, int columns) {
        // One point at each side lies outside, so that the line reaches the edge.
        int from = Math.max(0, Samples.atOrBefore(line.x(), axis.lower()));
        int to = Math.min(line.x().length, Samples.atOrBefore(line.x(), axis.upper()) + 2);
        int[] kept = decimations.computeIfAbsent(line.y(), y -> new M4Decimation(line.x(), y)).indices(from, to,
                axis.lower(), axis.upper(), axis.logarithmic(), columns);
        return new Line(line.name(), line.style(), M4Decimation.at(line.x(), kept), M4Decimation.at(line.y(), kept));
    }
}
