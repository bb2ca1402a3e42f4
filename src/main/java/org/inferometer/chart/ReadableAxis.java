package org.inferometer.chart;

import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.util.List;
import org.jfree.chart.axis.AxisState;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.chart.ui.RectangleEdge;

/// A linear axis with ticks at 1, 2 or 5 times a power of ten, as many as are readable.
final class ReadableAxis extends NumberAxis {
    private static final long serialVersionUID = 1L;
    private static final double LABEL_HEIGHTS_APART_DOWN = 3;
    private static final double LABEL_HEIGHTS_APART_ACROSS = 7;

    ReadableAxis(String label, double lower, double upper) {
        super(label);
        setRange(lower, upper);
        setAutoTickUnitSelection(false, false);
    }

    @Override
    public List<?> refreshTicks(Graphics2D g2, AxisState state, Rectangle2D dataArea, RectangleEdge edge) {
        boolean across = RectangleEdge.isTopOrBottom(edge);
        double pixels = across ? dataArea.getWidth() : dataArea.getHeight();
        double apart =
                getTickLabelFont().getSize2D() * (across ? LABEL_HEIGHTS_APART_ACROSS : LABEL_HEIGHTS_APART_DOWN);
        setTickUnit(new NumberTickUnit(step(getRange().getLength(), Math.max(1, pixels / apart)), new TickNumbers()),
                false, false);
        return super.refreshTicks(g2, state, dataArea, edge);
    }

    /// The smallest step of 1, 2 or 5 times a power of ten with at most this many ticks within the length, but not longer than the length:
    /// an axis from 0 has a second tick.
    static double step(double length, double most) {
        double step = stepOf(length, most);
        return step <= length ? step : stepOf(length, 2 * most);
    }

    private static double stepOf(double length, double most) {
        double least = length / most;
        double power = Math.pow(10, Math.floor(Math.log10(least)));
        for (double digit : new double[]{1, 2, 5}) {
            if (digit * power >= least * 0.999) {
                return digit * power;
            }
        }
        return 10 * power;
    }
}
