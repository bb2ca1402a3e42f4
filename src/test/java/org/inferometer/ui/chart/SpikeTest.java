package org.inferometer.ui.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.rendering.PDFRenderer;
import org.inferometer.chart.ChartComposer;
import org.inferometer.chart.JFreeCharts;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartData.Axis;
import org.inferometer.report.charts.ChartData.Line;
import org.inferometer.report.charts.ChartData.Marks;
import org.inferometer.report.charts.ChartData.SeriesStyle;
import org.inferometer.report.charts.ChartRenderer.ChartFormat;
import org.inferometer.report.charts.ChartRenderer.Part;
import org.inferometer.report.charts.ChartRenderer.Picture;
import org.inferometer.report.charts.ChartRenderer.Shade;
import org.inferometer.ui.chart.PlotArea.AxisRange;
import org.junit.jupiter.api.Test;

/// A million samples between 0 and 1 and one of 100: it is drawn at every zoom.
class SpikeTest {
    private static final int SAMPLES = 1_000_000;
    private static final int SPIKE = 523_457;
    private static final int WIDTH = 620;
    private static final int HEIGHT = 220;

    private static ChartData chart() {
        double[] x = new double[SAMPLES];
        double[] y = new double[SAMPLES];
        Arrays.setAll(x, i -> i);
        Arrays.setAll(y, i -> i * 7919L % 1000 / 1000.0);
        y[SPIKE] = 100;
        return new ChartData("spike", "", "", Axis.fitted("s"), new Axis("ms", false, 0, 110),
                new Marks.Lines(List.of(new Line("a", SeriesStyle.solid(0), x, y)), false));
    }

    @Test
    void oneSampleIsSeenAtEveryZoom() {
        ChartData chart = chart();
        assertThat(top(chart)).as("whole").isLessThan(60);
        for (double width = SAMPLES; width > 4; width /= 3.7) {
            for (double share : new double[]{0.001, 0.37, 0.998}) {
                double lower = SPIKE - share * width;
                AxisRange range = new AxisRange(lower, lower + width);
                assertThat(top(VisiblePart.of(chart, range))).as("%s", range).isLessThan(60);
            }
        }
    }

    @Test
    void oneSampleIsSeenInEveryExport() throws IOException {
        ChartData chart = chart();
        Picture png = new Picture(ChartFormat.PNG, WIDTH, HEIGHT, 1, Shade.LIGHT, "", EnumSet.noneOf(Part.class));
        Picture svg = new Picture(ChartFormat.SVG, WIDTH, HEIGHT, 1, Shade.LIGHT, "", EnumSet.noneOf(Part.class));
        Picture pdf = new Picture(ChartFormat.PDF, WIDTH, HEIGHT, 1, Shade.LIGHT, "", EnumSet.noneOf(Part.class));
        for (double width : new double[]{SAMPLES, 30_000, 700}) {
            ChartData shown = width == SAMPLES ? chart
                    : VisiblePart.of(chart, new AxisRange(SPIKE - 0.37 * width, SPIKE + 0.63 * width));
            BufferedImage pixels = ImageIO.read(new ByteArrayInputStream(new JFreeCharts().draw(shown, png)));
            assertThat(top(pixels)).as("PNG of %s samples", width).isLessThan(60);
            try (PDDocument document = Loader.loadPDF(new JFreeCharts().draw(shown, pdf))) {
                assertThat(top(new PDFRenderer(document).renderImageWithDPI(0, 96))).as("PDF of %s samples", width)
                        .isLessThan(60);
            }
            String text = new String(new JFreeCharts().draw(shown, svg), StandardCharsets.UTF_8);
            double highest = Pattern.compile(" d=\"(M[^\"]+)\"").matcher(text).results().map(match -> match.group(1))
                    .filter(path -> path.length() > 5000).flatMap(path -> Pattern.compile("[ML][\\d.]+ ([\\d.]+)")
                            .matcher(path).results().map(point -> Double.valueOf(point.group(1))))
                    .min(Double::compare).orElseThrow();
            assertThat(highest).as("SVG of %s samples", width).isLessThan(60);
        }
    }

    /// The highest pixel of the line.
    private static int top(ChartData data) {
        BufferedImage image = new BufferedImage(WIDTH, HEIGHT, BufferedImage.TYPE_INT_RGB);
        Graphics2D g2 = image.createGraphics();
        new ChartComposer(Shade.LIGHT, 1).compose(data, WIDTH).draw(g2, new Rectangle2D.Double(0, 0, WIDTH, HEIGHT));
        g2.dispose();
        return top(image);
    }

    private static int top(BufferedImage image) {
        for (int y = 0; y < HEIGHT; y++) {
            for (int x = 50; x < WIDTH; x++) {
                Color colour = new Color(image.getRGB(x, y));
                if (colour.getBlue() - colour.getRed() > 60) {
                    return y;
                }
            }
        }
        return HEIGHT;
    }
}
