package org.inferometer.chart;

import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jfree.chart.axis.AxisState;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTick;
import org.jfree.chart.axis.TickType;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.TextAnchor;
import org.jspecify.annotations.Nullable;

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

    /// A logarithmic axis with ticks at 1, 2, 5, 10, ...; over many decades only at powers of ten, over a short range in equal steps.
    static final class ReadableLogAxis extends LogAxis {
        private static final long serialVersionUID = 1L;
        private static final double PIXELS_A_LABEL = 34;
        private static final int LEAST = 2;
        private static final int[] STEPS = {1, 2, 5, 10, 20, 50};

        private final double[] measured;

        /// @param measured places of measured points; where two or more are in range and their labels fit, they are the ticks
        ReadableLogAxis(String label, double lower, double upper, double... measured) {
            super(label);
            this.measured = Arrays.stream(measured).distinct().sorted().toArray();
            setRange(lower, upper);
            setSmallestValue(lower / 10);
        }

        /// The measured places in range whose labels do not overlap.
        private List<Double> measuredTicks(double pixels, double room) {
            List<Double> ticks = new ArrayList<>();
            double scale = pixels / Math.log(getUpperBound() / getLowerBound());
            double last = Double.NEGATIVE_INFINITY;
            for (double value : measured) {
                double at = Math.log(value) * scale;
                if (value >= getLowerBound() && value <= getUpperBound() && at - last >= room) {
                    ticks.add(value);
                    last = at;
                }
            }
            return ticks;
        }

        @Override
        public List<NumberTick> refreshTicks(Graphics2D g2, AxisState state, Rectangle2D dataArea, RectangleEdge edge) {
            boolean horizontal = RectangleEdge.isTopOrBottom(edge);
            double pixels = horizontal ? dataArea.getWidth() : dataArea.getHeight();
            TextAnchor anchor = horizontal ? TextAnchor.TOP_CENTER : TextAnchor.CENTER_RIGHT;
            double room = horizontal ? PIXELS_A_LABEL * 1.3 : PIXELS_A_LABEL * 0.7;
            double apart = room * getTickLabelFont().getSize2D() / 11;
            List<Double> places = measuredTicks(pixels, apart);
            List<Double> values = places.size() >= LEAST ? places
                    : apart(pixels, horizontal ? new Letters(g2, getTickLabelFont()) : null, apart);
            return values.stream().map(value -> tick(value, anchor)).toList();
        }

        /// The densest values whose labels stand apart.
        ///
        /// @param letters of labels side by side; null for labels above each other
        private List<Double> apart(double pixels, @Nullable Letters letters, double room) {
            double scale = pixels / Math.log(getUpperBound() / getLowerBound());
            int most = (int) Math.max(LEAST, pixels / room);
            List<Double> values = values(getLowerBound(), getUpperBound(), most);
            while (letters != null && most > LEAST && !standApart(values, letters, scale)) {
                most = Math.min(most, values.size()) - 1;
                values = values(getLowerBound(), getUpperBound(), Math.max(LEAST, most));
            }
            return values;
        }

        private static boolean standApart(List<Double> values, Letters letters, double scale) {
            for (int i = 1; i < values.size(); i++) {
                double between = Math.log(values.get(i) / values.get(i - 1)) * scale;
                double widths = letters.width(number(values.get(i))) + letters.width(number(values.get(i - 1)));
                if (between < widths / 2 + letters.width("0")) {
                    return false;
                }
            }
            return true;
        }

        /// Tick values within a range: the densest of 1 to 9, 1-2-5, 1-3 and 1 per decade that fits the limit, else steps of whole decades;
        /// equal steps where fewer than two fit.
        static List<Double> values(double lower, double upper, int most) {
            double[][] patterns = {{1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 2, 3, 5, 7}, {1, 2, 5}, {1, 3}, {1}};
            for (double[] pattern : patterns) {
                List<Double> values = multiples(lower, upper, pattern, 1);
                if (values.size() <= most) {
                    return values.size() >= LEAST ? values : evenly(lower, upper, most);
                }
            }
            for (int step = 2;; step++) {
                List<Double> values = multiples(lower, upper, new double[]{1}, step);
                if (values.size() <= most || step > 30) {
                    return values;
                }
            }
        }

        /// Round values in equal steps, for a range of less than a decade without two digits of the pattern: "225", "230".
        private static List<Double> evenly(double lower, double upper, int most) {
            BigDecimal unit = BigDecimal.ONE.scaleByPowerOfTen((int) Math.floor(Math.log10(upper - lower)) - 1);
            for (int factor : STEPS) {
                BigDecimal step = unit.multiply(BigDecimal.valueOf(factor));
                List<Double> values = new ArrayList<>();
                BigDecimal first = new BigDecimal(lower).divide(step, 0, RoundingMode.CEILING).multiply(step);
                for (BigDecimal value = first; value.doubleValue() <= upper && values.size() <= most; value =
                        value.add(step)) {
                    values.add(value.doubleValue());
                }
                if (values.size() <= most) {
                    return values;
                }
            }
            return List.of();
        }

        private static List<Double> multiples(double lower, double upper, double[] pattern, int step) {
            List<Double> values = new ArrayList<>();
            int first = (int) Math.floor(Math.log10(lower));
            int last = (int) Math.ceil(Math.log10(upper));
            for (int decade = first; decade <= last; decade++) {
                for (double digit : pattern) {
                    // Dividing by 100 gives exactly 0.02; multiplying by 0.01 would not.
                    double value = decade < 0 ? digit / Math.pow(10, -decade) : digit * Math.pow(10, decade);
                    if (value >= lower * 0.9999 && value <= upper * 1.0001 && Math.floorMod(decade, step) == 0) {
                        values.add(value);
                    }
                }
            }
            return values;
        }
    }
}
