package org.inferometer.chart;

import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import org.inferometer.chart.PathRenderer.PlotTransform;
import org.inferometer.chart.PathRenderer.SeriesPainter;
import org.inferometer.report.charts.ChartData.Marks;

/// Draws a cell per pair of a column and a row, in a ramp of one hue, with its text. The ramp is logarithmic over a factor of 20 or more.
record HeatMapRenderer(Marks.HeatMap map, ChartStyle style) implements SeriesPainter {
    private static final double LOGARITHMIC_FROM = 20;
    private static final double SMALLEST_FONT_SHARE = 0.72;

    @Override
    public void draw(Graphics2D g2, int series, PlotTransform transform) {
        DoubleSummaryStatistics range = Arrays.stream(map.values()).flatMapToDouble(Arrays::stream)
                .filter(Double::isFinite).summaryStatistics();
        for (int row = 0; row < map.rows().size(); row++) {
            for (int column = 0; column < map.columns().size(); column++) {
                double left = transform.x(column - 0.5);
                double top = transform.y(row - 0.5);
                double gap = style.scale();
                cell(g2, map.values()[row][column], map.texts().get(row).get(column), range,
                        new Rectangle2D.Double(left + gap, top + gap, transform.x(column + 0.5) - left - 2 * gap,
                                transform.y(row + 0.5) - top - 2 * gap));
            }
        }
    }

    private void cell(Graphics2D g2, double value, String text, DoubleSummaryStatistics range, Rectangle2D box) {
        if (Double.isFinite(value)) {
            Color fill = style.ramp(share(value, range));
            g2.setPaint(fill);
            g2.fill(box);
            text(g2, text, box, new Contrast(fill).text());
            return;
        }
        style.hatched(g2, box, style.grid());
        Rectangle2D middle = new Rectangle2D.Double(box.getCenterX() - 9 * style.scale(),
                box.getCenterY() - 7 * style.scale(), 18 * style.scale(), 14 * style.scale());
        g2.setPaint(style.background());
        g2.fill(middle);
        text(g2, "–", box, style.muted());
    }

    /// Centred, in a smaller font if need be; a cell that is still too small has none.
    private void text(Graphics2D g2, String text, Rectangle2D box, Color colour) {
        for (double share = 1; share >= SMALLEST_FONT_SHARE; share -= 0.07) {
            Font font = style.label().deriveFont((float) (style.label().getSize2D() * share));
            Letters letters = Letters.of(g2, font);
            if (letters.width(text) <= box.getWidth() - 4 * style.scale() && letters.ascent() <= box.getHeight()) {
                g2.setFont(font);
                g2.setPaint(colour);
                g2.drawString(text, (float) (box.getCenterX() - letters.width(text) / 2.0),
                        letters.baseline(box.getCenterY()));
                return;
            }
        }
    }

    static double share(double value, DoubleSummaryStatistics range) {
        if (range.getMax() <= range.getMin()) {
            return 0.5;
        }
        boolean logarithmic = range.getMin() > 0 && range.getMax() / range.getMin() >= LOGARITHMIC_FROM;
        return logarithmic ? Math.log(value / range.getMin()) / Math.log(range.getMax() / range.getMin())
                : (value - range.getMin()) / (range.getMax() - range.getMin());
    }
}
