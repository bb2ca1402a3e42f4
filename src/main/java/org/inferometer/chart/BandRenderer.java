package org.inferometer.chart;

import java.awt.Graphics2D;
import java.awt.geom.Path2D;
import java.util.List;
import org.inferometer.chart.PathRenderer.PlotTransform;
import org.inferometer.chart.PathRenderer.SeriesPainter;
import org.inferometer.report.charts.ChartData.Line;
import org.inferometer.report.charts.ChartData.Span;

/// Draws the intervals of lines as translucent bands; a point without an interval is a gap.
record BandRenderer(List<Line> lines, ChartStyle style) implements SeriesPainter {
    @Override
    public void draw(Graphics2D g2, int series, PlotTransform transform) {
        Line line = lines.get(series);
        g2.setPaint(style.translucent(style.series(line.style()), 0.16));
        int from = 0;
        while (from < line.band().size()) {
            int to = from;
            while (to < line.band().size() && line.band().get(to).isPresent()) {
                to++;
            }
            if (to - from > 1) {
                g2.fill(band(line, from, to, transform));
            }
            from = to + 1;
        }
    }

    private static Path2D band(Line line, int from, int to, PlotTransform transform) {
        Path2D.Double path = new Path2D.Double();
        path.moveTo(transform.x(line.x()[from]), transform.withinY(line.band().get(from).low()));
        for (int i = from; i < to; i++) {
            path.lineTo(transform.x(line.x()[i]), transform.withinY(line.band().get(i).high()));
        }
        for (int i = to - 1; i >= from; i--) {
            Span span = line.band().get(i);
            path.lineTo(transform.x(line.x()[i]), transform.withinY(span.low()));
        }
        path.closePath();
        return path;
    }
}
