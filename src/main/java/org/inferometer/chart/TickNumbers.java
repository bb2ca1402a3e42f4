package org.inferometer.chart;

import java.math.BigDecimal;
import java.math.MathContext;
import java.text.FieldPosition;
import java.text.NumberFormat;
import java.text.ParsePosition;

/// Numbers on axes, the same on every machine: "0.25", "250", "12.5 k", "3 M".
final class TickNumbers extends NumberFormat {
    private static final long serialVersionUID = 1L;

    /// One number.
    static String text(double value) {
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

    @Override
    public StringBuffer format(double number, StringBuffer into, FieldPosition position) {
        return into.append(text(number));
    }

    @Override
    public StringBuffer format(long number, StringBuffer into, FieldPosition position) {
        return into.append(text(number));
    }

    @Override
    public Number parse(String source, ParsePosition position) {
        throw new UnsupportedOperationException("Axes write numbers and read none.");
    }
}
