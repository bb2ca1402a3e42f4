package org.inferometer.chart;

import java.util.List;
import org.inferometer.report.charts.ChartData.Axis;
import org.inferometer.report.charts.ChartData.Guide;

/// The range of an axis, computed once from the data.
///
/// @param lower lower end
/// @param upper upper end, above the lower
record ChartRanges(double lower, double upper) {
    private static final double HEADROOM = 0.06;
    private static final double MARK_ROOM = 0.08;
    /// A guide further outside than this share of the range does not widen it.
    private static final double GUIDE_REACH = 1.5;

    /// The range of a time-like axis: exactly the data.
    static ChartRanges tight(Axis axis, Iterable<double[]> values) {
        return of(axis, values, 0);
    }

    /// The range of a value axis: a little more than the data.
    static ChartRanges roomy(Axis axis, Iterable<double[]> values) {
        return of(axis, values, HEADROOM);
    }

    /// The same range widened to guides of its axis, unless the data would be squeezed by them or the axis has a bound.
    ChartRanges with(Axis axis, List<Guide> guides, boolean vertical) {
        ChartRanges wide = this;
        for (Guide guide : guides) {
            double value = guide.value();
            if (guide.vertical() == vertical && Double.isFinite(value) && (!axis.logarithmic() || value > 0)) {
                wide = wide.to(axis, value);
            }
        }
        return wide;
    }

    private ChartRanges to(Axis axis, double value) {
        double span = axis.logarithmic() ? Math.log(upper / lower) : upper - lower;
        double beyond = axis.logarithmic() ? Math.max(Math.log(value / upper), Math.log(lower / value))
                : Math.max(value - upper, lower - value);
        if (beyond < 0 || beyond > span * GUIDE_REACH) {
            return this;
        }
        double margin = axis.logarithmic() ? Math.max(1.05, Math.exp(span * HEADROOM)) : span * HEADROOM;
        double low = axis.logarithmic() ? value / margin : value - margin;
        double high = axis.logarithmic() ? value * margin : value + margin;
        return new ChartRanges(Double.isNaN(axis.lower()) ? Math.min(lower, low) : lower,
                Double.isNaN(axis.upper()) ? Math.max(upper, high) : upper);
    }

    /// The range of an axis of marks, which need room beyond the data.
    static ChartRanges marked(Axis axis, Iterable<double[]> values) {
        return of(axis, values, MARK_ROOM);
    }

    private static ChartRanges of(Axis axis, Iterable<double[]> values, double headroom) {
        double least = Double.POSITIVE_INFINITY;
        double greatest = Double.NEGATIVE_INFINITY;
        for (double[] some : values) {
            for (double value : some) {
                if (Double.isFinite(value) && (!axis.logarithmic() || value > 0)) {
                    least = Math.min(least, value);
                    greatest = Math.max(greatest, value);
                }
            }
        }
        if (least > greatest) {
            least = axis.logarithmic() ? 1 : 0;
            greatest = axis.logarithmic() ? 10 : 1;
        }
        return axis.logarithmic() ? logarithmic(axis, least, greatest, headroom)
                : linear(axis, least, greatest, headroom);
    }

    private static ChartRanges linear(Axis axis, double least, double greatest, double headroom) {
        double span = greatest - Math.min(least, Double.isNaN(axis.lower()) ? least : axis.lower());
        double lower = Double.isNaN(axis.lower()) ? least - span * headroom : axis.lower();
        double upper = Double.isNaN(axis.upper()) ? greatest + span * headroom : axis.upper();
        return upper > lower ? new ChartRanges(lower, upper)
                : new ChartRanges(lower, lower + (lower == 0 ? 1 : Math.abs(lower)));
    }

    private static ChartRanges logarithmic(Axis axis, double least, double greatest, double headroom) {
        double margin = Math.max(1.02, Math.pow(greatest / least, Math.max(0.03, headroom)));
        double lower = axis.lower() > 0 ? axis.lower() : least / margin;
        double upper = axis.upper() > 0 ? axis.upper() : greatest * margin;
        return upper > lower ? new ChartRanges(lower, upper) : new ChartRanges(lower, lower * 10);
    }
}
