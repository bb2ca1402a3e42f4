package org.inferometer.chart;

import java.util.List;
import java.util.stream.IntStream;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartData.Line;
import org.inferometer.report.charts.ChartData.Marks;
import org.inferometer.report.charts.ChartRenderer.Shade;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.plot.Plot;
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
        CurveCharts curves = new CurveCharts(style, Math.max(16, widthPixels));
        Guides guides = new Guides(data.guides(), marks(data.marks()), style);
        Plot plot = switch (data.marks()) {
            case Marks.Lines lines -> curves.lines(data, lines);
            case Marks.Stack stack -> curves.stack(data, stack);
            case Marks.Histogram histogram -> curves.histogram(data, histogram);
            case Marks.Bars bars -> new CategoryCharts(style).bars(data, bars);
            case Marks.Boxes boxes -> new CategoryCharts(style).boxes(data, boxes);
            case Marks.Points points -> new PointsRenderer(points.series(), guides, style).plot(data);
            case Marks.Ratios ratios -> new RatioChart(style).plot(data, ratios);
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
}
