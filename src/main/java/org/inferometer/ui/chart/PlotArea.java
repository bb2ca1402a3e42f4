package org.inferometer.ui.chart;

/// The plot of a drawn chart with its two axes. Names stand at 0, 1, 2 and so on.
record PlotArea(PlotScale x, PlotScale y) {
    boolean contains(double pixelX, double pixelY) {
        return x.containsPixel(pixelX) && y.containsPixel(pixelY);
    }

    double top() {
        return Math.min(y.start(), y.end());
    }

    double bottom() {
        return Math.max(y.start(), y.end());
    }

    /// One axis of a drawn chart: values to pixels of the chart's node and back.
    ///
    /// @param start pixel of the lower end
    /// @param end pixel of the upper end; smaller than the start on an axis that rises upwards
    record PlotScale(double start, double end, double lower, double upper, boolean logarithmic) {
        double pixel(double value) {
            return start + (place(value) - place(lower)) / (place(upper) - place(lower)) * (end - start);
        }

        double value(double pixel) {
            return atPlace(place(lower) + (pixel - start) / (end - start) * (place(upper) - place(lower)));
        }

        boolean shows(double value) {
            double pixel = pixel(value);
            return pixel >= Math.min(start, end) - 0.5 && pixel <= Math.max(start, end) + 0.5;
        }

        boolean containsPixel(double pixel) {
            return pixel >= Math.min(start, end) && pixel <= Math.max(start, end);
        }

        /// The part that a factor above 1 shows larger, while the value at a pixel stays there.
        AxisRange zoomed(double pixel, double factor) {
            double fixed = place(value(pixel));
            return new AxisRange(atPlace(fixed - (fixed - place(lower)) / factor),
                    atPlace(fixed + (place(upper) - fixed) / factor));
        }

        /// The part at the side of it.
        ///
        /// @param share of the length, negative for lower values
        AxisRange moved(double share) {
            double by = (place(upper) - place(lower)) * share;
            return new AxisRange(atPlace(place(lower) + by), atPlace(place(upper) + by));
        }

        /// Where a value is on the axis: its logarithm on a logarithmic one.
        double place(double value) {
            return logarithmic ? Math.log(value) : value;
        }

        double atPlace(double place) {
            return logarithmic ? Math.exp(place) : place;
        }
    }

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
}
