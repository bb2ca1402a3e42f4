package org.inferometer.chart;

import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.stream.Collectors;
import javax.imageio.ImageIO;
import javax.imageio.stream.MemoryCacheImageOutputStream;
import org.inferometer.chart.JFreeCharts.PicturePainter;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartRenderer;
import org.inferometer.report.charts.ChartRenderer.Picture;
import org.inferometer.report.charts.ChartSheet;
import org.inferometer.report.charts.VectorDrawing;
import org.jfree.chart.JFreeChart;

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
            case PNG -> png(painter, picture.scale());
            case SVG -> SvgCharts.draw(painter, picture.idPrefix());
            case PDF -> PdfCharts.draw(painter);
        };
    }

    private static byte[] png(PicturePainter painter, double scale) {
        BufferedImage image = new BufferedImage((int) Math.round(painter.width() * scale),
                (int) Math.round(painter.height() * scale), BufferedImage.TYPE_INT_RGB);
        Graphics2D g2 = image.createGraphics();
        try {
            g2.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
            g2.setRenderingHint(RenderingHints.KEY_FRACTIONALMETRICS, RenderingHints.VALUE_FRACTIONALMETRICS_ON);
            g2.scale(scale, scale);
            painter.paint(g2, scale);
        } finally {
            g2.dispose();
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(1 << 16);
        // The default output stream caches in a temporary file.
        try (MemoryCacheImageOutputStream out = new MemoryCacheImageOutputStream(bytes)) {
            if (!ImageIO.write(image, "png", out)) {
                throw new IllegalStateException("This Java runtime has no PNG writer.");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /// Paints a picture of a size.
    interface PicturePainter {
        /// Logical pixels.
        long width();

        /// Logical pixels.
        long height();

        /// What it shows, for the properties of a file.
        String title();

        /// @param scale device pixels to a logical pixel, to which lines are decimated
        void paint(Graphics2D g2, double scale);
    }

    /// Paints the panels of a sheet side by side.
    private record SheetPainter(ChartSheet sheet, Picture picture) implements PicturePainter {
        private static final double TILE_WIDTH = 900;
        private static final double TILE_HEIGHT = 480;

        @Override
        public long width() {
            return (long) picture.panelWidth() * sheet.across();
        }

        @Override
        public long height() {
            return (long) picture.panelHeight() * sheet.down();
        }

        /// The titles of the panels.
        @Override
        public String title() {
            return sheet.panels().stream().map(ChartData::title).collect(Collectors.joining("; "));
        }

        @Override
        public void paint(Graphics2D g2, double scale) {
            g2.setColor(new ChartStyle(picture.shade(), 1).background());
            g2.fill(new Rectangle2D.Double(0, 0, width(), height()));
            ChartComposer composer = new ChartComposer(picture.shade(), styleScale());
            for (int panel = 0; panel < sheet.panels().size(); panel++) {
                double left = (double) panel % sheet.across() * picture.panelWidth();
                double top = (double) (panel / sheet.across()) * picture.panelHeight();
                JFreeChart chart =
                        composer.compose(sheet.panels().get(panel), (int) Math.round(picture.panelWidth() * scale));
                ChartFrame.keep(chart, picture.parts());
                chart.draw(g2, new Rectangle2D.Double(left, top, picture.panelWidth(), picture.panelHeight()));
            }
        }

        /// Fonts and lines grow with the picture, to 1.5 times at most.
        private double styleScale() {
            return Math.clamp(Math.min(picture.panelWidth() / TILE_WIDTH, picture.panelHeight() / TILE_HEIGHT), 1, 1.5);
        }
    }
}
