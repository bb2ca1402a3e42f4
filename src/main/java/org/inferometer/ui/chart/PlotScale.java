package org.inferometer.ui.chart;

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
