package org.inferometer.chart;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.Shape;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.awt.geom.RoundRectangle2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.imageio.ImageIO;
import javax.imageio.stream.MemoryCacheImageOutputStream;
import org.inferometer.chart.JFreeCharts.PicturePainter;
import org.inferometer.chart.Letters.TextFit;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartRenderer;
import org.inferometer.report.charts.ChartRenderer.Picture;
import org.inferometer.report.charts.ChartSheet;
import org.inferometer.report.charts.VectorDrawing;
import org.inferometer.report.charts.VectorDrawing.Fill;
import org.inferometer.report.charts.VectorDrawing.Ink;
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

    /// Paints a drawing of shapes.
    record DrawingPainter(VectorDrawing drawing) implements PicturePainter {
        private static final double HATCH_PITCH = 6;
        private static final double HATCH_LINE = 1.2;

        @Override
        public long width() {
            return (long) Math.ceil(drawing.width());
        }

        @Override
        public long height() {
            return (long) Math.ceil(drawing.height());
        }

        @Override
        public String title() {
            return drawing.title();
        }

        @Override
        public void paint(Graphics2D g2, double scale) {
            Deque<Optional<Shape>> clips = new ArrayDeque<>();
            for (VectorDrawing.Shape shape : drawing.shapes()) {
                switch (shape) {
                    case VectorDrawing.Shape.Clip(double x, double y, double w, double h) -> {
                        clips.push(Optional.ofNullable(g2.getClip()));
                        g2.clip(new Rectangle2D.Double(x, y, w, h));
                    }
                    case VectorDrawing.Shape.Unclip() -> g2.setClip(clips.pop().orElse(null));
                    case VectorDrawing.Shape.Box box -> box(g2, box);
                    case VectorDrawing.Shape.Outline(double x, double y, double w, double h, double line, Ink ink) ->
                        stroke(g2, new Rectangle2D.Double(x, y, w, h), line, 0, ink);
                    case VectorDrawing.Shape.Segment(double x1, double y1, double x2, double y2, double line, double dash, Ink ink) ->
                        stroke(g2, new Line2D.Double(x1, y1, x2, y2), line, dash, ink);
                    case VectorDrawing.Shape.Polygon(double[] x, double[] y, Ink ink) -> {
                        Path2D path = new Path2D.Double();
                        path.moveTo(x[0], y[0]);
                        for (int i = 1; i < x.length; i++) {
                            path.lineTo(x[i], y[i]);
                        }
                        path.closePath();
                        fill(g2, path, ink);
                    }
                    case VectorDrawing.Shape.Oval(double x, double y, double w, double h, Ink ink) ->
                        fill(g2, new Ellipse2D.Double(x, y, w, h), ink);
                    case VectorDrawing.Shape.Text text -> text(g2, text);
                }
            }
        }

        private static void box(Graphics2D g2, VectorDrawing.Shape.Box box) {
            Rectangle2D area = new Rectangle2D.Double(box.x(), box.y(), box.width(), box.height());
            if (box.fill() == Fill.PLAIN) {
                fill(g2, box.arc() > 0
                        ? new RoundRectangle2D.Double(box.x(), box.y(), box.width(), box.height(), box.arc(), box.arc())
                        : area, box.ink());
                return;
            }
            // Lines rather than a pattern, so that vectors stay vectors.
            double first = Math.ceil((box.x() + box.y()) / HATCH_PITCH) * HATCH_PITCH;
            for (double sum = first; sum < box.x() + box.width() + box.y() + box.height(); sum += HATCH_PITCH) {
                double fromX = Math.max(box.x(), sum - box.y() - box.height());
                double toX = Math.min(box.x() + box.width(), sum - box.y());
                if (toX > fromX) {
                    stroke(g2, new Line2D.Double(fromX, sum - fromX, toX, sum - toX), HATCH_LINE, 0, box.ink());
                }
            }
        }

        private static void fill(Graphics2D g2, Shape shape, Ink ink) {
            if (ink.opacity() > 0) {
                g2.setColor(color(ink));
                g2.fill(shape);
            }
        }

        private static void stroke(Graphics2D g2, Shape shape, double line, double dash, Ink ink) {
            g2.setColor(color(ink));
            g2.setStroke(dash > 0
                    ? new BasicStroke((float) line, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER, 10,
                            new float[]{(float) dash}, 0)
                    : new BasicStroke((float) line, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER));
            g2.draw(shape);
        }

        private static void text(Graphics2D g2, VectorDrawing.Shape.Text text) {
            Font font =
                    new Font(Font.SANS_SERIF, text.bold() ? Font.BOLD : Font.PLAIN, 1).deriveFont((float) text.size());
            g2.setFont(font);
            Letters letters = new Letters(g2, font);
            List<String> lines = new TextFit(letters, text.most(), 1).lines(text.text());
            String line = lines.isEmpty() ? "" : lines.getFirst();
            double width = letters.width(line);
            double left = switch (text.anchor()) {
                case LEFT -> text.x();
                case MIDDLE -> text.x() - width / 2;
                case RIGHT -> text.x() - width;
            };
            g2.setColor(color(text.ink()));
            g2.drawString(line, (float) left, letters.baseline(text.y()));
        }

        private static Color color(Ink ink) {
            return new Color((float) ink.red(), (float) ink.green(), (float) ink.blue(), (float) ink.opacity());
        }
    }
}
