package org.inferometer.chart;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Paint;
import java.awt.Shape;
import java.awt.Stroke;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.util.List;
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
        LegendItemCollection items = new LegendItemCollection();
        for (Line line : lines) {
            int slot = line.style().colour();
            Color colour = style.series(slot);
            Shape stretch = new Line2D.Double(-15 * style.scale(), 0, 15 * style.scale(), 0);
            items.add(new LegendItem(line.name(), null, null, null, true, style.marker(slot), true, colour, false,
                    colour, NONE, true, stretch, style.line(slot, line.style().dash()), colour));
        }
        return items;
    }

    LegendItemCollection layers(List<Layer> layers) {
        LegendItemCollection items = new LegendItemCollection();
        for (Layer layer : layers) {
            Color colour = style.memory(layer.memorySlot());
            boolean unexplained = layer.memorySlot() == MemoryOwner.UNATTRIBUTED.ordinal();
            items.add(patch(layer.name(), unexplained ? style.translucent(colour, 0.35) : colour, colour));
        }
        return items;
    }

    LegendItemCollection bins(List<Bins> series) {
        LegendItemCollection items = new LegendItemCollection();
        for (Bins bins : series) {
            Color colour = style.series(bins.style().colour());
            items.add(
                    patch(bins.name(), bins.outline() ? style.background() : style.translucent(colour, 0.45), colour));
        }
        return items;
    }

    LegendItemCollection bars(List<ChartData.BarSeries> series) {
        LegendItemCollection items = new LegendItemCollection();
        for (ChartData.BarSeries bars : series) {
            int slot = bars.style().colour();
            Color colour = style.series(slot);
            items.add(new LegendItem(bars.name(), null, null, null, true, style.patch(slot), true, colour, true, colour,
                    style.thin(), false, new Line2D.Double(), NONE, colour));
        }
        return items;
    }

    private LegendItem patch(String name, Paint fill, Paint outline) {
        double side = 10 * style.scale();
        Stroke edge = style.thin();
        return new LegendItem(name, null, null, null, true, new Rectangle2D.Double(-side / 2, -side / 2, side, side),
                true, fill, true, outline, edge, false, new Line2D.Double(), NONE, outline);
    }
}
