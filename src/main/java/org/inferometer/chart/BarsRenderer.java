package org.inferometer.chart;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.Shape;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.util.List;
import org.inferometer.report.charts.ChartData.BarSeries;
import org.inferometer.report.charts.ChartData.Dash;
import org.inferometer.report.charts.ChartData.SeriesStyle;
import org.inferometer.units.QuantityText;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.renderer.category.AbstractCategoryItemRenderer;
import org.jfree.chart.renderer.category.CategoryItemRendererState;
import org.jfree.data.category.CategoryDataset;

/// Draws bars, hatched by marker and paler with a dashed outline by precision, with their interval and, if there is room, their value.
final class BarsRenderer extends AbstractCategoryItemRenderer {
    private static final long serialVersionUID = 1L;
    private static final double WIDEST_PIXELS = 90;
    private static final double GAP_SHARE = 0.1;
    private static final double CAP_SHARE = 0.3;
    private final transient List<BarSeries> series;
    private final transient ChartStyle style;

    BarsRenderer(List<BarSeries> series, ChartStyle style) {
        this.series = series;
        this.style = style;
        setDefaultCreateEntities(false);
    }

    @Override
    public void drawItem(Graphics2D g2, CategoryItemRendererState state, Rectangle2D area, CategoryPlot plot,
            CategoryAxis domain, ValueAxis range, CategoryDataset dataset, int row, int column, int pass) {
        double value = series.get(row).values()[column];
        if (!Double.isFinite(value)) {
            return;
        }
        double from = domain.getCategoryStart(column, dataset.getColumnCount(), area, plot.getDomainAxisEdge());
        double to = domain.getCategoryEnd(column, dataset.getColumnCount(), area, plot.getDomainAxisEdge());
        double pitch = Math.min((to - from) / series.size(), WIDEST_PIXELS * style.scale());
        double left = (from + to) / 2 + (row - series.size() / 2.0) * pitch + pitch * GAP_SHARE / 2;
        double width = pitch * (1 - GAP_SHARE);
        double top = range.valueToJava2D(value, area, plot.getRangeAxisEdge());
        double floor = range.valueToJava2D(Math.max(0, range.getLowerBound()), area, plot.getRangeAxisEdge());
        Rectangle2D bar = new Rectangle2D.Double(left, Math.min(top, floor), width, Math.abs(floor - top));
        SeriesStyle own = series.get(row).style();
        Color colour = style.series(own);
        g2.setPaint(own.dash() == Dash.SOLID ? colour : style.translucent(colour, 0.45));
        g2.fill(bar);
        Shape clip = g2.getClip();
        g2.clip(bar);
        style.hatch(g2, bar, own.marker());
        g2.setClip(clip);
        if (own.dash() != Dash.SOLID) {
            g2.setPaint(colour);
            g2.setStroke(style.line(own));
            g2.draw(bar);
        }
        double half = series.get(row).halfWidths()[column];
        double reach = top;
        if (half > 0) {
            reach = range.valueToJava2D(value + half, area, plot.getRangeAxisEdge());
            interval(g2, left + width / 2, width, reach,
                    range.valueToJava2D(Math.max(value - half, range.getLowerBound()), area, plot.getRangeAxisEdge()));
        }
        label(g2, QuantityText.significant(value), left + width / 2, Math.min(reach, top), pitch);
    }

    /// Draws a halo of background first, so that the line is visible on the bar.
    private void interval(Graphics2D g2, double middle, double width, double high, double low) {
        for (boolean halo : new boolean[]{true, false}) {
            Color paint = halo ? style.background() : style.text();
            g2.setPaint(paint);
            g2.setStroke(new BasicStroke((float) ((halo ? 3.2 : 1.3) * style.scale())));
            double cap = width * CAP_SHARE;
            g2.draw(new Line2D.Double(middle, high, middle, low));
            g2.draw(new Line2D.Double(middle - cap, high, middle + cap, high));
            g2.draw(new Line2D.Double(middle - cap, low, middle + cap, low));
        }
    }

    private void label(Graphics2D g2, String text, double middle, double above, double room) {
        g2.setFont(style.small());
        double width = g2.getFontMetrics().stringWidth(text);
        if (width <= room) {
            g2.setPaint(style.text());
            g2.drawString(text, (float) (middle - width / 2), (float) (above - 3 * style.scale()));
        }
    }
}
