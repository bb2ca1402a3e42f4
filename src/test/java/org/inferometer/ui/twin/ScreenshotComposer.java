package org.inferometer.ui.twin;

import org.inferometer.chart.ChartComposer;
import org.inferometer.ui.chart.ChartDrawing;

/// The drawings that ship, for pictures of the window.
public final class ScreenshotComposer {

    private ScreenshotComposer() {}

    /// The one of the program.
    public static ChartDrawing.Composer best() {
        return (chart, shade, scale, width) -> new ChartComposer(shade, scale).compose(chart, width);
    }
}
