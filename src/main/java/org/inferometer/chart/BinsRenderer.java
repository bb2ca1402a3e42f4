package org.inferometer.chart;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Path2D;
import java.util.List;
import org.inferometer.chart.PathRenderer.PlotTransform;
import org.inferometer.chart.PathRenderer.SeriesPainter;
import org.inferometer.report.charts.ChartData.Bins;
import org.inferometer.report.charts.ChartData.SeriesStyle;

/// Draws each histogram as one shape, filled or as an outline.
///
/// @param edges `[bins + 1]` ascending
record BinsRenderer(double[] edges, List<Bins> bins, ChartStyle style) implements SeriesPainter {
    @Override
    public void draw(Graphics2D g2, int series, PlotTransform transform) {
        Bins own = bins.get(series);
        Path2D.Double path = new Path2D.Double();
        path.moveTo(transform.x(edges[0]), transform.floor());
        for (int b = 0; b < own.heights().length; b++) {
            path.lineTo(transform.x(edges[b]), transform.y(own.heights()[b]));
            path.lineTo(transform.x(edges[b + 1]), transform.y(own.heights()[b]));
        }
        path.lineTo(transform.x(edges[edges.length - 1]), transform.floor());
        Color colour = style.series(own.style());
        if (!own.outline()) {
            g2.setPaint(style.translucent(colour, 0.45));
            g2.fill(path);
        }
        g2.setPaint(colour);
        g2.setStroke(style.line(own.style().isFaint() ? own.style() : SeriesStyle.solid(own.style().colour())));
        g2.draw(path);
    }
}
