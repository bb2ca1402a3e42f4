package org.inferometer.chart;

import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import javax.imageio.ImageIO;
import javax.imageio.stream.MemoryCacheImageOutputStream;
import org.inferometer.report.charts.ChartRenderer;
import org.inferometer.report.charts.ChartSheet;

/// Draws charts as PNG in memory, without a screen. Thread-safe.
public final class JFreeCharts implements ChartRenderer {
    private static final int MOST_PIXELS = 64 << 20;
    private static final double TILE_WIDTH = 900;
    private static final double TILE_HEIGHT = 480;

    /// @throws IllegalArgumentException if the picture has no pixels or more than 67 million
    @Override
    public byte[] png(ChartSheet sheet, int panelWidth, int panelHeight, double scale, Shade shade) {
        int width = panelWidth * sheet.across();
        int height = panelHeight * sheet.down();
        int pixelsAcross = (int) Math.round(width * scale);
        int pixelsDown = (int) Math.round(height * scale);
        if (pixelsAcross < 1 || pixelsDown < 1 || (long) pixelsAcross * pixelsDown > MOST_PIXELS) {
            throw new IllegalArgumentException("A picture of " + width + " x " + height + " at scale " + scale
                    + " cannot be drawn. Choose 1 to " + MOST_PIXELS + " pixels.");
        }
        BufferedImage image = new BufferedImage(pixelsAcross, pixelsDown, BufferedImage.TYPE_INT_RGB);
        Graphics2D g2 = image.createGraphics();
        try {
            g2.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
            g2.setRenderingHint(RenderingHints.KEY_FRACTIONALMETRICS, RenderingHints.VALUE_FRACTIONALMETRICS_ON);
            g2.scale(scale, scale);
            g2.setColor(new ChartStyle(shade, 1).background());
            g2.fillRect(0, 0, width, height);
            ChartComposer composer = new ChartComposer(shade, styleScale(panelWidth, panelHeight));
            for (int panel = 0; panel < sheet.panels().size(); panel++) {
                double left = (double) panel % sheet.across() * panelWidth;
                double top = (double) (panel / sheet.across()) * panelHeight;
                composer.compose(sheet.panels().get(panel), pixelsAcross / sheet.across()).draw(g2,
                        new Rectangle2D.Double(left, top, panelWidth, panelHeight));
            }
        } finally {
            g2.dispose();
        }
        return encoded(image);
    }

    /// Fonts and lines grow with the picture, to 1.5 times at most.
    private static double styleScale(int width, int height) {
        return Math.clamp(Math.min(width / TILE_WIDTH, height / TILE_HEIGHT), 1, 1.5);
    }

    private static byte[] encoded(BufferedImage image) {
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
}
