package org.inferometer.chart;

import java.awt.Graphics2D;
import java.awt.Paint;
import java.awt.geom.Rectangle2D;
import java.util.List;
import org.jfree.chart.axis.TickType;
import org.jfree.chart.axis.ValueTick;
import org.jfree.chart.plot.XYPlot;

/// A plot that fills its grid lines as rectangles: a window drawn in software rasterises each stroked line as a shape.
final class GridPlot extends XYPlot {
    private static final long serialVersionUID = 1L;
    private static final double WIDTH = 1;

    @Override
    protected void drawDomainGridlines(Graphics2D g2, Rectangle2D area, List<ValueTick> ticks) {
        if (isDomainGridlinesVisible()) {
            for (double value : majors(ticks)) {
                double x = getDomainAxis().valueToJava2D(value, area, getDomainAxisEdge());
                fill(g2, getDomainGridlinePaint(), x - WIDTH / 2, area.getY(), WIDTH, area.getHeight());
            }
        }
    }

    @Override
    protected void drawRangeGridlines(Graphics2D g2, Rectangle2D area, List<ValueTick> ticks) {
        if (isRangeGridlinesVisible()) {
            for (double value : majors(ticks)) {
                double y = getRangeAxis().valueToJava2D(value, area, getRangeAxisEdge());
                fill(g2, getRangeGridlinePaint(), area.getX(), y - WIDTH / 2, area.getWidth(), WIDTH);
            }
        }
    }

    private static double[] majors(List<ValueTick> ticks) {
        return ticks.stream().filter(tick -> tick.getTickType() == TickType.MAJOR).mapToDouble(ValueTick::getValue)
                .toArray();
    }

    private static void fill(Graphics2D g2, Paint paint, double x, double y, double width, double height) {
        g2.setPaint(paint);
        g2.fill(new Rectangle2D.Double(x, y, width, height));
    }
}
