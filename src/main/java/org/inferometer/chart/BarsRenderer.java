package org.inferometer.chart;

import java.awt.BasicStroke;
import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.util.List;
import org.inferometer.report.ChartData.BarSeries;
import org.jfree.chart.labels.CategoryItemLabelGenerator;
import org.jfree.chart.labels.ItemLabelAnchor;
import org.jfree.chart.labels.ItemLabelPosition;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.jfree.chart.renderer.category.StatisticalBarRenderer;
import org.jfree.chart.ui.TextAnchor;
import org.jfree.data.category.CategoryDataset;

/// Draws flat bars with their interval, and their value above both.
final class BarsRenderer extends StatisticalBarRenderer {
    private static final long serialVersionUID = 1L;
    private final transient List<BarSeries> series;

    BarsRenderer(List<BarSeries> series, ChartInk ink) {
        this.series = series;
        setBarPainter(new StandardBarPainter());
        setShadowVisible(false);
        setDrawBarOutline(false);
        setItemMargin(0.06);
        setMaximumBarWidth(0.16);
        setErrorIndicatorPaint(ink.text());
        setErrorIndicatorStroke(new BasicStroke((float) (1.3 * ink.scale())));
        setDefaultItemLabelGenerator(new BarLabels());
        setDefaultItemLabelsVisible(true);
        setDefaultItemLabelFont(ink.small());
        setDefaultItemLabelPaint(ink.text());
        setDefaultPositiveItemLabelPosition(new ItemLabelPosition(ItemLabelAnchor.OUTSIDE12, TextAnchor.BOTTOM_CENTER));
        setDefaultCreateEntities(false);
        for (int s = 0; s < series.size(); s++) {
            setSeriesPaint(s, ink.series(series.get(s).look().colour()));
        }
    }

    /// The label stands clear of the interval: the bar it is placed by reaches up to the interval's end.
    @Override
    protected void drawItemLabel(
            Graphics2D g2, CategoryDataset data, int row, int column, CategoryPlot plot, CategoryItemLabelGenerator generator, Rectangle2D bar,
            boolean negative) {
        double value = series.get(row).values()[column];
        double half = series.get(row).halfWidths()[column];
        double above = value > 0 && half > 0 ? bar.getHeight() * half / value : 0;
        Rectangle2D reach = new Rectangle2D.Double(bar.getX(), bar.getY() - above, bar.getWidth(), bar.getHeight() + above);
        super.drawItemLabel(g2, data, row, column, plot, generator, reach, negative);
    }
}
