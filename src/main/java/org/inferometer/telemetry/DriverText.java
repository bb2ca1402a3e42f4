package org.inferometer.telemetry;

import org.jspecify.annotations.Nullable;

/// Makes text and numbers of drivers safe to show: no control characters, bounded, absent if unusable.
final class DriverText {
    private static final int LONGEST = 200;
    private static final int LONGEST_NUMBER = 24;

    private DriverText() {}

    /// One line of at most 200 characters without control characters.
    static String clean(String text) {
        StringBuilder clean = new StringBuilder();
        text.codePoints().limit(LONGEST)
                .map(c -> Character.isISOControl(c) || Character.getType(c) == Character.FORMAT ? ' ' : c)
                .forEach(clean::appendCodePoint);
        return clean.toString().strip();
    }

    /// A number of zero or more in decimal digits; NaN for anything else.
    static double number(String text) {
        if (text.isEmpty() || text.length() > LONGEST_NUMBER) {
            return Double.NaN;
        }
        try {
            boolean plain = text.chars().allMatch(c -> (c >= '0' && c <= '9') || c == '.');
            return plain ? Double.parseDouble(text) : Double.NaN;
        } catch (NumberFormatException none) {
            return Double.NaN;
        }
    }

    /// A share of a hundred; NaN outside of 0 to 100.
    static double percent(double value) {
        return value >= 0 && value <= 100 ? value : Double.NaN;
    }

    /// Absent for NaN.
    static @Nullable Double orAbsent(double value) {
        return Double.isFinite(value) ? Double.valueOf(value) : null;
    }
}
