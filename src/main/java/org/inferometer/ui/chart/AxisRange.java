package org.inferometer.ui.chart;

/// A part of an axis, in its units.
///
/// @param upper above the lower end
record AxisRange(double lower, double upper) {
    /// The range between two values in any order.
    static AxisRange between(double one, double other) {
        return new AxisRange(Math.min(one, other), Math.max(one, other));
    }

    /// Whether it has a width and finite ends.
    boolean isValid() {
        return lower < upper && Double.isFinite(lower) && Double.isFinite(upper);
    }

    /// Whether it reaches both ends of the other or beyond.
    boolean covers(AxisRange other) {
        return lower <= other.lower && upper >= other.upper;
    }
}
