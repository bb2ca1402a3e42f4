package org.inferometer.ui.chart;

import java.math.BigDecimal;
import java.math.RoundingMode;
import org.inferometer.report.charts.ChartData.Span;
import org.inferometer.units.QuantityText;

/// Writes values of an axis with its unit: "655.2 tok/s". The unit of a label follows its last comma, is in
/// brackets at its end, or is its only word.
///
/// @param quantity "output"; empty if the label is a unit alone
/// @param unit empty if the label has none
record ValueText(String quantity, String unit) {
    /// A missing value.
    static final String NONE = "–";

    static ValueText of(String label) {
        int bracket = label.lastIndexOf(" (");
        if (bracket >= 0 && label.endsWith(")")) {
            return new ValueText(label.substring(0, bracket), label.substring(bracket + 2, label.length() - 1));
        }
        int comma = label.lastIndexOf(", ");
        if (comma >= 0) {
            return new ValueText(label.substring(0, comma), label.substring(comma + 2));
        }
        return label.contains(" ") ? new ValueText(label, "") : new ValueText("", label);
    }

    /// "12.5 s".
    String of(double value) {
        return Double.isFinite(value) ? number(value) + suffix() : NONE;
    }

    /// "655 tok/s [640, 670]", with as many decimals as two digits of the interval's width have.
    String of(double value, Span span) {
        if (!span.isPresent()) {
            return of(value);
        }
        double width = span.high() - span.low();
        int decimals = width > 0 ? Math.clamp(1 - (int) Math.floor(Math.log10(width)), 0, 9) : 9;
        return rounded(value, decimals) + suffix() + " [" + rounded(span.low(), decimals) + ", "
                + rounded(span.high(), decimals) + "]";
    }

    private static String rounded(double value, int decimals) {
        return decimals == 9 ? number(value)
                : new BigDecimal(value).setScale(decimals, RoundingMode.HALF_EVEN).toPlainString().replace('-', '−');
    }

    /// "12 to 15 ms".
    String between(double from, double to) {
        return number(from) + " to " + of(to);
    }

    /// The value as the head of a readout; the quantity stands before it if there is no unit.
    String head(double value) {
        return unit.isEmpty() && !quantity.isEmpty() ? quantity + ": " + of(value) : of(value);
    }

    /// The quantity, or the unit alone.
    String name() {
        return quantity.isEmpty() ? unit : quantity;
    }

    /// Three significant digits, all of a whole part, without exponent and trailing zeros.
    static String number(double value) {
        return QuantityText.withoutTrailingZeros(QuantityText.significant(value)).replace('-', '−');
    }

    private String suffix() {
        return unit.isEmpty() ? "" : " " + unit;
    }
}
