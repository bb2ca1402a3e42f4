package org.inferometer.chart;

import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import javax.imageio.ImageIO;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/// Paints charts as pixels.
final class PngCharts {
    private PngCharts() {}

    static byte[] draw(PicturePainter painter, double scale) {
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
}
