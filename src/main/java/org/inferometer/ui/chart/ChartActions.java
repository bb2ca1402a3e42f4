package org.inferometer.ui.chart;

import org.inferometer.report.charts.ChartData;
import org.inferometer.ui.fx.Messages;
import org.inferometer.ui.fx.TextClipboard;

/// Exports a chart, copies its image or its data. Images are drawn in the background.
final class ChartActions {
    private static final int COPY_WIDTH = 960;
    private static final int COPY_HEIGHT = 540;

    private ChartActions() {}

    /// Shows the export dialog.
    ///
    /// @param width logical pixels in the window
    static void export(ChartTools tools, ChartData data, double width, double height) {
        ExportPane.open(tools, picture(tools, data, width, height));
    }

    static void copyImage(ChartTools tools, ChartData data) {
        ExportPane.copy(tools, picture(tools, data, COPY_WIDTH, COPY_HEIGHT));
    }

    private static ExportPane.ExportedPicture picture(ChartTools tools, ChartData data, double width, double height) {
        return new ExportPane.ExportedPicture(picture -> tools.renderer().draw(data, picture), data.id(),
                tools.source(), width, height, false);
    }

    static void copyData(ChartTools tools, ChartData data) {
        TextClipboard.copy(ChartTable.tabSeparated(data));
        tools.notifier().done(Messages.text("notice.data-copied"));
    }
}
