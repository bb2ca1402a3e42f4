package org.inferometer.chart;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Path2D;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.inferometer.chart.PathRenderer.PlotTransform;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartData.Axis;
import org.inferometer.report.charts.ChartData.Bins;
import org.inferometer.report.charts.ChartData.Layer;
import org.inferometer.report.charts.ChartData.Line;
import org.inferometer.report.charts.ChartData.Marks;
import org.inferometer.report.charts.ChartData.SeriesStyle;
import org.inferometer.report.charts.ChartData.Span;
import org.inferometer.report.charts.M4Decimation;
import org.jfree.chart.plot.DatasetRenderingOrder;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.data.xy.DefaultXYDataset;

/// Charts of curves: lines with their intervals, stacked areas and histograms. Lines and stacks are thinned to the pixel columns.
///
/// @param columns pixel columns of the picture
record CurveCharts(ChartStyle style, int columns) {
    XYPlot lines(ChartData data, Marks.Lines marks) {
        List<double[]> places = marks.lines().stream().map(Line::x).toList();
        double[] measured =
                marks.lines().stream().filter(Line::marked).map(Line::x).flatMapToDouble(Arrays::stream).toArray();
        ChartRanges xRange = marks.lines().stream().anyMatch(Line::marked) ? ChartRanges.marked(data.x(), places)
                : ChartRanges.tight(data.x(), places);
        ChartRanges yRange = ChartRanges.roomy(data.y(), marks.lines().stream()
                .flatMap(line -> Stream.concat(Stream.of(line.y()), line.band().stream().map(Span::ends))).toList());
        List<double[][]> curves =
                marks.lines().stream().map(line -> thinned(line, data.x(), xRange, marks.steps())).toList();
        XYPlot plot = new ChartFrame(style).plot(data, xRange, yRange, measured);
        // Bands lie under all lines.
        PathRenderer.draw(plot, 0, curves.stream().anyMatch(curve -> curve[0].length > 0),
                (g2, transform) -> marks.lines().reversed().forEach(line -> bands(g2, line, transform)));
        DefaultXYDataset dataset = new DefaultXYDataset();
        // Curves may have equal names.
        curves.forEach(curve -> dataset.addSeries(dataset.getSeriesCount(), curve));
        plot.setDataset(1, dataset);
        plot.setRenderer(1, new LineRenderer(marks.lines(), curves, style));
        plot.setDatasetRenderingOrder(DatasetRenderingOrder.FORWARD);
        plot.setFixedLegendItems(new ChartLegends(style).lines(marks.lines()));
        return plot;
    }

    /// `[x, y][points]`
    private double[][] thinned(Line line, Axis axis, ChartRanges range, boolean steps) {
        int[] kept = new M4Decimation(line.x(), line.y()).indices(0, line.x().length, range.lower(), range.upper(),
                axis.logarithmic(), columns);
        double[] x = M4Decimation.at(line.x(), kept);
        double[] y = M4Decimation.at(line.y(), kept);
        return steps ? stepped(x, y) : new double[][]{x, y};
    }

    /// Each value holds until the next; equal neighbours make one step.
    private static double[][] stepped(double[] x, double[] y) {
        double[] stepX = new double[2 * x.length];
        double[] stepY = new double[2 * x.length];
        int n = 0;
        for (int i = 0; i < x.length; i++) {
            boolean last = i + 1 == x.length;
            if (i > 0 && y[i] == y[i - 1] && !last) {
                continue;
            }
            if (i > 0) {
                stepX[n] = x[i];
                stepY[n++] = y[i - 1];
            }
            stepX[n] = x[i];
            stepY[n++] = y[i];
        }
        return new double[][]{Arrays.copyOf(stepX, n), Arrays.copyOf(stepY, n)};
    }

    /// Draws the intervals of a line as translucent bands; a point without an interval is a gap.
    private void bands(Graphics2D g2, Line line, PlotTransform transform) {
        g2.setPaint(style.translucent(style.series(line.style()), 0.16));
        int from = 0;
        while (from < line.band().size()) {
            int to = from;
            while (to < line.band().size() && line.band().get(to).isPresent()) {
                to++;
            }
            if (to - from > 1) {
                Path2D.Double path = new Path2D.Double();
                path.moveTo(transform.x(line.x()[from]), transform.withinY(line.band().get(from).low()));
                for (int i = from; i < to; i++) {
                    path.lineTo(transform.x(line.x()[i]), transform.withinY(line.band().get(i).high()));
                }
                for (int i = to - 1; i >= from; i--) {
                    path.lineTo(transform.x(line.x()[i]), transform.withinY(line.band().get(i).low()));
                }
                path.closePath();
                g2.fill(path);
            }
            from = to + 1;
        }
    }

    /// Draws each curve as one path with a few markers; a marker at every point of a measured series, and at points between gaps.
    private static final class LineRenderer extends XYLineAndShapeRenderer {
        private static final long serialVersionUID = 1L;
        private static final int MARKERS = 7;
        private final transient List<Line> lines;
        private final transient List<double[][]> curves;

        LineRenderer(List<Line> lines, List<double[][]> curves, ChartStyle style) {
            super(true, false);
            this.lines = lines;
            this.curves = curves;
            setDrawSeriesLineAsPath(true);
            setDefaultCreateEntities(false);
            setUseFillPaint(true);
            setDrawOutlines(true);
            Markers markers = new Markers(style, ChartStyle.MARK_RADIUS);
            for (int s = 0; s < lines.size(); s++) {
                SeriesStyle own = lines.get(s).style();
                setSeriesPaint(s, style.series(own));
                setSeriesStroke(s, style.line(own));
                setSeriesShape(s, markers.shape(own));
                setSeriesFillPaint(s, markers.fill(own));
                setSeriesOutlineStroke(s, markers.edge());
            }
        }

