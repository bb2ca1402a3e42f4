package org.inferometer.chart;

import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.CrosshairState;
import org.jfree.chart.plot.PlotRenderingInfo;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.AbstractXYItemRenderer;
import org.jfree.chart.renderer.xy.XYItemRendererState;
import org.jfree.data.xy.DefaultXYDataset;
import org.jfree.data.xy.XYDataset;

/// Draws what a plot shows as a whole; the drawing library would draw it point by point.
final class PathRenderer extends AbstractXYItemRenderer {
    private static final long serialVersionUID = 1L;
    private final transient PlotPainter painter;

    private PathRenderer(PlotPainter painter) {
        this.painter = painter;
        setDefaultCreateEntities(false);
    }

    /// Draws what a plot shows.
    interface PlotPainter {
        /// @param transform data to places on the picture
        void draw(Graphics2D g2, PlotTransform transform);
    }

    /// Lets a painter draw in a plot.
    ///
    /// @param layer drawn after those with a lower number
    /// @param present whether there is something to draw
    static void draw(XYPlot plot, int layer, boolean present, PlotPainter painter) {
        DefaultXYDataset once = new DefaultXYDataset();
        if (present) {
            once.addSeries(0, new double[2][1]);
        }
        plot.setDataset(layer, once);
        plot.setRenderer(layer, new PathRenderer(painter));
    }

    /// Turns data into places on the picture.
    record PlotTransform(XYPlot plot, Rectangle2D area, ValueAxis domain, ValueAxis range) {
        double x(double value) {
            return domain.valueToJava2D(value, area, plot.getDomainAxisEdge());
        }

        double y(double value) {
            return range.valueToJava2D(value, area, plot.getRangeAxisEdge());
        }

        /// The place of a value, or the nearer edge of the plot.
        double withinX(double value) {
            return x(Math.clamp(value, domain.getLowerBound(), domain.getUpperBound()));
        }

        /// The place of a value, or the nearer edge of the plot.
        double withinY(double value) {
            return y(Math.clamp(value, range.getLowerBound(), range.getUpperBound()));
        }

        /// The lower edge of the drawing.
        double floor() {
            return area.getMaxY();
        }
    }

    @Override
    public void drawItem(Graphics2D g2, XYItemRendererState state, Rectangle2D area, PlotRenderingInfo info,
            XYPlot plot, ValueAxis domain, ValueAxis range, XYDataset dataset, int series, int item,
            CrosshairState crosshair, int pass) {
        painter.draw(g2, new PlotTransform(plot, area, domain, range));
    }

    /// The library must not skip the item that stands for all, wherever it is.
    @Override
    public XYItemRendererState initialise(Graphics2D g2, Rectangle2D area, XYPlot plot, XYDataset dataset,
            PlotRenderingInfo info) {
        XYItemRendererState state = super.initialise(g2, area, plot, dataset, info);
        state.setProcessVisibleItemsOnly(false);
        return state;
    }
}
