package org.inferometer.ui.twin;

import org.inferometer.chart.ChartComposer;
import org.inferometer.ui.chart.ChartHost;

/// The drawings that ship, for pictures of the window.
final class ScreenshotComposer {
    private static final int COLUMNS = 1200;

    private ScreenshotComposer() {}

    static ChartHost.Composer best() {
        return (chart, shade) -> new ChartComposer(shade, 1).compose(chart, COLUMNS);
    }
}
