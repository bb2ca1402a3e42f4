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
import org.inferometer.report.charts.ChartData.Layer;
import org.inferometer.report.charts.ChartData.Line;
import org.jfree.chart.LegendItem;
import org.jfree.chart.LegendItemCollection;

/// Legend items as the series are drawn: line with dash and marker, or a patch.
final class ChartLegends {
    private static final BasicStroke NONE = new BasicStroke(0);
    private final ChartStyle style;

    ChartLegends(ChartStyle style) {
        this.style = style;
    }

    LegendItemCollection lines(List<Line> lines) {
        return items(lines, line -> {
            int slot = line.style().colour();
            Color colour = style.series(slot);
            Shape stretch = new Line2D.Double(-15 * style.scale(), 0, 15 * style.scale(), 0);
            return new LegendItem(line.name(), null, null, null, true, style.marker(slot), true, colour, false, colour,
                    NONE, true, stretch, style.line(slot, line.style().dash()), colour);
        });
    }

    LegendItemCollection layers(List<Layer> layers) {
        return items(layers, layer -> {
            Color colour = style.memory(layer.memorySlot());
            boolean unattributed = layer.memorySlot() == MemoryOwner.UNATTRIBUTED.ordinal();
            return patch(layer.name(), square(), unattributed ? style.translucent(colour, 0.35) : colour, colour);
        });
    }

    LegendItemCollection bins(List<Bins> series) {
        return items(series, bins -> {
            Color colour = style.series(bins.style().colour());
            return patch(bins.name(), square(), bins.outline() ? style.background() : style.translucent(colour, 0.45),
                    colour);
        });
    }

    LegendItemCollection bars(List<ChartData.BarSeries> series) {
        return items(series, bars -> {
            int slot = bars.style().colour();
            return patch(bars.name(), style.patch(slot), style.series(slot), style.series(slot));
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
