package org.inferometer.chart;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.util.List;
import org.inferometer.report.charts.ChartData.Box;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.renderer.category.AbstractCategoryItemRenderer;
import org.jfree.chart.renderer.category.CategoryItemRendererState;
import org.jfree.data.category.CategoryDataset;

/// Draws one box per category: quartiles, median, whiskers, and its marker at the maximum.
final class BoxRenderer extends AbstractCategoryItemRenderer {
    private static final long serialVersionUID = 1L;
    private static final double WIDEST_PIXELS = 56;
    private final transient List<Box> boxes;
    private final transient ChartStyle style;

    BoxRenderer(List<Box> boxes, ChartStyle style) {
        this.boxes = boxes;
        this.style = style;
        setDefaultCreateEntities(false);
    }

    @Override
    public void drawItem(Graphics2D g2, CategoryItemRendererState state, Rectangle2D area, CategoryPlot plot,
            CategoryAxis domain, ValueAxis range, CategoryDataset dataset, int row, int column, int pass) {
        Box box = boxes.get(column);
        double middle = domain.getCategoryMiddle(column, boxes.size(), area, plot.getDomainAxisEdge());
        double width = Math.min(WIDEST_PIXELS * style.scale(), area.getWidth() / boxes.size() * 0.5);
        double left = middle - width / 2;
        double q1 = place(box.q1(), area, plot, range);
        double q3 = place(box.q3(), area, plot, range);
        double median = place(box.median(), area, plot, range);
        Color colour = style.series(box.style());
        g2.setStroke(style.line(box.style()));
        g2.setPaint(style.translucent(colour, 0.35));
        Rectangle2D body = new Rectangle2D.Double(left, q3, width, Math.max(q1 - q3, 1));
        g2.fill(body);
        g2.setPaint(colour);
        g2.draw(body);
        g2.setStroke(new BasicStroke((float) (1.4 * style.scale())));
        whisker(g2, middle, width, q1, place(box.lowWhisker(), area, plot, range));
        whisker(g2, middle, width, q3, place(box.highWhisker(), area, plot, range));
        g2.setStroke(new BasicStroke((float) (2.6 * style.scale()), BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER));
        g2.draw(new Line2D.Double(left, median, left + width, median));
        new Markers(style, 2.6).draw(g2, box.style(), middle, place(box.max(), area, plot, range));
    }

    private static double place(double value, Rectangle2D area, CategoryPlot plot, ValueAxis range) {
        return range.valueToJava2D(value, area, plot.getRangeAxisEdge());
    }

    private static void whisker(Graphics2D g2, double middle, double width, double from, double to) {
        g2.draw(new Line2D.Double(middle, from, middle, to));
        g2.draw(new Line2D.Double(middle - width / 4, to, middle + width / 4, to));
    }
}
