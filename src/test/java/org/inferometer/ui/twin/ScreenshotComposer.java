package org.inferometer.ui.twin;

import org.inferometer.report.ChartData;
import org.inferometer.report.ChartRenderer.Shade;
import org.inferometer.ui.fx.ChartHost;
import org.jfree.chart.JFreeChart;

final class ScreenshotComposer {
    private ScreenshotComposer() {}

    static ChartHost.Composer best() throws Exception {
        Class<?> type = Class.forName("org.inferometer.chart.ChartComposer");
        var make = type.getConstructor(Shade.class, double.class);
        var compose = type.getMethod("compose", ChartData.class, int.class);
        return (chart, shade, width) -> {
            try {
                return (JFreeChart) compose.invoke(make.newInstance(shade, 1.0), chart, width);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e.getCause());
            }
        };
    }
}
