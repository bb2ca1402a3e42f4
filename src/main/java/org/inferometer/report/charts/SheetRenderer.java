package org.inferometer.report.charts;

import org.inferometer.report.charts.ChartRenderer.Shade;

/// Draws sheets of charts as images without a screen; `chart` implements it. Safe to call from any thread.
public interface SheetRenderer {
    /// A PNG.
    ///
    /// @param panelWidth logical pixels of each panel
    /// @param panelHeight logical pixels of each panel
    /// @param scale device pixels to a logical pixel: 2 for sharp exports
    byte[] png(ChartSheet sheet, int panelWidth, int panelHeight, double scale, Shade shade);
}
