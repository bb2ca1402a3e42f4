package org.inferometer.chart;

import java.awt.BasicStroke;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartData.Axis;
import org.inferometer.report.charts.ChartData.Line;
import org.inferometer.report.charts.ChartData.Marks;
import org.inferometer.report.charts.ChartRenderer.Shade;
import org.inferometer.report.charts.M4Decimation;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.Plot;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.ui.RectangleInsets;

/// Makes a JFreeChart of chart data: palette, dashes, markers, axes with units, footer.
///
/// Lines and stacks are decimated to the pixel columns, so a chart is composed again when its width changes much. Any thread may compose;
/// one thread draws.
public final class ChartComposer {
    private final ChartStyle style;

    /// @param scale of fonts and strokes: 1 for a tile on the screen
    public ChartComposer(Shade shade, double scale) {
        this.style = new ChartStyle(shade, scale);
    }

    /// A chart for a drawing of a width in device pixels.
    public JFreeChart compose(ChartData data, int widthPixels) {
        int columns = Math.max(16, widthPixels);
        Plot plot = switch (data.marks()) {
            case Marks.Lines lines -> lines(data, lines, columns);
            case Marks.Stack stack -> stack(data, stack, columns);
            case Marks.Histogram histogram -> histogram(data, histogram);
            case Marks.Bars bars -> new CategoryCharts(style).bars(data, bars);
            case Marks.Boxes boxes -> new CategoryCharts(style).boxes(data, boxes);
        };
        return new ChartFrame(style).framed(data, plot);
    }

    private XYPlot lines(ChartData data, Marks.Lines marks, int columns) {
        ChartRanges xRange = ChartRanges.tight(data.x(), marks.lines().stream().map(Line::x).toList());
        ChartRanges yRange = ChartRanges.roomy(data.y(), marks.lines().stream().map(Line::y).toList());
        List<ColumnsDataset.Curve> drawn = new ArrayList<>();
        for (Line line : marks.lines()) {
            drawn.add(thinned(line, data.x(), xRange, columns, marks.steps()));
        }
        ColumnsDataset dataset = new ColumnsDataset(drawn);
        XYPlot plot = plot(data, xRange, yRange);
        plot.setDataset(dataset);
        plot.setRenderer(new LineRenderer(marks.lines(), dataset, style));
        plot.setFixedLegendItems(new ChartLegends(style).lines(marks.lines()));
        return plot;
    }

    private static ColumnsDataset.Curve thinned(Line line, Axis axis, ChartRanges range, int columns, boolean steps) {
        double[] places = axis.logarithmic() ? logarithms(line.x()) : line.x();
        double lower = axis.logarithmic() ? Math.log(range.lower()) : range.lower();
        double upper = axis.logarithmic() ? Math.log(range.upper()) : range.upper();
        int[] kept = M4Decimation.indices(places, line.y(), lower, upper, columns);
        double[] x = M4Decimation.at(line.x(), kept);
        double[] y = M4Decimation.at(line.y(), kept);
        return steps ? stepped(line.name(), x, y) : new ColumnsDataset.Curve(line.name(), x, y);
    }

    /// Each value holds until the next.
    private static ColumnsDataset.Curve stepped(String name, double[] x, double[] y) {
        if (x.length == 0) {
            return new ColumnsDataset.Curve(name, x, y);
        }
        double[] stepX = new double[2 * x.length - 1];
        double[] stepY = new double[2 * x.length - 1];
        for (int i = 0; i < x.length; i++) {
            stepX[2 * i] = x[i];
            stepY[2 * i] = y[i];
            if (i + 1 < x.length) {
                stepX[2 * i + 1] = x[i + 1];
                stepY[2 * i + 1] = y[i];
            }
        }
        return new ColumnsDataset.Curve(name, stepX, stepY);
    }

    private XYPlot stack(ChartData data, Marks.Stack marks, int columns) {
        ChartRanges xRange = ChartRanges.tight(data.x(), List.of(marks.x()));
        double[][] curves = marks.layers().stream().map(ChartData.Layer::y).toArray(double[][]::new);
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
        plot.setRenderer(new StackRenderer(x, layers, style));
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
        plot.setRenderer(new BinsRenderer(marks.edges(), marks.series(), style));
        plot.setFixedLegendItems(new ChartLegends(style).bins(marks.series()));
        return plot;
    }

    private XYPlot plot(ChartData data, ChartRanges xRange, ChartRanges yRange) {
        XYPlot plot = new XYPlot();
        plot.setDomainAxis(axis(data.x(), xRange));
        plot.setRangeAxis(axis(data.y(), yRange));
        plot.setDomainGridlinePaint(style.grid());
        plot.setRangeGridlinePaint(style.grid());
        plot.setDomainGridlineStroke(new BasicStroke(1));
        plot.setRangeGridlineStroke(new BasicStroke(1));
        plot.setAxisOffset(RectangleInsets.ZERO_INSETS);
        return plot;
    }

    private ValueAxis axis(Axis axis, ChartRanges range) {
        return new ChartFrame(style).styled(valueAxis(axis, range));
    }

    static ValueAxis valueAxis(Axis axis, ChartRanges range) {
        if (axis.logarithmic()) {
            return new ReadableLogAxis(axis.label(), range.lower(), range.upper());
        }
        return new ReadableAxis(axis.label(), range.lower(), range.upper());
    }

    private static double[] logarithms(double[] x) {
        double[] logarithms = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            logarithms[i] = Math.log(x[i]);
        }
        return logarithms;
    }
}
