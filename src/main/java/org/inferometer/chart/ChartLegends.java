package org.inferometer.chart;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Shape;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.util.List;
import java.util.function.Function;
import org.inferometer.record.MemoryOwner;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartData.Bins;
import org.inferometer.report.charts.ChartData.Dash;
import org.inferometer.report.charts.ChartData.Layer;
import org.inferometer.report.charts.ChartData.Line;
import org.inferometer.report.charts.ChartData.PointSeries;
import org.inferometer.report.charts.ChartData.SeriesStyle;
import org.jfree.chart.LegendItem;
import org.jfree.chart.LegendItemCollection;

/// Legend items as the series are drawn: line with dash and marker, or a patch.
record ChartLegends(ChartStyle style) {
    private static final BasicStroke NONE = new BasicStroke(0);
    private static final int HATCHED_SLOT = 1;
    LegendItemCollection lines(List<Line> lines) {
        return items(lines, line -> marked(line.name(), line.style(), true));
    }

    /// The series whose points are not labelled with their names.
    LegendItemCollection points(List<PointSeries> series) {
        List<PointSeries> unnamed = series.stream()
                .filter(each -> each.points().stream().noneMatch(point -> point.label().contains(each.name())))
                .toList();
        return items(unnamed, each -> marked(each.name(), each.style(), each.joined()));
    }

    private LegendItem marked(String name, SeriesStyle own, boolean line) {
        Color colour = style.series(own);
        Markers markers = new Markers(style, ChartStyle.MARK_RADIUS);
        double half = (line ? 15 : 6) * style.scale();
        return new LegendItem(name, null, null, null, !own.isFaint(), markers.shape(own), true, markers.fill(own), true,
                colour, markers.edge(), line, new Line2D.Double(-half, 0, half, 0), style.line(own), colour);
    }

    LegendItemCollection layers(List<Layer> layers) {
        return items(layers, layer -> {
            Color colour = style.memory(layer.memorySlot());
            boolean unattributed = layer.memorySlot() == MemoryOwner.UNATTRIBUTED.ordinal();
            return patch(layer.name(), unattributed ? style.patch(HATCHED_SLOT) : square(), colour, style.axis());
        });
    }

    LegendItemCollection bins(List<Bins> series) {
        return items(series, bins -> {
            Color colour = style.series(bins.style());
            return patch(bins.name(), square(), bins.outline() ? style.background() : style.translucent(colour, 0.45),
                    colour);
        });
    }

    LegendItemCollection bars(List<ChartData.BarSeries> series) {
        return items(series, bars -> {
            Color colour = style.series(bars.style());
            boolean solid = bars.style().dash() == Dash.SOLID;
            return patch(bars.name(), style.patch(bars.style().marker()),
                    solid ? colour : style.translucent(colour, 0.45), colour);
        });
    }

    private static <S> LegendItemCollection items(List<S> series, Function<S, LegendItem> item) {
        LegendItemCollection items = new LegendItemCollection();
        series.forEach(each -> items.add(item.apply(each)));
        return items;
    }

    private Shape square() {
        double side = 10 * style.scale();
        return new Rectangle2D.Double(-side / 2, -side / 2, side, side);
    }

    private LegendItem patch(String name, Shape shape, Color fill, Color outline) {
        return new LegendItem(name, null, null, null, true, shape, true, fill, true, outline, style.thin(), false,
                new Line2D.Double(), NONE, outline);
    }
}