        /// Every point of a measured series, none of a faint one, else seven markers per series, shifted from series to series.
        @Override
        public boolean getItemShapeVisible(int series, int item) {
            double[] y = curves.get(series)[1];
            boolean marked = lines.get(series).marked();
            boolean alone =
                    (item == 0 || Double.isNaN(y[item - 1])) && (item == y.length - 1 || Double.isNaN(y[item + 1]));
            if (alone || marked || lines.size() == 1) {
                return alone || (marked && !Double.isNaN(y[item]));
            }
            if (lines.get(series).style().isFaint()) {
                return false;
            }
            int stride = Math.max(1, y.length / MARKERS);
            return item % stride == (int) (stride * ((series * 0.37 + 0.3) % 1.0));
        }
    }

    XYPlot stack(ChartData data, Marks.Stack marks) {
        ChartRanges xRange = ChartRanges.tight(data.x(), List.of(marks.x()));
        int[] kept = M4Decimation.indices(marks.x(), marks.layers().stream().map(Layer::y).toList(), xRange.lower(),
                xRange.upper(), columns);
        double[] x = M4Decimation.at(marks.x(), kept);
        List<double[]> tops = new ArrayList<>(List.of(new double[x.length]));
        for (Layer layer : marks.layers()) {
            double[] top = M4Decimation.at(layer.y(), kept);
            Arrays.setAll(top, i -> tops.getLast()[i] + top[i]);
            tops.add(top);
        }
        XYPlot plot = new ChartFrame(style).plot(data, xRange, ChartRanges.roomy(data.y(), List.of(tops.getLast())));
        PathRenderer.draw(plot, 0, x.length > 0 && tops.size() > 1, (g2, transform) -> {
            for (int layer = marks.layers().size() - 1; layer >= 0; layer--) {
                Path2D band = new Band(x, tops.get(layer), tops.get(layer + 1)).path(transform);
                style.fillMemory(g2, band, marks.layers().get(layer).memorySlot());
                // A hairline of background separates neighbours of similar colour.
                g2.setPaint(style.background());
                g2.setStroke(new BasicStroke((float) (0.8 * style.scale())));
                g2.draw(band);
            }
        });
        plot.setFixedLegendItems(new ChartLegends(style).layers(marks.layers()));
        return plot;
    }

    /// A layer of a stack as steps: each sample holds until the next.
    ///
    /// @param x `[samples]` ascending
    /// @param top `[samples]` NaN is a gap
    private record Band(double[] x, double[] bottom, double[] top) {
        Path2D path(PlotTransform transform) {
            Path2D.Double path = new Path2D.Double();
            int from = 0;
            while (from < x.length) {
                int to = from;
                while (to < x.length && !Double.isNaN(top[to])) {
                    to++;
                }
                if (to > from) {
                    outline(path, from, to, transform);
                }
                from = to + 1;
            }
            return path;
        }

        /// Neighbours of equal heights make one step.
        private void outline(Path2D path, int from, int to, PlotTransform transform) {
            int[] starts = IntStream.range(from, to)
                    .filter(i -> i == from || top[i] != top[i - 1] || bottom[i] != bottom[i - 1]).toArray();
            double[] places = IntStream.concat(Arrays.stream(starts), IntStream.of(to - 1))
                    .mapToDouble(i -> transform.x(x[i])).toArray();
            path.moveTo(places[0], transform.y(bottom[from]));
            for (int s = 0; s < starts.length; s++) {
                path.lineTo(places[s], transform.y(top[starts[s]]));
                path.lineTo(places[s + 1], transform.y(top[starts[s]]));
            }
            for (int s = starts.length - 1; s >= 0; s--) {
                path.lineTo(places[s + 1], transform.y(bottom[starts[s]]));
                path.lineTo(places[s], transform.y(bottom[starts[s]]));
            }
            path.closePath();
        }
    }

    XYPlot histogram(ChartData data, Marks.Histogram marks) {
        XYPlot plot = new ChartFrame(style).plot(data, ChartRanges.tight(data.x(), List.of(marks.edges())),
                ChartRanges.roomy(data.y(), marks.series().stream().map(Bins::heights).toList()));
        PathRenderer.draw(plot, 0, marks.edges().length > 1 && !marks.series().isEmpty(),
                (g2, transform) -> marks.series().reversed().forEach(bins -> bins(g2, marks.edges(), bins, transform)));
        plot.setFixedLegendItems(new ChartLegends(style).bins(marks.series()));
        return plot;
    }

    /// Draws a histogram as one shape, filled or as an outline.
    private void bins(Graphics2D g2, double[] edges, Bins own, PlotTransform transform) {
        Path2D.Double path = new Path2D.Double();
        path.moveTo(transform.x(edges[0]), transform.floor());
        for (int b = 0; b < own.heights().length; b++) {
            path.lineTo(transform.x(edges[b]), transform.y(own.heights()[b]));
            path.lineTo(transform.x(edges[b + 1]), transform.y(own.heights()[b]));
        }
        path.lineTo(transform.x(edges[edges.length - 1]), transform.floor());
        Color colour = style.series(own.style());
        if (!own.outline()) {
            g2.setPaint(style.translucent(colour, 0.45));
            g2.fill(path);
        }
        g2.setPaint(colour);
        g2.setStroke(style.line(own.style().isFaint() ? own.style() : SeriesStyle.solid(own.style().colour())));
        g2.draw(path);
    }
}
