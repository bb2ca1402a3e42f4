package org.inferometer.chart;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.util.Arrays;
import java.util.List;
import org.inferometer.chart.PathRenderer.PlotTransform;
import org.inferometer.chart.PathRenderer.SeriesPainter;
import org.inferometer.record.MemoryOwner;
import org.inferometer.report.charts.ChartData.Layer;
import org.inferometer.units.QuantityText;

/// Draws a horizontal bar per category, stacked by memory owner, with its total at the end.
record OwnerBarsRenderer(int categories, List<Layer> layers, ChartStyle style) implements SeriesPainter {
    private static final double HIGHEST_PIXELS = 30;

    /// The sum of the layers of each category; NaN if none has a value.
    static double[] totals(int categories, List<Layer> layers) {
        double[] totals = new double[categories];
        for (int c = 0; c < categories; c++) {
            int category = c;
            double[] known =
                    layers.stream().mapToDouble(layer -> layer.y()[category]).filter(Double::isFinite).toArray();
            totals[c] = known.length == 0 ? Double.NaN : Arrays.stream(known).sum();
        }
        return totals;
    }

    @Override
    public void draw(Graphics2D g2, int series, PlotTransform transform) {
        double[] totals = totals(categories, layers);
        g2.setFont(style.small());
        Letters letters = Letters.of(g2, g2.getFont());
        double pitch = Math.abs(transform.y(1) - transform.y(0));
        double height = Math.min(pitch * 0.66, HIGHEST_PIXELS * style.scale());
        for (int c = 0; c < categories; c++) {
            double top = transform.y(c) - height / 2;
            double sum = 0;
            for (Layer layer : layers) {
                double value = layer.y()[c];
                if (value > 0) {
                    segment(g2, layer, value, new Rectangle2D.Double(transform.x(sum), top,
                            transform.x(sum + value) - transform.x(sum), height));
                    sum += value;
                }
            }
            g2.setPaint(style.axis());
            g2.setStroke(style.thin());
            g2.draw(new Rectangle2D.Double(transform.x(0), top, transform.x(sum) - transform.x(0), height));
            total(g2, Double.isNaN(totals[c]) ? "–" : QuantityText.significant(totals[c]), transform.x(sum),
                    transform.area().getMaxX(), top + height / 2, letters);
        }
    }

    private void segment(Graphics2D g2, Layer layer, double value, Rectangle2D box) {
        style.fillMemory(g2, box, layer.memorySlot());
        g2.setPaint(style.background());
        g2.setStroke(style.thin());
        g2.draw(box);
        String text = QuantityText.significant(value);
        Letters letters = Letters.of(g2, g2.getFont());
        boolean readable = layer.memorySlot() != MemoryOwner.UNATTRIBUTED.ordinal();
        if (readable && layers.size() > 1 && letters.width(text) * 1.3 < box.getWidth()
                && letters.height() < box.getHeight()) {
            Color own = new Contrast(style.memory(layer.memorySlot())).text();
            g2.setPaint(own);
            g2.drawString(text, (float) (box.getCenterX() - letters.width(text) / 2.0),
                    letters.baseline(box.getCenterY()));
        }
    }

    /// Right of the bar; within it, on a patch of background, if the bar reaches the end of the axis.
    private void total(Graphics2D g2, String text, double end, double most, double middle, Letters letters) {
        double gap = 4 * style.scale();
        double width = letters.width(text);
        boolean outside = end + gap + width <= most;
        double left = outside ? end + gap : Math.min(end, most) - gap - width;
        if (!outside) {
            g2.setPaint(style.translucent(style.background(), 0.85));
            g2.fill(new Rectangle2D.Double(left - gap / 2, middle - letters.height() / 2.0, width + gap,
                    letters.height()));
        }
        g2.setPaint(style.text());
        g2.drawString(text, (float) left, letters.baseline(middle));
    }

}
