package org.inferometer.app;

import org.inferometer.chart.JFreeCharts;
import org.inferometer.report.charts.ChartRenderer;
import org.inferometer.report.charts.ChartSheet;
import org.inferometer.report.charts.VectorDrawing;

/// Loads what draws charts when the first one is drawn, so that a worker's trimmed runtime need not have it. Safe to call from any
/// thread.
final class LazyChartRenderer implements ChartRenderer {
    /// @throws UnsupportedOperationException in a runtime without charts
    @Override
    public byte[] draw(ChartSheet sheet, Picture picture) {
        try {
            return new JFreeCharts().draw(sheet, picture);
        } catch (NoClassDefFoundError missing) {
            throw without(missing);
        }
    }

    /// @throws UnsupportedOperationException in a runtime without charts
    @Override
    public byte[] draw(VectorDrawing drawing, Picture picture) {
        try {
            return new JFreeCharts().draw(drawing, picture);
        } catch (NoClassDefFoundError missing) {
            throw without(missing);
        }
    }

    private static UnsupportedOperationException without(NoClassDefFoundError missing) {
        return new UnsupportedOperationException(
                "This runtime cannot draw charts. Copy the result folder to a machine with the full program and write "
                        + "the report there.",
                missing);
    }
}
