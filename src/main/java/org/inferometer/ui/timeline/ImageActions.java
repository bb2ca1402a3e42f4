package org.inferometer.ui.timeline;

import org.inferometer.report.charts.ChartRenderer.Picture;
import org.inferometer.report.charts.VectorDrawing;
import org.inferometer.ui.chart.ChartTools;
import org.inferometer.ui.chart.ExportPane;

/// Exports and copies the picture of the visible timeline.
final class ImageActions {
    private final ChartTools tools;
    private final TimelineCanvas canvas;
    private final TimelineViewModel model;

    ImageActions(ChartTools tools, TimelineCanvas canvas, TimelineViewModel model) {
        this.tools = tools;
        this.canvas = canvas;
        this.model = model;
    }

    /// Shows the export dialog.
    void save() {
        canvas.drawing().ifPresent(drawing -> ExportPane.open(tools, picture(drawing)));
    }

    void copy() {
        canvas.drawing().ifPresent(drawing -> ExportPane.copy(tools, picture(drawing)));
    }

    /// In the theme and the size of the window.
    private ExportPane.ExportedPicture picture(VectorDrawing drawing) {
        return new ExportPane.ExportedPicture() {
            @Override
            public byte[] draw(Picture picture) {
                return tools.renderer().draw(drawing, picture);
            }

            @Override
            public String metric() {
                return "timeline";
            }

            @Override
            public String source() {
                return model.experiment().get();
            }

            @Override
            public double screenWidth() {
                return drawing.width();
            }

            @Override
            public double screenHeight() {
                return drawing.height();
            }

            @Override
            public boolean isFixed() {
                return true;
            }
        };
    }
}
