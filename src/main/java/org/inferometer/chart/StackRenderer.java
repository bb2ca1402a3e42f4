package org.inferometer.chart;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.Shape;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.util.List;
import org.inferometer.record.MemoryOwner;
import org.inferometer.report.charts.ChartData.Layer;

/// Draws stacked areas as steps: each sample holds until the next. What nobody's books explain is hatched.
final class StackRenderer extends PathRenderer {
    private static final long serialVersionUID = 1L;
    private final transient double[] x;
    private final transient List<Layer> layers;
    private final transient ChartInk ink;

    /// @param x `[samples]` ascending
    /// @param layers over the same x, the first at the bottom
    StackRenderer(double[] x, List<Layer> layers, ChartInk ink) {
        this.x = x;
        this.layers = layers;
        this.ink = ink;
    }

    @Override
    void drawSeries(Graphics2D g2, int series, Pen pen) {
        Path2D.Double band = new Path2D.Double();
        int from = 0;
        while (from < x.length) {
            int to = from;
            while (to < x.length && !Double.isNaN(top(series, to))) {
                to++;
            }
            if (to > from) {
                outline(band, series, from, to, pen);
            }
            from = to + 1;
        }
        boolean unexplained = layers.get(series).memorySlot() == MemoryOwner.UNATTRIBUTED.ordinal();
        Color colour = ink.memory(layers.get(series).memorySlot());
        g2.setPaint(unexplained ? ink.translucent(colour, 0.25) : colour);
        g2.fill(band);
        if (unexplained) {
            hatch(g2, band, colour);
        }
        // A hairline of background keeps neighbours apart that look alike.
        g2.setPaint(ink.background());
        g2.setStroke(new BasicStroke((float) (0.8 * ink.scale())));
        g2.draw(band);
    }

    private void outline(Path2D path, int series, int from, int to, Pen pen) {
        path.moveTo(pen.x(x[from]), pen.y(bottom(series, from)));
        for (int i = from; i < to; i++) {
            path.lineTo(pen.x(x[i]), pen.y(top(series, i)));
            path.lineTo(pen.x(end(i, to)), pen.y(top(series, i)));
        }
        for (int i = to - 1; i >= from; i--) {
            path.lineTo(pen.x(end(i, to)), pen.y(bottom(series, i)));
            path.lineTo(pen.x(x[i]), pen.y(bottom(series, i)));
        }
        path.closePath();
    }

    private double end(int item, int to) {
        return item + 1 < to ? x[item + 1] : x[item];
    }

    private double bottom(int series, int item) {
        double sum = 0;
        for (int s = 0; s < series; s++) {
            sum += layers.get(s).y()[item];
        }
        return sum;
    }

    private double top(int series, int item) {
        return bottom(series, item) + layers.get(series).y()[item];
    }

    private void hatch(Graphics2D g2, Shape band, Color colour) {
        Shape before = g2.getClip();
        g2.clip(band);
        g2.setPaint(colour);
        g2.setStroke(ink.thin());
        Rectangle2D box = band.getBounds2D();
        double step = 6 * ink.scale();
        double first = Math.floor((box.getMinX() - box.getHeight()) / step) * step;
        for (double at = first; at < box.getMaxX(); at += step) {
            g2.draw(new Line2D.Double(at, box.getMaxY(), at + box.getHeight(), box.getMinY()));
        }
        g2.setClip(before);
    }
}
