package org.inferometer.chart;

import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jfree.chart.axis.AxisState;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTick;
import org.jfree.chart.axis.TickType;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.TextAnchor;

/// A linear axis with ticks at 1, 2 or 5 times a power of ten, as many as are readable.
final class ReadableAxis extends NumberAxis {
    private static final long serialVersionUID = 1L;
    private static final double LABEL_HEIGHTS_APART_DOWN = 3;
    private static final double LABEL_HEIGHTS_APART_ACROSS = 7;
    private static final double LABEL_HEIGHTS_APART_MEASURED = 4;

    private final double[] measured;

    /// @param measured places of measured points; where two or more are in range and all labels fit, they are the ticks
    ReadableAxis(String label, double lower, double upper, double... measured) {
        super(label);
        this.measured = Arrays.stream(measured).distinct().sorted().toArray();
        setRange(lower, upper);
        setAutoTickUnitSelection(false, false);
    }

    private List<NumberTick> measuredTicks(double pixels, double apart) {
        double[] inRange = Arrays.stream(measured).filter(getRange()::contains).toArray();
        for (int i = 1; i < inRange.length; i++) {
            if ((inRange[i] - inRange[i - 1]) / getRange().getLength() * pixels < apart) {
                return List.of();
            }
        }
        return Arrays.stream(inRange).mapToObj(value -> tick(value, TextAnchor.TOP_CENTER)).toList();
    }

    @Override
    public List<NumberTick> refreshTicks(Graphics2D g2, AxisState state, Rectangle2D dataArea, RectangleEdge edge) {
        boolean across = RectangleEdge.isTopOrBottom(edge);
        double pixels = across ? dataArea.getWidth() : dataArea.getHeight();
        double apart =
                getTickLabelFont().getSize2D() * (across ? LABEL_HEIGHTS_APART_ACROSS : LABEL_HEIGHTS_APART_DOWN);
        List<NumberTick> places = across
                ? measuredTicks(pixels, getTickLabelFont().getSize2D() * LABEL_HEIGHTS_APART_MEASURED) : List.of();
        if (places.size() > 1) {
            return places;
        }
        double step = step(getRange().getLength(), Math.max(1, pixels / apart));
        double first = Math.ceil(getLowerBound() / step);
        return IntStream.rangeClosed(0, (int) (Math.floor(getUpperBound() / step) - first))
                .mapToObj(i -> tick(first * step + i * step, across ? TextAnchor.TOP_CENTER : TextAnchor.CENTER_RIGHT))
                .toList();
    }

    /// A tick with its number.
    static NumberTick tick(double value, TextAnchor anchor) {
        return new NumberTick(TickType.MAJOR, value, number(value), anchor, TextAnchor.CENTER, 0);
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

    /// A number on an axis, the same on every machine: "0.25", "250", "12.5 k", "3 M".
    static String number(double value) {
        double size = Math.abs(value);
        if (size >= 1e6) {
            return plain(value / 1e6) + " M";
        }
        return size >= 1e4 ? plain(value / 1e3) + " k" : plain(value);
    }

    private static String plain(double value) {
        if (value == 0 || !Double.isFinite(value)) {
            return "0";
        }
        String text = new BigDecimal(value).round(new MathContext(6)).stripTrailingZeros().toPlainString();
        return text.replace('-', '−');
    }
}
