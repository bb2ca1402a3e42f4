package org.inferometer.report.charts;

/// Draws charts as images without a screen; `chart` implements it. Safe to call from any thread.
public interface ChartRenderer {
    /// A PNG.
    ///
    /// @param width logical pixels
    /// @param height logical pixels
    /// @param scale device pixels to a logical pixel: 2 for sharp exports
    byte[] png(ChartData chart, int width, int height, double scale, Shade shade);

    /// Light for paper, dark for screens that are.
    enum Shade {
        LIGHT, DARK
    }
}
