package org.inferometer.chart;

import java.awt.BasicStroke;
import java.awt.Graphics2D;
import java.awt.geom.Path2D;
import java.util.List;
import org.inferometer.report.charts.ChartData.Layer;

/// Draws stacked areas as steps: each sample holds until the next. Unattributed memory is hatched.
final class StackRenderer extends PathRenderer {
    private static final long serialVersionUID = 1L;
    private final transient double[] x;
    private final transient List<Layer> layers;
    private final transient ChartStyle style;

    /// @param x `[samples]` ascending
    /// @param layers over the same x, the first at the bottom
    StackRenderer(double[] x, List<Layer> layers, ChartStyle style) {
        this.x = x;
        this.layers = layers;
        this.style = style;
    }

    @Override
    void drawSeries(Graphics2D g2, int series, PlotTransform transform) {
        Path2D.Double band = new Path2D.Double();
        int from = 0;
        while (from < x.length) {
            int to = from;
            while (to < x.length && !Double.isNaN(top(series, to))) {
                to++;
            }
            if (to > from) {
                outline(band, series, from, to, transform);
            }
            from = to + 1;
        }
        style.fillMemory(g2, band, layers.get(series).memorySlot());
        // A hairline of background separates neighbours of similar colour.
        g2.setPaint(style.background());
        g2.setStroke(new BasicStroke((float) (0.8 * style.scale())));
        g2.draw(band);
    }

    private void outline(Path2D path, int series, int from, int to, PlotTransform transform) {
        path.moveTo(transform.x(x[from]), transform.y(bottom(series, from)));
        for (int i = from; i < to; i++) {
            path.lineTo(transform.x(x[i]), transform.y(top(series, i)));
            path.lineTo(transform.x(end(i, to)), transform.y(top(series, i)));
        }
        for (int i = to - 1; i >= from; i--) {
            path.lineTo(transform.x(end(i, to)), transform.y(bottom(series, i)));
            path.lineTo(transform.x(x[i]), transform.y(bottom(series, i)));
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
}
