package org.inferometer.chart;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartData.Axis;
import org.inferometer.report.charts.ChartData.Line;
import org.inferometer.report.charts.ChartData.Marks;
import org.inferometer.report.charts.ChartData.Point;
import org.inferometer.report.charts.ChartData.Span;
import org.inferometer.report.charts.ChartRenderer.Shade;
import org.inferometer.report.charts.M4Decimation;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.DatasetRenderingOrder;
import org.jfree.chart.plot.Plot;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.text.TextUtils;

/// Makes a JFreeChart of chart data: palette, dashes, markers, axes with units, footer.
///
/// Lines and stacks are decimated to the pixel columns, so a chart is composed again when its width changes much. Any thread may compose;
/// one thread draws.
public final class ChartComposer {
    static {
        // The library would draw rotated text as shapes.
        TextUtils.setUseDrawRotatedStringWorkaround(false);
    }

    private final ChartStyle style;

    /// @param scale of fonts and strokes: 1 for a tile on the screen
    public ChartComposer(Shade shade, double scale) {
        this.style = new ChartStyle(shade, scale);
    }

    /// A chart for a drawing of a width in device pixels.
    public JFreeChart compose(ChartData data, int widthPixels) {
        int columns = Math.max(16, widthPixels);
        Guides guides = new Guides(data.guides(), marks(data.marks()), style);
        Plot plot = switch (data.marks()) {
            case Marks.Lines lines -> lines(data, lines, columns);
            case Marks.Stack stack -> stack(data, stack, columns);
            case Marks.Histogram histogram -> histogram(data, histogram);
            case Marks.Bars bars -> new CategoryCharts(style).bars(data, bars);
            case Marks.Boxes boxes -> new CategoryCharts(style).boxes(data, boxes);
            case Marks.Points points -> points(data, points, guides);
            case Marks.Ratios ratios -> new RowCharts(style).ratios(data, ratios);
            case Marks.OwnerBars bars -> new RowCharts(style).ownerBars(data, bars);
            case Marks.HeatMap map -> new RowCharts(style).heatMap(data, map);
        };
        guides.addTo(plot);
        return new ChartFrame(style).framed(data, plot);
    }

    /// The places of marks that a text must not hide.
    private static List<Guides.Place> marks(Marks marks) {
        return switch (marks) {
            case Marks.Points(var series) -> series.stream().flatMap(each -> each.points().stream())
                    .map(point -> new Guides.Place(point.x(), point.y())).toList();
            case Marks.Lines(var lines, boolean _) -> lines.stream().filter(Line::marked).flatMap(line -> IntStream
                    .range(0, line.x().length).mapToObj(i -> new Guides.Place(line.x()[i], line.y()[i]))).toList();
            case Marks.Stack _,Marks.Histogram _,Marks.Bars _,Marks.Boxes _,Marks.Ratios _,Marks.OwnerBars _,Marks.HeatMap _ ->
                List.of();
        };
    }

    private XYPlot lines(ChartData data, Marks.Lines marks, int columns) {
        List<double[]> places = marks.lines().stream().map(Line::x).toList();
        ChartRanges xRange = marks.lines().stream().anyMatch(Line::marked) ? ChartRanges.marked(data.x(), places)
                : ChartRanges.tight(data.x(), places);
        ChartRanges yRange = ChartRanges.roomy(data.y(),
                marks.lines().stream().flatMap(
                        line -> Stream.concat(Stream.of(line.y()), line.band().stream().map(ChartComposer::ends)))
                        .toList());
        List<ColumnsDataset.Curve> drawn = new ArrayList<>();
        for (Line line : marks.lines()) {
            drawn.add(thinned(line, data.x(), xRange, columns, marks.steps()));
        }
        ColumnsDataset dataset = new ColumnsDataset(drawn);
        XYPlot plot = plot(data, xRange, yRange);
        double[] measured =
                marks.lines().stream().filter(Line::marked).map(Line::x).flatMapToDouble(Arrays::stream).toArray();
        switch (plot.getDomainAxis()) {
            case ReadableLogAxis axis -> axis.measuredAt(measured);
            case ReadableAxis axis -> axis.measuredAt(measured);
            default -> throw new IllegalStateException("Not an axis of lines: " + plot.getDomainAxis());
        }
        // Bands lie under all lines.
        plot.setDataset(0, ColumnsDataset.of(marks.lines()));
        plot.setRenderer(0, new PathRenderer(new BandRenderer(marks.lines(), style)));
        plot.setDataset(1, dataset);
        plot.setRenderer(1, new LineRenderer(marks.lines(), dataset, style));
        plot.setDatasetRenderingOrder(DatasetRenderingOrder.FORWARD);
        plot.setFixedLegendItems(new ChartLegends(style).lines(marks.lines()));
        return plot;
    }

