package org.inferometer.chart;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.util.List;
import org.inferometer.chart.PathRenderer.PlotTransform;
import org.inferometer.chart.PathRenderer.SeriesPainter;
import org.inferometer.report.charts.ChartData.Ratio;
import org.inferometer.report.charts.ChartData.Tone;

/// Draws a row per metric: a faint dot per run, the interval, and the ratio as a mark; hollow where no difference was detected.
record RatiosRenderer(List<Ratio> rows, ChartStyle style) implements SeriesPainter {
    @Override
    public void draw(Graphics2D g2, int series, PlotTransform transform) {
        g2.setPaint(style.text());
        g2.setStroke(new BasicStroke((float) (1.6 * style.scale())));
        double one = transform.x(1);
        g2.draw(new Line2D.Double(one, transform.area().getMinY(), one, transform.floor()));
        for (int i = 0; i < rows.size(); i++) {
            double pitch = Math.abs(transform.y(1) - transform.y(0));
            draw(g2, rows.get(i), transform.y(i), pitch, transform);
        }
    }

    private void draw(Graphics2D g2, Ratio row, double y, double pitch, PlotTransform transform) {
        Color colour = style.tone(row.tone());
        g2.setPaint(style.translucent(colour, 0.4));
        double dot = 2 * style.scale();
        for (int r = 0; r < row.runs().length; r++) {
            if (row.runs()[r] > 0) {
                // Spread over the row, so that equal runs stay apart.
                double shift = ((r * 0.618 + 0.31) % 1 - 0.5) * Math.min(pitch * 0.5, 14 * style.scale());
                double x = transform.x(row.runs()[r]);
                g2.fill(new Ellipse2D.Double(x - dot, y + shift - dot, 2 * dot, 2 * dot));
            }
        }
        if (!(row.value() > 0)) {
            return;
        }
        g2.setPaint(colour);
        if (row.span().isPresent()) {
            g2.setStroke(new BasicStroke((float) (2.4 * style.scale()), BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER));
            double low = transform.withinX(row.span().low());
            double high = transform.withinX(row.span().high());
            g2.draw(new Line2D.Double(low, y, high, y));
        }
        double r = 4.6 * style.scale();
        double x = transform.x(row.value());
        Ellipse2D mark = new Ellipse2D.Double(x - r, y - r, 2 * r, 2 * r);
        g2.setPaint(style.background());
        g2.setStroke(new BasicStroke((float) (3.4 * style.scale())));
        g2.draw(mark);
        g2.setPaint(row.tone() == Tone.NEUTRAL ? style.background() : colour);
        g2.fill(mark);
        g2.setPaint(colour);
        g2.setStroke(new BasicStroke((float) (1.6 * style.scale())));
        g2.draw(mark);
    }
}
