package org.inferometer.ui.chart;

import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartData.Axis;
import org.inferometer.report.charts.ChartData.Layer;
import org.inferometer.report.charts.ChartData.Line;
import org.inferometer.report.charts.ChartData.Marks;
import org.inferometer.report.charts.ChartData.Point;
import org.inferometer.report.charts.ChartData.PointSeries;
import org.inferometer.report.charts.M4Decimation;
import org.inferometer.ui.chart.PlotArea.AxisRange;
import org.inferometer.ui.chart.PlotArea.PlotScale;
import org.inferometer.ui.chart.VisiblePart.Samples;
import org.inferometer.units.BinarySearch;

/// Cuts a chart to a part of its x axis: the marks within and one at each side, so that lines reach the edge and the y axis fits them.
record VisiblePart(AxisRange range) {
    /// The ends of what is drawn over x; empty for an axis of names or without data.
    static Optional<AxisRange> ends(ChartData chart) {
        double[] ends = switch (chart.marks()) {
            case Marks.Lines(var lines, boolean ignored) ->
                lines.stream().flatMapToDouble(line -> ends(line.x(), chart.x())).toArray();
            case Marks.Stack(double[] x, var ignored) -> ends(x, chart.x()).toArray();
            case Marks.Histogram(double[] edges, var ignored) -> ends(edges, chart.x()).toArray();
            case Marks.Points(var series) -> series
                    .stream().flatMap(each -> each.points().stream()).flatMap(point -> Stream
                            .of(new double[]{point.x(), point.xSpan().low(), point.xSpan().high()}, point.runX()))
                    .flatMapToDouble(Arrays::stream).toArray();
            case Marks.Ratios(var rows) -> rows.stream().flatMap(
                    row -> Stream.of(new double[]{1, row.value(), row.span().low(), row.span().high()}, row.runs()))
                    .flatMapToDouble(Arrays::stream).toArray();
            case Marks.Bars _,Marks.Boxes _,Marks.OwnerBars _,Marks.HeatMap _ -> new double[0];
        };
        boolean logarithmic = chart.x().logarithmic();
        double[] shown =
                Arrays.stream(ends).filter(x -> Double.isFinite(x) && (!logarithmic || x > 0)).sorted().toArray();
        if (shown.length == 0) {
            return Optional.empty();
        }
        AxisRange range = new AxisRange(Double.isNaN(chart.x().lower()) ? shown[0] : chart.x().lower(),
                Double.isNaN(chart.x().upper()) ? shown[shown.length - 1] : chart.x().upper());
        return range.isValid() ? Optional.of(range) : Optional.empty();
    }

    private static DoubleStream ends(double[] ascending, Axis axis) {
        int first = 0;
        while (axis.logarithmic() && first < ascending.length && !(ascending[first] > 0)) {
            first++;
        }
        return first == ascending.length ? DoubleStream.empty()
                : DoubleStream.of(ascending[first], ascending[ascending.length - 1]);
    }

    /// The chart with the range as the ends of its x axis.
    static ChartData of(ChartData chart, AxisRange range) {
        VisiblePart part = new VisiblePart(range);
        Marks marks = switch (chart.marks()) {
            case Marks.Lines(var lines, boolean steps) ->
                new Marks.Lines(lines.stream().map(part::line).toList(), steps);
            case Marks.Stack stack -> part.stack(stack);
            case Marks.Histogram histogram -> part.histogram(histogram);
            case Marks.Points(var series) -> new Marks.Points(series.stream().map(part::points).toList());
            case Marks.Ratios _,Marks.Bars _,Marks.Boxes _,Marks.OwnerBars _,Marks.HeatMap _ -> chart.marks();
        };
        return chart.withMarks(new Axis(chart.x().label(), chart.x().logarithmic(), range.lower(), range.upper()),
                marks);
    }

    /// The points of a line within a range and one at each side.
    static Line of(Line line, AxisRange range) {
        return new VisiblePart(range).line(line);
    }

    private Line line(Line line) {
        int from = from(line.x());
        int to = to(line.x());
        return new Line(line.name(), line.style(), Arrays.copyOfRange(line.x(), from, to),
                Arrays.copyOfRange(line.y(), from, to), line.marked() ? line.band().subList(from, to) : List.of());
    }

    private Marks.Stack stack(Marks.Stack stack) {
        int from = from(stack.x());
        int to = to(stack.x());
        return new Marks.Stack(Arrays.copyOfRange(stack.x(), from, to),
                stack.layers().stream().map(
                        layer -> new Layer(layer.name(), layer.memorySlot(), Arrays.copyOfRange(layer.y(), from, to)))
                        .toList());
    }

    private Marks.Histogram histogram(Marks.Histogram histogram) {
        int from = from(histogram.edges());
        int to = Math.max(from + 1, to(histogram.edges()));
        return new Marks.Histogram(Arrays.copyOfRange(histogram.edges(), from, to),
                histogram.series().stream().map(bins -> new ChartData.Bins(bins.name(), bins.style(),
                        Arrays.copyOfRange(bins.heights(), from, to - 1), bins.outline())).toList());
    }

    /// A joined point outside stays for the line to it, without its label.
    private PointSeries points(PointSeries series) {
        List<Point> points = series.points();
        return new PointSeries(series.name(), series.style(), series.joined(), IntStream.range(0, points.size())
                .filter(i -> within(points.get(i)) || (series.joined() && besideVisible(points, i))).mapToObj(i -> {
                    Point point = points.get(i);
                    return within(point) ? point : new Point("", point.x(), point.y(), point.xSpan(), point.ySpan(),
                            new double[0], new double[0]);
                }).toList());
    }

    private boolean besideVisible(List<Point> points, int i) {
        return (i > 0 && within(points.get(i - 1))) || (i + 1 < points.size() && within(points.get(i + 1)));
    }

    private boolean within(Point point) {
        return point.x() >= range.lower() && point.x() <= range.upper();
    }

    /// The last place at or before the range.
    private int from(double[] ascending) {
        return Math.max(0, Samples.atOrBefore(ascending, range.lower()));
    }

    /// One after the first place at or beyond the range.
    private int to(double[] ascending) {
        int last = Samples.atOrBefore(ascending, range.upper());
        return Math.min(ascending.length, last + 2);
    }

    /// Finds samples.
    static final class Samples {
        private Samples() {}

        /// The last of those that are not greater than the value, or -1.
        static int atOrBefore(double[] ascending, double value) {
            return BinarySearch.first(ascending.length, i -> !(ascending[i] <= value)) - 1;
        }

        /// The one whose place on the axis is nearest, or -1 if there is none.
        static int nearest(double[] ascending, double value, PlotScale scale) {
            int before = atOrBefore(ascending, value);
            if (before < 0 || before == ascending.length - 1) {
                return before < 0 ? ascending.length == 0 ? -1 : 0 : before;
            }
            double left = scale.place(value) - scale.place(ascending[before]);
            double right = scale.place(ascending[before + 1]) - scale.place(value);
            return right < left ? before + 1 : before;
        }
    }

    /// The visible part of a chart with the points that its pixels can show, so that a zoom step over millions of points takes a frame.
    ///
    /// Long lines have a decimation each, which is made when a line is first drawn and dropped with its chart.
    static final class DrawnPart {
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
            return new Line(line.name(), line.style(), M4Decimation.at(line.x(), kept),
                    M4Decimation.at(line.y(), kept));
        }
    }
}
