package org.inferometer.chart;

import org.inferometer.report.charts.ChartRenderer;
import org.inferometer.report.charts.ChartSheet;
import org.inferometer.report.charts.VectorDrawing;

/// Draws charts as PNG, SVG and PDF in memory, without a screen. Thread-safe.
public final class JFreeCharts implements ChartRenderer {
    private static final int MOST_PIXELS = 64 << 20;

    /// @throws IllegalArgumentException if the picture has no pixels or more than 67 million
    @Override
    public byte[] draw(ChartSheet sheet, Picture picture) {
        return draw(new SheetPainter(sheet, picture), picture);
    }

    @Override
    public byte[] draw(VectorDrawing drawing, Picture picture) {
        return draw(new DrawingPainter(drawing), picture);
    }

    private static byte[] draw(PicturePainter painter, Picture picture) {
        double pixels = Math.rint(painter.width() * picture.scale()) * Math.rint(painter.height() * picture.scale());
        if (painter.width() < 1 || painter.height() < 1 || !(pixels >= 1 && pixels <= MOST_PIXELS)) {
            throw new IllegalArgumentException("A picture of " + painter.width() + " x " + painter.height()
                    + " at scale " + picture.scale() + " cannot be drawn. Choose 1 to " + MOST_PIXELS + " pixels.");
        }
        return switch (picture.format()) {
            case PNG -> PngCharts.draw(painter, picture.scale());
            case SVG -> SvgCharts.draw(painter, picture.idPrefix());
            case PDF -> PdfCharts.draw(painter);
        };
    }
}