    private static ColumnsDataset.Curve thinned(Line line, Axis axis, ChartRanges range, int columns, boolean steps) {
        int[] kept = new M4Decimation(line.x(), line.y()).indices(0, line.x().length, range.lower(), range.upper(),
                axis.logarithmic(), columns);
        double[] x = M4Decimation.at(line.x(), kept);
        double[] y = M4Decimation.at(line.y(), kept);
        return steps ? stepped(line.name(), x, y) : new ColumnsDataset.Curve(line.name(), x, y);
    }

    /// Each value holds until the next; equal neighbours make one step.
    private static ColumnsDataset.Curve stepped(String name, double[] x, double[] y) {
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
        return new ColumnsDataset.Curve(name, Arrays.copyOf(stepX, n), Arrays.copyOf(stepY, n));
    }

    private static double[] ends(Span span) {
        return new double[]{span.low(), span.high()};
    }

    private XYPlot points(ChartData data, Marks.Points marks, Guides guides) {
        List<Point> points = marks.series().stream().flatMap(series -> series.points().stream()).toList();
        ChartRanges xRange = ChartRanges.marked(data.x(), points.stream()
                .flatMap(point -> Stream.of(new double[]{point.x()}, ends(point.xSpan()), point.runX())).toList());
        ChartRanges yRange = ChartRanges.marked(data.y(), points.stream()
                .flatMap(point -> Stream.of(new double[]{point.y()}, ends(point.ySpan()), point.runY())).toList());
        XYPlot plot = plot(data, xRange, yRange);
        plot.setDataset(ColumnsDataset.whole(!points.isEmpty()));
        plot.setRenderer(new PathRenderer(new PointsRenderer(marks.series(), guides, style)));
        plot.setFixedLegendItems(new ChartLegends(style).points(marks.series()));
        return plot;
    }

    private XYPlot stack(ChartData data, Marks.Stack marks, int columns) {
        ChartRanges xRange = ChartRanges.tight(data.x(), List.of(marks.x()));
        List<double[]> curves = marks.layers().stream().map(ChartData.Layer::y).toList();
        int[] kept = M4Decimation.indices(marks.x(), curves, xRange.lower(), xRange.upper(), columns);
        double[] x = M4Decimation.at(marks.x(), kept);
        double[] total = new double[x.length];
        List<ChartData.Layer> layers = new ArrayList<>();
        List<ColumnsDataset.Curve> drawn = new ArrayList<>();
        for (ChartData.Layer layer : marks.layers()) {
            double[] y = M4Decimation.at(layer.y(), kept);
            for (int i = 0; i < y.length; i++) {
                total[i] += y[i];
            }
            layers.add(new ChartData.Layer(layer.name(), layer.memorySlot(), y));
            drawn.add(new ColumnsDataset.Curve(layer.name(), x, y));
        }
        XYPlot plot = plot(data, xRange, ChartRanges.roomy(data.y(), List.of(total)));
        plot.setDataset(new ColumnsDataset(drawn));
        plot.setRenderer(new PathRenderer(new StackRenderer(x, layers, style)));
        plot.setFixedLegendItems(new ChartLegends(style).layers(layers));
        return plot;
    }

    private XYPlot histogram(ChartData data, Marks.Histogram marks) {
        ChartRanges xRange = ChartRanges.tight(data.x(), List.of(marks.edges()));
        ChartRanges yRange = ChartRanges.roomy(data.y(), marks.series().stream().map(ChartData.Bins::heights).toList());
        XYPlot plot = plot(data, xRange, yRange);
        double[] lowerEdges = Arrays.copyOf(marks.edges(), Math.max(0, marks.edges().length - 1));
        plot.setDataset(new ColumnsDataset(marks.series().stream()
                .map(bins -> new ColumnsDataset.Curve(bins.name(), lowerEdges, bins.heights())).toList()));
        plot.setRenderer(new PathRenderer(new BinsRenderer(marks.edges(), marks.series(), style)));
        plot.setFixedLegendItems(new ChartLegends(style).bins(marks.series()));
        return plot;
    }

    private XYPlot plot(ChartData data, ChartRanges xRange, ChartRanges yRange) {
        return new ChartFrame(style).grid(valueAxis(data.x(), xRange.with(data.x(), data.guides(), true)),
                valueAxis(data.y(), yRange.with(data.y(), data.guides(), false)));
    }

    static ValueAxis valueAxis(Axis axis, ChartRanges range) {
        if (axis.logarithmic()) {
            return new ReadableLogAxis(axis.label(), range.lower(), range.upper());
        }
        return new ReadableAxis(axis.label(), range.lower(), range.upper());
    }
}
