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
}
