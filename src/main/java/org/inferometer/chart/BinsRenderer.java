package org.inferometer.chart;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Path2D;
import java.util.List;
import org.inferometer.report.charts.ChartData.Bins;
import org.inferometer.report.charts.ChartData.Dash;

/// Draws histograms as one silhouette each: filled, or as an outline for what is compared with.
final class BinsRenderer extends PathRenderer {
    private static final long serialVersionUID = 1L;
    private final transient double[] edges;
    private final transient List<Bins> bins;
    private final transient ChartInk ink;

    /// @param edges `[bins + 1]` ascending
    BinsRenderer(double[] edges, List<Bins> bins, ChartInk ink) {
        this.edges = edges;
        this.bins = bins;
        this.ink = ink;
    }

    @Override
    void drawSeries(Graphics2D g2, int series, Pen pen) {
        Bins own = bins.get(series);
        Path2D.Double path = new Path2D.Double();
        path.moveTo(pen.x(edges[0]), pen.floor());
        for (int b = 0; b < own.heights().length; b++) {
            path.lineTo(pen.x(edges[b]), pen.y(own.heights()[b]));
            path.lineTo(pen.x(edges[b + 1]), pen.y(own.heights()[b]));
        }
        path.lineTo(pen.x(edges[edges.length - 1]), pen.floor());
        Color colour = ink.series(own.look().colour());
        if (!own.outline()) {
            g2.setPaint(ink.translucent(colour, 0.45));
            g2.fill(path);
        }
        g2.setPaint(colour);
        g2.setStroke(ink.line(own.look().colour(), Dash.SOLID));
        g2.draw(path);
    }
}
