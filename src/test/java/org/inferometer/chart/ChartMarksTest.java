package org.inferometer.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.inferometer.chart.ChartStyle.Contrast;
import org.inferometer.chart.Letters.TextFit;
import org.inferometer.chart.PointsRenderer.LabelPlacer;
import org.inferometer.chart.RatioChart.RatioAxis;
import org.inferometer.chart.ReadableAxis.ReadableLogAxis;
import org.inferometer.record.MemoryOwner;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartData.Axis;
import org.inferometer.report.charts.ChartData.Dash;
import org.inferometer.report.charts.ChartData.Guide;
import org.inferometer.report.charts.ChartData.Marks;
import org.inferometer.report.charts.ChartData.SeriesStyle;
import org.inferometer.report.charts.ChartData.Shaded;
import org.inferometer.report.charts.ChartData.Span;
import org.inferometer.report.charts.ChartRenderer.Shade;
import org.jfree.chart.ChartRenderingInfo;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.NumberTick;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.ui.RectangleEdge;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ChartMarksTest {
    private static final int WIDTH = 480;
    private static final int HEIGHT = 260;
    private final ChartRenderingInfo info = new ChartRenderingInfo();

    private BufferedImage draw(ChartData chart, Shade shade) {
        BufferedImage image = new BufferedImage(WIDTH, HEIGHT, BufferedImage.TYPE_INT_RGB);
        Graphics2D g2 = image.createGraphics();
        compose(chart, shade).draw(g2, new Rectangle2D.Double(0, 0, WIDTH, HEIGHT), null, info);
        g2.dispose();
        return image;
    }

    private static JFreeChart compose(ChartData chart, Shade shade) {
        return new ChartComposer(shade, 1).compose(chart, WIDTH);
    }

    private Rectangle2D plotArea() {
        return info.getPlotInfo().getDataArea();
    }

    private static ChartData points(Dash dash, Guide... guides) {
        ChartData.Point point = new ChartData.Point("", 50, 50, Span.NONE, Span.NONE, new double[0], new double[0]);
        return new ChartData("p", "", "", new Axis("x", false, 0, 100), new Axis("y", false, 0, 100),
                new Marks.Points(
                        List.of(new ChartData.PointSeries("a", new SeriesStyle(0, dash), false, List.of(point)))),
                List.of(guides));
    }

    @ParameterizedTest
    @EnumSource(Shade.class)
    void theInsideOfAMarkShowsThePrecision(Shade shade) {
        ChartStyle style = new ChartStyle(shade, 1);
        int series = style.series(0).getRGB();
        int background = style.background().getRGB();
        assertThat(inside(Dash.SOLID, shade)).containsExactly(series, series);
        assertThat(inside(Dash.LONG, shade)).containsExactly(background, background);
        assertThat(inside(Dash.DOTTED, shade)).containsExactly(background, series);
        BufferedImage half = draw(points(Dash.DASH_DOT), shade);
        int x = (int) plotArea().getCenterX();
        int y = (int) plotArea().getCenterY();
        assertThat(List.of(half.getRGB(x, y - 3), half.getRGB(x, y + 2))).containsExactly(background, series);
    }

    /// The colour at the middle of a mark, and between its middle and its edge.
    private List<Integer> inside(Dash dash, Shade shade) {
        BufferedImage image = draw(points(dash), shade);
        int x = (int) plotArea().getCenterX();
        int y = (int) plotArea().getCenterY();
        return List.of(image.getRGB(x, y), image.getRGB(x - 3, y - 1));
    }

    @ParameterizedTest
    @EnumSource(Shade.class)
    void guidesAreDrawnAtTheirValues(Shade shade) {
        BufferedImage image = draw(
                points(Dash.SOLID, new Guide(false, 25, "limit", Shaded.BELOW), new Guide(true, 75, "", Shaded.NONE)),
                shade);
        Rectangle2D area = plotArea();
        ChartStyle style = new ChartStyle(shade, 1);
        int row = (int) Math.round(area.getMaxY() - 0.25 * area.getHeight());
        int column = (int) Math.round(area.getMinX() + 0.75 * area.getWidth());
        List<Integer> rows = IntStream.range(0, HEIGHT)
                .filter(y -> count(image, style.limit(), 0, WIDTH, y, y + 1) > 150).boxed().toList();
        List<Integer> columns = IntStream.range(0, WIDTH)
                .filter(x -> count(image, style.muted(), x, x + 1, 0, HEIGHT) > 60).boxed().toList();
        assertThat(rows).isNotEmpty().allMatch(y -> Math.abs(y - row) <= 1);
        assertThat(columns).isNotEmpty().allMatch(x -> Math.abs(x - column) <= 1);
        Color below = new Color(image.getRGB((int) area.getMinX() + 7, row + 7));
        Color above = new Color(image.getRGB((int) area.getMinX() + 7, row - 7));
        assertThat(above).isEqualTo(style.background());
        assertThat(below.getGreen() - below.getRed()).as("shaded green").isGreaterThan(5);
    }

    @Test
    void equalNeighboursOfAStepChangeNothingInThePicture() {
        double[] x = {0, 1, 2, 3, 4, 5};
        double[] y = {1, 1, 1, 2, 2, 2};
        double[] fewX = {0, 3, 5};
        double[] fewY = {1, 2, 2};
        assertThat(pixels(overTime(steps(x, y)))).isEqualTo(pixels(overTime(steps(fewX, fewY))))
                .isNotEqualTo(pixels(overTime(steps(fewX, new double[]{1, 1, 2}))));
        assertThat(pixels(overTime(stack(x, y)))).isEqualTo(pixels(overTime(stack(fewX, fewY))))
                .isNotEqualTo(pixels(overTime(stack(fewX, new double[]{1, 1, 2}))));
    }

    private static Marks steps(double[] x, double[] y) {
        return new Marks.Lines(List.of(new ChartData.Line("a", SeriesStyle.solid(0), x, y)), true);
    }

    private static Marks stack(double[] x, double[] y) {
        double[] under = new double[x.length];
        Arrays.fill(under, 1);
        return new Marks.Stack(x, List.of(new ChartData.Layer("Weights", 0, under), new ChartData.Layer("KV", 1, y)));
    }

    private static ChartData overTime(Marks marks) {
        return new ChartData("t", "", "", new Axis("s", false, 0, 5), Axis.fromZero("MiB"), marks);
    }

    private int[] pixels(ChartData chart) {
        return draw(chart, Shade.LIGHT).getRGB(0, 0, WIDTH, HEIGHT, null, 0, WIDTH);
    }

    private static long count(BufferedImage image, Color colour, int fromX, int toX, int fromY, int toY) {
        return IntStream.range(fromY, toY).mapToLong(
                y -> IntStream.range(fromX, toX).filter(x -> near(new Color(image.getRGB(x, y)), colour)).count())
                .sum();
    }

    private static boolean near(Color pixel, Color colour) {
        return Math.abs(pixel.getRed() - colour.getRed()) + Math.abs(pixel.getGreen() - colour.getGreen())
                + Math.abs(pixel.getBlue() - colour.getBlue()) < 120;
    }

    @Test
    void nearGuidesWidenTheAxisAndFarOnesDoNot() {
        ChartRanges data = new ChartRanges(0, 10);
        Axis axis = Axis.fitted("ms");
        assertThat(data.with(axis, List.of(guide(14)), false)).isEqualTo(new ChartRanges(0, 14.6));
        assertThat(data.with(axis, List.of(guide(14)), true)).isEqualTo(data);
        assertThat(data.with(axis, List.of(guide(500)), false)).isEqualTo(data);
        assertThat(data.with(new Axis("ms", false, 0, 10), List.of(guide(14)), false)).isEqualTo(data);
        assertThat(new ChartRanges(10, 100).with(Axis.log("ms"), List.of(guide(500)), false).upper())
                .isGreaterThan(500);
    }

    private static Guide guide(double value) {
        return new Guide(false, value, "limit", Shaded.NONE);
    }

    @Test
    void textsOfGuidesDoNotOverlap() {
        List<Guide> guides = Stream.concat(
                IntStream.range(0, 4)
                        .mapToObj(i -> new Guide(false, 90 + i, "limit of " + (90 + i) + " ms", Shaded.NONE)),
                Stream.of(new Guide(true, 97, "capacity", Shaded.NONE),
                        new Guide(true, 140, "out of view", Shaded.NONE)))
                .toList();
        Graphics2D g2 = new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB).createGraphics();
        XYPlot plot = (XYPlot) compose(points(Dash.SOLID), Shade.LIGHT).getPlot();
        Rectangle2D area = new Rectangle2D.Double(40, 20, 400, 200);
        List<Guides.Text> texts = new Guides(guides, List.of(new Guides.Place(95, 91)), new ChartStyle(Shade.LIGHT, 1))
                .texts(g2, area, plot.getDomainAxis(), plot.getRangeAxis());
        assertThat(texts).extracting(Guides.Text::text).containsExactly("limit of 90 ms", "limit of 91 ms",
                "limit of 92 ms", "limit of 93 ms", "capacity", "out of view →");
        assertThat(texts).allMatch(text -> area.contains(text.box()));
        double x = plot.getDomainAxis().valueToJava2D(95, area, RectangleEdge.BOTTOM);
        double y = plot.getRangeAxis().valueToJava2D(91, area, RectangleEdge.LEFT);
        assertThat(texts).noneMatch(text -> text.box().contains(x, y));
        assertDisjoint(texts.stream().map(Guides.Text::box).toList());
    }

    @Test
    void labelsOfCrowdedPointsDoNotOverlap() {
        Rectangle2D area = new Rectangle2D.Double(10, 10, 400, 200);
        LabelPlacer placer = new LabelPlacer(area);
        Random random = new Random(7);
        List<double[]> points = random.doubles(60)
                .mapToObj(share -> new double[]{10 + 400 * share, 10 + 200 * random.nextDouble()}).toList();
        List<Rectangle2D> boxes = new ArrayList<>();
        for (double[] point : points) {
            Rectangle2D mark = new Rectangle2D.Double(point[0] - 5, point[1] - 5, 10, 10);
            placer.block(mark);
        }
        points.forEach(point -> placer.place(point[0], point[1], 70, 13, 8).ifPresent(boxes::add));
        assertThat(boxes).hasSizeGreaterThan(14).allMatch(area::contains);
        assertThat(boxes).allMatch(
                box -> points.stream().noneMatch(point -> box.intersects(point[0] - 5, point[1] - 5, 10, 10)));
        assertDisjoint(boxes);
    }

    @Test
    void linesToLabelsCrossNoOtherLabelIfTheyCan() {
        LabelPlacer placer = new LabelPlacer(new Rectangle2D.Double(0, 0, 300, 150));
        List<Rectangle2D> boxes = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            double x = 150 + 3 * i;
            double y = 70 + 2 * i;
            Rectangle2D box = placer.place(x, y, 60, 13, 8).orElseThrow();
            assertThat(boxes).noneMatch(LabelPlacer.leader(box, x, y)::intersects);
            boxes.add(box);
        }
        for (int i = 0; i < 12; i++) {
            boxes.add(placer.place(150, 70, 60, 13, 8).orElseThrow());
        }
        assertDisjoint(boxes);
    }

    @Test
    void labelsAvoidLines() {
        LabelPlacer placer = new LabelPlacer(new Rectangle2D.Double(0, 0, 200, 100));
        placer.avoid(new Line2D.Double(100, 50, 200, 0));
        Rectangle2D box = placer.place(100, 50, 40, 12, 8).orElseThrow();
        assertThat(placer.crossed(box)).isFalse();
    }

    private static void assertDisjoint(List<Rectangle2D> boxes) {
        for (int a = 0; a < boxes.size(); a++) {
            for (int b = 0; b < a; b++) {
                assertThat(boxes.get(a).intersects(boxes.get(b))).as(boxes.get(a) + " and " + boxes.get(b)).isFalse();
            }
        }
    }

    @Test
    void fittedAxesContainRunsAndIntervals() {
        ChartData.Point point = new ChartData.Point("a", 50, 50, new Span(30, 60), new Span(50 - 5, 50 + 5),
                new double[]{20, 70}, new double[]{49, 90});
        XYPlot plot =
                (XYPlot) compose(
                        new ChartData("p", "", "", Axis.fitted("x"), Axis.log("y"),
                                new Marks.Points(List.of(
                                        new ChartData.PointSeries("a", SeriesStyle.solid(0), false, List.of(point))))),
                        Shade.LIGHT).getPlot();
        assertThat(plot.getDomainAxis().getRange().contains(20)).isTrue();
        assertThat(plot.getDomainAxis().getRange().contains(70)).isTrue();
        assertThat(plot.getRangeAxis().getRange().contains(45)).isTrue();
        assertThat(plot.getRangeAxis().getRange().contains(90)).isTrue();
    }

    @Test
    void outermostMarksAreWhole() {
        for (Axis axis : List.of(Axis.fitted("x"), Axis.log("x"))) {
            List<ChartData.Point> points = DoubleStream.of(10, 50, 2000)
                    .mapToObj(at -> new ChartData.Point("", at, at, Span.NONE, Span.NONE, new double[0], new double[0]))
                    .toList();
            ChartData chart = new ChartData("p", "", "", axis, axis,
                    new Marks.Points(List.of(new ChartData.PointSeries("a", SeriesStyle.solid(0), false, points))));
            draw(chart, Shade.LIGHT);
            Rectangle2D area = plotArea();
            XYPlot plot = (XYPlot) compose(chart, Shade.LIGHT).getPlot();
            for (double at : new double[]{10, 2000}) {
                double x = plot.getDomainAxis().valueToJava2D(at, area, RectangleEdge.BOTTOM);
                double y = plot.getRangeAxis().valueToJava2D(at, area, RectangleEdge.LEFT);
                assertThat(area.contains(x - 7, y - 7, 14, 14)).as(axis + " " + at).isTrue();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Shade.class)
    void paleColoursKeepTheirContrast(Shade shade) {
        ChartStyle style = new ChartStyle(shade, 1);
        for (int slot = 0; slot < ChartStyle.SLOTS; slot++) {
            Color full = style.series(slot);
            for (double strength : new double[]{0.2, 0.5, 0.8}) {
                Color pale = style.series(new SeriesStyle(slot, Dash.SOLID, slot, strength));
                assertThat(new Contrast(style.background()).of(pale)).isGreaterThanOrEqualTo(3);
                assertThat(pale).isNotEqualTo(full);
            }
            assertThat(style.series(SeriesStyle.solid(slot))).isEqualTo(full);
        }
    }

    @ParameterizedTest
    @EnumSource(Shade.class)
    void memoryOwnersHaveColoursOfTheirOwn(Shade shade) {
        ChartStyle style = new ChartStyle(shade, 1);
        List<Color> owners = Arrays.stream(MemoryOwner.values()).map(owner -> style.memory(owner.ordinal())).toList();
        assertThat(owners).doesNotHaveDuplicates()
                .doesNotContainAnyElementsOf(IntStream.range(0, ChartStyle.SLOTS).mapToObj(style::series).toList());
        assertThat(new Contrast(style.background()).of(owners.getFirst())).as("weights").isGreaterThan(7);
    }

    @ParameterizedTest
    @EnumSource(Shade.class)
    void textOfHeatMapCellsIsReadable(Shade shade) {
        ChartStyle style = new ChartStyle(shade, 1);
        for (int percent = 0; percent <= 100; percent++) {
            Contrast cell = new Contrast(style.ramp(percent / 100.0));
            assertThat(cell.of(cell.text())).as(percent + " %").isGreaterThan(4.5);
        }
    }

    @Test
    void heatMapsOverDecadesAreLogarithmic() {
        assertThat(RowCharts.share(20, DoubleStream.of(10, 30).summaryStatistics())).isEqualTo(0.5);
        assertThat(RowCharts.share(100, DoubleStream.of(10, 1000).summaryStatistics())).isEqualTo(0.5, within(1e-12));
        assertThat(RowCharts.share(3, DoubleStream.of(3).summaryStatistics())).isEqualTo(0.5);
    }

    /// A card of the comparison in a window of 1366 pixels.
    @Test
    void outcomesLeaveMostOfTheWidthToTheRatios() {
        Span none = Span.NONE;
        ChartData chart = new ChartData("r", "", "", Axis.log("ratio"), Axis.fitted(""),
                new Marks.Ratios(List.of(
                        new ChartData.Ratio("Output tok/s", ChartData.Tone.BETTER, "faster", 1.83, new Span(1.57, 2.1),
                                new double[0], "1.83× [1.57, 2.1]"),
                        new ChartData.Ratio("ITL P50", ChartData.Tone.NEUTRAL, "not detectable", 1.39, none,
                                new double[0], "below 2.2×"),
                        new ChartData.Ratio("ITL P95", ChartData.Tone.WORSE, "slower", 5.7, new Span(4, 8.2),
                                new double[0], "5.7× [4.0, 8.2]"))));
        assertThat(ratioShare(chart, 586)).as("two lines a row").isBetween(0.62, 0.75);
        assertThat(ratioShare(chart, 1000)).as("one line a row").isBetween(0.6, 0.75);
    }

    private double ratioShare(ChartData chart, int width) {
        Graphics2D g2 = new BufferedImage(width, HEIGHT, BufferedImage.TYPE_INT_RGB).createGraphics();
        new ChartComposer(Shade.LIGHT, 1).compose(chart, width).draw(g2, new Rectangle2D.Double(0, 0, width, HEIGHT),
                null, info);
        g2.dispose();
        return plotArea().getWidth() / width;
    }

    @Test
    void ratioTicksSurroundOne() {
        assertThat(Stream.of(0.5, 1.0, 2.0, 16.0, 0.0625).map(RatioAxis::text)).containsExactly("0.5×", "1×", "2×",
                "16×", "0.063×");
        Graphics2D g2 = new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB).createGraphics();
        RatioAxis axis = new RatioAxis("", new ChartRanges(0.48, 2.1));
        assertThat(axis.refreshTicks(g2, null, new Rectangle2D.Double(0, 0, 300, 100), null))
                .extracting(tick -> tick.getText()).containsExactly("0.5×", "1×", "2×");
    }

    @Test
    void logTicksStandApartInNarrowCharts() {
        Graphics2D g2 = new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB).createGraphics();
        ReadableLogAxis axis = new ReadableLogAxis("ms", 100, 1100);
        for (int width = 120; width < 900; width += 20) {
            List<NumberTick> ticks =
                    axis.refreshTicks(g2, null, new Rectangle2D.Double(0, 0, width, 100), RectangleEdge.BOTTOM);
            assertThat(ticks).as("%d px", width).hasSizeGreaterThan(1);
            for (int i = 1; i < ticks.size(); i++) {
                double between = Math.log(ticks.get(i).getValue() / ticks.get(i - 1).getValue()) * width / Math.log(11);
                Letters letters = new Letters(g2, axis.getTickLabelFont());
                double half = letters.width(ticks.get(i).getText()) + letters.width(ticks.get(i - 1).getText());
                assertThat(between).as("%d px: %s", width, ticks).isGreaterThan(half / 2);
            }
        }
    }

    @Test
    void ticksOfASweepAreTheMeasuredLoads() {
        Graphics2D g2 = new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB).createGraphics();
        ReadableAxis axis = new ReadableAxis("req/s", 3.8, 8.2, 4, 6, 8, 4, 6, 8);
        assertThat(axis.refreshTicks(g2, null, new Rectangle2D.Double(0, 0, 500, 100), RectangleEdge.BOTTOM))
                .extracting(Object::toString).containsExactly("4", "6", "8");
    }

    @Test
    void ratioTicksAreRoundOverWideAndNarrowRanges() {
        assertThat(RatioAxis.values(0.8, 9.6, 20)).as("wide tile").containsExactly(1.0, 2.0, 4.0, 8.0);
        assertThat(RatioAxis.values(0.005, 16, 6)).as("many octaves").containsExactly(0.01, 0.1, 1.0, 10.0);
        assertThat(RatioAxis.values(0.004, 12, 13)).extracting(RatioAxis::text).as("many octaves, wide tile")
                .containsExactly("0.005×", "0.01×", "0.02×", "0.05×", "0.1×", "0.2×", "0.5×", "1×", "2×", "5×", "10×");
        assertThat(RatioAxis.values(0.93, 1.12, 6)).as("close to 1").containsExactly(0.95, 1.0, 1.05, 1.1);
    }

    @Test
    void longTextBreaksAtSpacesThenEnds() {
        Letters letters = new Letters(new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB).createGraphics(),
                new Font(Font.MONOSPACED, Font.PLAIN, 10));
        double ten = letters.width("0123456789");
        assertThat(new TextFit(letters, ten, 3).lines("continuous chunk 256")).containsExactly("continuous",
                "chunk 256");
        assertThat(new TextFit(letters, ten, 2).lines("a b continuous-batching of tokens")).containsExactly("a b",
                "continuou…");
        assertThat(new TextFit(letters, ten, 1).lines("continuous batching")).containsExactly("continuou…");
        assertThat(new TextFit(letters, ten, 3).lines("")).isEmpty();
    }
}
