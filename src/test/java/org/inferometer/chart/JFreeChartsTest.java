package org.inferometer.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.awt.Color;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.inferometer.chart.ChartStyle.Contrast;
import org.inferometer.chart.ReadableAxis.ReadableLogAxis;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartData.Axis;
import org.inferometer.report.charts.ChartData.Marks;
import org.inferometer.report.charts.ChartData.SeriesStyle;
import org.inferometer.report.charts.ChartRenderer.ChartFormat;
import org.inferometer.report.charts.ChartRenderer.Picture;
import org.inferometer.report.charts.ChartRenderer.Shade;
import org.inferometer.ui.twin.SampleCharts;
import org.jfree.chart.axis.AxisState;
import org.jfree.chart.axis.NumberTick;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.ui.RectangleEdge;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class JFreeChartsTest {
    private final JFreeCharts charts = new JFreeCharts();

    static Stream<ChartData> everyKind() {
        double[] x = {0, 1, 2, 3};
        double[] y = {5, Double.NaN, 7, 6};
        Axis time = Axis.fitted("time, s");
        Stream<ChartData> few = Stream.of(
                chart(time, Axis.fromZero("tok/s"),
                        new Marks.Lines(List.of(new ChartData.Line("a", SeriesStyle.solid(0), x, y),
                                new ChartData.Line("a", SeriesStyle.solid(1), x, x)), false)),
                chart(Axis.log("ms"), new Axis("%", false, 0, 100),
                        new Marks.Lines(List.of(new ChartData.Line("b", SeriesStyle.solid(2), new double[]{1, 10, 100},
                                new double[]{0, 50, 100})), true)),
                chart(time, Axis.fromZero("MiB"),
                        new Marks.Stack(x,
                                List.of(new ChartData.Layer("Weights", 0, new double[]{3, 3, 3, 3}),
                                        new ChartData.Layer("Unattributed", 4, new double[]{1, 2, Double.NaN, 1})))),
                chart(Axis.log("ms"), Axis.fromZero("%"), new Marks.Histogram(new double[]{1, 2, 4, 8},
                        List.of(new ChartData.Bins("c", SeriesStyle.solid(0), new double[]{20, 50, 30}, false),
                                new ChartData.Bins("base", SeriesStyle.solid(7), new double[]{30, 40, 30}, true)))),
                chart(Axis.fitted(""), Axis.fromZero("tok/s"),
                        new Marks.Bars(List.of("e", "e"),
                                List.of(new ChartData.BarSeries("s", SeriesStyle.solid(0), new double[]{5, Double.NaN},
                                        List.of(new ChartData.Span(5 - 1, 5 + 1), ChartData.Span.NONE))))),
                chart(Axis.fitted(""), Axis.log("ms"),
                        new Marks.Boxes(List.of(new ChartData.Box("e", SeriesStyle.solid(1), 1, 2, 3, 4, 5, 60)))),
                chart(time, Axis.fromZero("tok/s"), new Marks.Lines(List.of(), false)),
                chart(time, Axis.fromZero("MiB"), new Marks.Stack(new double[0], List.of())),
                chart(time, Axis.fromZero("tok/s"),
                        new Marks.Lines(List
                                .of(new ChartData.Line("flat", SeriesStyle.solid(0), new double[]{2}, new double[]{0})),
                                true)),
                chart(time, Axis.log("ms"), new Marks.Points(List.of())),
                chart(Axis.log("ratio"), time, new Marks.Ratios(List.of())),
                chart(Axis.fitted("MiB"), time, new Marks.OwnerBars(List.of(), List.of())),
                chart(Axis.fitted("MiB"), time,
                        new Marks.OwnerBars(List.of("a"),
                                List.of(new ChartData.Layer("Weights", 0, new double[]{Double.NaN})))),
                chart(time, time, new Marks.HeatMap(List.of(), List.of(), new double[0][], List.of())),
                chart(time, time, new Marks.HeatMap(List.of("1"), List.of("a"), new double[][]{{Double.NaN}},
                        List.of(List.of("")))));
        return Stream.concat(few, SampleCharts.all().stream());
    }

    private static ChartData chart(Axis x, Axis y, Marks marks) {
        return new ChartData("id", "A title, tok/s", "n = 4", x, y, marks);
    }

    @ParameterizedTest
    @MethodSource("everyKind")
    void everyKindOfChartIsDrawnInBothShades(ChartData chart) throws IOException {
        for (Shade shade : Shade.values()) {
            BufferedImage picture = read(charts.draw(chart, new Picture(ChartFormat.PNG, 620, 220, 2, shade)));
            assertThat(picture.getWidth()).isEqualTo(1240);
            assertThat(picture.getHeight()).isEqualTo(440);
            assertThat(new Color(picture.getRGB(2, 2))).isEqualTo(new ChartStyle(shade, 1).background());
            assertThat(colours(picture)).isGreaterThan(10);
            assertThat(edgeColours(picture)).as("nothing is cut at the edges")
                    .containsExactly(new ChartStyle(shade, 1).background().getRGB());
        }
    }

    @ParameterizedTest
    @EnumSource(Shade.class)
    void aSpikeOfOneSampleInAMillionIsSeen(Shade shade) throws IOException {
        int n = 1_000_000;
        double[] x = new double[n];
        double[] y = new double[n];
        Arrays.setAll(x, i -> i);
        Arrays.fill(y, 1);
        y[500_000] = 100;
        ChartData chart = chart(Axis.fitted("time, s"), new Axis("tok/s", false, 0, 110),
                new Marks.Lines(List.of(new ChartData.Line("a", SeriesStyle.solid(0), x, y)), false));
        BufferedImage picture = read(charts.draw(chart, new Picture(ChartFormat.PNG, 620, 220, 1, shade)));
        Color style = new ChartStyle(shade, 1).series(0);
        long inMiddle = countNear(picture, style, 280, 360, 60, 120);
        assertThat(inMiddle).as("pixels of the spike, half way up").isGreaterThan(20);
    }

    @Test
    void invalidPictureSizesAreRefused() {
        ChartData chart = everyKind().findFirst().orElseThrow();
        assertThatThrownBy(() -> charts.draw(chart, new Picture(ChartFormat.PNG, 0, 10, 1, Shade.LIGHT)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> charts.draw(chart, new Picture(ChartFormat.PNG, 100_000, 100_000, 2, Shade.LIGHT)))
                .hasMessageContaining("cannot be drawn");
    }

    @ParameterizedTest
    @EnumSource(Shade.class)
    void coloursHaveContrastToTheBackground(Shade shade) {
        ChartStyle style = new ChartStyle(shade, 1);
        for (int slot = 0; slot < ChartStyle.SLOTS; slot++) {
            assertThat(new Contrast(style.background()).of(style.series(slot))).as("slot " + slot).isGreaterThan(2.95);
        }
        assertThat(new Contrast(style.background()).of(style.muted())).isGreaterThan(4.5);
        assertThat(new Contrast(style.background()).of(style.axis())).isGreaterThan(3);
    }

    @Test
    void ticksAreRoundNumbers() {
        assertThat(ReadableLogAxis.values(7, 34, 20)).containsExactly(7.0, 8.0, 9.0, 10.0, 15.0, 20.0, 30.0);
        assertThat(ReadableLogAxis.values(0.9, 150, 8)).containsExactly(1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0);
        assertThat(ReadableLogAxis.values(1e-3, 1e9, 5)).hasSizeLessThanOrEqualTo(5);
        assertThat(ReadableLogAxis.values(223, 246.3, 8)).as("a single mark").containsExactly(225.0, 230.0, 235.0,
                240.0, 245.0);
        assertThat(ReadableLogAxis.values(0.0611, 0.0789, 8)).containsExactly(0.065, 0.07, 0.075);
        assertThat(ReadableAxis.step(730, 8)).isEqualTo(100);
        assertThat(ReadableAxis.step(0.9, 5)).isEqualTo(0.2);
        assertThat(ReadableAxis.step(46, 1.6)).as("a low tile").isEqualTo(20);
        assertThat(Stream.of(0.0, 0.25, 250.0, 12_500.0, 3e6, -2.0).map(ReadableAxis::number)).containsExactly("0",
                "0.25", "250", "12.5 k", "3 M", "−2");
    }

    @Test
    void measuredLoadsAreTheTicksOfASweep() {
        assertThat(ticks(new ReadableLogAxis("", 1.8, 18, 16, 2, 4, 2), 300)).containsExactly("2", "4", "16");
        assertThat(ticks(new ReadableLogAxis("", 1.8, 18, 2, 2.1, 2.2, 16), 300)).as("labels do not overlap")
                .containsExactly("2", "16");
        assertThat(ticks(new ReadableLogAxis("", 1.8, 18, 4), 300)).as("one is too few").contains("2", "10");
    }

    @Test
    void aChartOfASweepHasTicksAtItsLoads() {
        double[] loads = {2, 4, 7};
        List<ChartData.Span> band = List.of(new ChartData.Span(5 - 1, 5 + 1), new ChartData.Span(5 - 1, 5 + 1),
                new ChartData.Span(5 - 1, 5 + 1));
        Marks sweep = new Marks.Lines(
                List.of(new ChartData.Line("naive", SeriesStyle.solid(0), loads, new double[]{5, 5, 5}, band)), false);
        for (Axis x : List.of(Axis.log("requests/s"), Axis.fromZero("requests/s"))) {
            XYPlot plot = (XYPlot) new ChartComposer(Shade.LIGHT, 1).compose(chart(x, Axis.fromZero("ms"), sweep), 400)
                    .getPlot();
            assertThat(ticks(plot.getDomainAxis(), 300)).containsExactly("2", "4", "7");
        }
    }

    private static List<String> ticks(ValueAxis axis, double width) {
        return ((List<?>) axis.refreshTicks(new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB).createGraphics(),
                new AxisState(), new Rectangle2D.Double(0, 0, width, 100), RectangleEdge.BOTTOM)).stream()
                .map(tick -> ((NumberTick) tick).getText()).toList();
    }

    private static BufferedImage read(byte[] png) throws IOException {
        return ImageIO.read(new ByteArrayInputStream(png));
    }

    private static long colours(BufferedImage picture) {
        return Arrays.stream(picture.getRGB(0, 0, picture.getWidth(), picture.getHeight(), null, 0, picture.getWidth()))
                .distinct().count();
    }

    private static List<Integer> edgeColours(BufferedImage picture) {
        int right = picture.getWidth() - 1;
        int bottom = picture.getHeight() - 1;
        return Stream
                .concat(IntStream.rangeClosed(0, right)
                        .mapToObj(x -> Stream.of(picture.getRGB(x, 0), picture.getRGB(x, bottom))),
                        IntStream.rangeClosed(0, bottom)
                                .mapToObj(y -> Stream.of(picture.getRGB(0, y), picture.getRGB(right, y))))
                .flatMap(Function.identity()).distinct().toList();
    }

    private static long countNear(BufferedImage picture, Color style, int fromX, int toX, int fromY, int toY) {
        long count = 0;
        for (int y = fromY; y < toY; y++) {
            for (int x = fromX; x < toX; x++) {
                Color pixel = new Color(picture.getRGB(x, y));
                int apart = Math.abs(pixel.getRed() - style.getRed()) + Math.abs(pixel.getGreen() - style.getGreen())
                        + Math.abs(pixel.getBlue() - style.getBlue());
                count += apart < 200 ? 1 : 0;
            }
        }
        return count;
    }
}
