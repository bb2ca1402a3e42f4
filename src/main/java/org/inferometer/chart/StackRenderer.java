package org.inferometer.chart;

import java.awt.BasicStroke;
import java.awt.Graphics2D;
import java.awt.geom.Path2D;
import java.util.List;
import java.util.stream.IntStream;
import org.inferometer.chart.PathRenderer.PlotTransform;
import org.inferometer.chart.PathRenderer.SeriesPainter;
import org.inferometer.report.charts.ChartData.Layer;

/// Draws stacked areas as steps: each sample holds until the next. Unattributed memory is hatched.
///
/// @param x `[samples]` ascending
/// @param layers over the same x, the first at the bottom
record StackRenderer(double[] x, List<Layer> layers, ChartStyle style) implements SeriesPainter {
    @Override
    public void draw(Graphics2D g2, int series, PlotTransform transform) {
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

    /// Neighbours of equal heights make one step.
    private void outline(Path2D path, int series, int from, int to, PlotTransform transform) {
        int[] starts = IntStream.range(from, to).filter(i -> i == from || changes(series, i)).toArray();
        path.moveTo(transform.x(x[from]), transform.y(bottom(series, from)));
        for (int s = 0; s < starts.length; s++) {
            double top = transform.y(top(series, starts[s]));
            path.lineTo(transform.x(x[starts[s]]), top);
            path.lineTo(transform.x(end(starts, s, to)), top);
        }
        for (int s = starts.length - 1; s >= 0; s--) {
            double bottom = transform.y(bottom(series, starts[s]));
            path.lineTo(transform.x(end(starts, s, to)), bottom);
            path.lineTo(transform.x(x[starts[s]]), bottom);
        }
        path.closePath();
    }

    private boolean changes(int series, int item) {
        return top(series, item) != top(series, item - 1) || bottom(series, item) != bottom(series, item - 1);
    }

    private double end(int[] starts, int step, int to) {
        return step + 1 < starts.length ? x[starts[step + 1]] : x[to - 1];
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
