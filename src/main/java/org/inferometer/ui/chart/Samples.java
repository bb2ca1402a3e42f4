package org.inferometer.ui.chart;

/// Finds samples by binary search.
final class Samples {
    private Samples() {}

    /// The last of those that are not greater than the value, or -1.
    static int atOrBefore(double[] ascending, double value) {
        int low = 0;
        int high = ascending.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (ascending[middle] <= value) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low - 1;
    }

    /// The one whose place on the axis is nearest, or -1 if there is none.
    static int nearest(double[] ascending, double value, PlotScale scale) {
        int before = atOrBefore(ascending, value);
        if (before < 0 || before == ascending.length - 1) {
            return before < 0 ? ascending.length == 0 ? -1 : 0 : before;
        }
        double left = scale.place(value) - scale.place(ascending[before]);
        double right = scale.place(ascending[before + 1]) - scale.place(value);
        return right < left ? before + 1 : before;
    }
}
