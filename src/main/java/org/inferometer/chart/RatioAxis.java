package org.inferometer.chart;

import java.awt.Graphics2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.inferometer.units.QuantityText;
import org.jfree.chart.axis.AxisSpace;
import org.jfree.chart.axis.AxisState;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberTick;
import org.jfree.chart.axis.TickType;
import org.jfree.chart.plot.Plot;
import org.jfree.chart.plot.PlotRenderingInfo;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.TextAnchor;

/// A logarithmic axis of ratios with "less" and "more" at its ends. Ticks are powers of two, over wide and narrow ranges other round
/// numbers.
final class RatioAxis extends LogAxis {
    private static final long serialVersionUID = 1L;
    private static final double NARROW_OCTAVES = 1.2;
    private static final double WIDE_OCTAVES = 7;
    private static final String LESS = "less";
    private static final String MORE = "more";

    RatioAxis(String label, ChartRanges range) {
        super(label.isEmpty() ? null : label);
        setRange(range.lower(), range.upper());
        setSmallestValue(range.lower() / 10);
    }

    @Override
    public List<NumberTick> refreshTicks(Graphics2D g2, AxisState state, Rectangle2D dataArea, RectangleEdge edge) {
        double label = Letters.of(g2, getTickLabelFont()).width("0.00×") * 1.3;
        List<NumberTick> ticks = new ArrayList<>();
        for (double value : values(getLowerBound(), getUpperBound(), (int) (dataArea.getWidth() / label))) {
            ticks.add(new NumberTick(TickType.MAJOR, value, text(value), TextAnchor.TOP_CENTER, TextAnchor.CENTER, 0));
        }
        return ticks;
    }

    /// @param most labels that fit
    static List<Double> values(double lower, double upper, int most) {
        double octaves = Math.log(upper / lower) / Math.log(2);
        if (octaves < NARROW_OCTAVES || octaves > WIDE_OCTAVES || octaves + 1 > most) {
            return ReadableLogAxis.values(lower, upper, Math.max(2, most));
        }
        List<Double> values = new ArrayList<>();
        int first = (int) Math.ceil(Math.log(lower) / Math.log(2) - 1e-9);
        for (int k = first; Math.pow(2, k) <= upper * (1 + 1e-9); k++) {
            values.add(Math.pow(2, k));
        }
        return values;
    }

    /// "0.5×", "0.063×", "16×".
    static String text(double ratio) {
        String digits = String.format(Locale.ROOT, ratio >= 9.995 ? "%.0f" : ratio >= 0.1 ? "%.2f" : "%.3f", ratio);
        return QuantityText.withoutTrailingZeros(digits) + "×";
    }

    @Override
    public AxisSpace reserveSpace(Graphics2D g2, Plot plot, Rectangle2D area, RectangleEdge edge, AxisSpace space) {
        AxisSpace reserved = super.reserveSpace(g2, plot, area, edge, space);
        reserved.add(Letters.of(g2, getTickLabelFont()).height() * 1.25, RectangleEdge.TOP);
        return reserved;
    }

    @Override
    public AxisState draw(Graphics2D g2, double cursor, Rectangle2D area, Rectangle2D data, RectangleEdge edge,
            PlotRenderingInfo info) {
        g2.setFont(getTickLabelFont());
        g2.setPaint(getTickLabelPaint());
        Letters letters = Letters.of(g2, g2.getFont());
        double base = data.getMinY() - letters.descent() - letters.height() * 0.15;
        double arrow = letters.ascent() * 0.55;
        double middle = base - letters.ascent() * 0.36;
        g2.fill(triangle(data.getMinX(), middle, arrow, -1));
        g2.drawString(LESS, (float) (data.getMinX() + arrow * 1.5), (float) base);
        g2.fill(triangle(data.getMaxX(), middle, arrow, 1));
        g2.drawString(MORE, (float) (data.getMaxX() - arrow * 1.5 - letters.width(MORE)), (float) base);
        return super.draw(g2, cursor, area, data, edge, info);
    }

    /// @param tip x of its point
    /// @param direction −1 points to the left, 1 to the right
    private static Path2D triangle(double tip, double middle, double size, int direction) {
        Path2D.Double path = new Path2D.Double();
        path.moveTo(tip, middle);
        path.lineTo(tip - direction * size, middle - size * 0.6);
        path.lineTo(tip - direction * size, middle + size * 0.6);
        path.closePath();
        return path;
    }
}
