package org.inferometer.report.charts;

import java.util.List;

/// Draws charts as images without a screen. Thread-safe.
public interface ChartRenderer {
    /// A PNG of several charts.
    ///
    /// @param panelWidth logical pixels of each panel
    /// @param panelHeight logical pixels of each panel
    /// @param scale device pixels to a logical pixel: 2 for sharp exports
    byte[] png(ChartSheet sheet, int panelWidth, int panelHeight, double scale, Shade shade);

    /// A PNG of one chart.
    default byte[] png(ChartData chart, int width, int height, double scale, Shade shade) {
        return png(new ChartSheet(chart.id(), List.of(chart), 1), width, height, scale, shade);
    }

    /// The background of a chart.
    enum Shade {
        LIGHT, DARK
    }
}
