package org.inferometer.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.geom.Rectangle2D;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.cos.COSName;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDResources;
import org.apache.pdfbox.pdmodel.common.PDRectangle;
import org.apache.pdfbox.pdmodel.graphics.form.PDFormXObject;
import org.apache.pdfbox.text.PDFTextStripper;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartData.Axis;
import org.inferometer.report.charts.ChartData.Marks;
import org.inferometer.report.charts.ChartData.SeriesStyle;
import org.inferometer.report.charts.ChartRenderer.ChartFormat;
import org.inferometer.report.charts.ChartRenderer.Picture;
import org.inferometer.report.charts.ChartRenderer.Shade;
import org.inferometer.report.charts.ChartSheet;
import org.inferometer.ui.twin.SampleCharts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

class VectorChartsTest {
    private static final int[][] SIZES = {{480, 260}, {620, 300}, {1200, 600}};
    private final JFreeCharts charts = new JFreeCharts();

    static Stream<ChartData> everyKind() {
        return SampleCharts.all().stream();
    }

    private static ChartData named(String name) {
        return new ChartData("id", "Title of " + name, "n = 4", Axis.fitted("time, s"), Axis.fromZero("tok/s"),
                new Marks.Lines(
                        List.of(new ChartData.Line(name, SeriesStyle.solid(0), new double[]{0, 1}, new double[]{1, 2}),
                                new ChartData.Line("b", SeriesStyle.solid(1), new double[]{0, 1}, new double[]{2, 1})),
                        false));
    }

    @ParameterizedTest
    @MethodSource("everyKind")
    void textsOfEveryKindFitAndDoNotOverlap(ChartData chart) throws Exception {
        for (int[] size : SIZES) {
            Document svg = parsed(charts.svg(ChartSheet.of(chart), size[0], size[1], Shade.LIGHT, ""));
            List<Rectangle2D> boxes = new ArrayList<>();
            List<String> texts = new ArrayList<>();
            NodeList nodes = svg.getElementsByTagName("text");
            for (int i = 0; i < nodes.getLength(); i++) {
                Element text = (Element) nodes.item(i);
                if (text.getAttribute("transform").isEmpty() && !rotated(text)) {
                    boxes.add(box(text));
                    texts.add(text.getTextContent());
                }
            }
            Rectangle2D picture = new Rectangle2D.Double(0, 0, size[0], size[1]);
            for (int a = 0; a < boxes.size(); a++) {
                assertThat(picture.contains(boxes.get(a))).as(texts.get(a) + " at " + boxes.get(a)).isTrue();
                for (int b = 0; b < a; b++) {
                    assertThat(boxes.get(a).intersects(boxes.get(b)))
                            .as(texts.get(a) + " over " + texts.get(b) + " at " + size[0]).isFalse();
                }
            }
            assertThat(texts).contains(chart.title(), chart.footer());
            assertThat(nodes.getLength() - texts.size()).as("rotated").isEqualTo(chart.y().label().isEmpty() ? 0 : 1);
        }
    }

    private static boolean rotated(Element text) {
        for (Node node = text.getParentNode(); node instanceof Element group; node = node.getParentNode()) {
            if (group.getAttribute("transform").matches("(rotate|matrix).*")) {
                return true;
            }
        }
        return false;
    }

    /// The box of the letters, without the room above and below them.
    private static Rectangle2D box(Element text) {
        String size = "";
        for (Node node = text; size.isEmpty() && node instanceof Element element; node = node.getParentNode()) {
            size = element.getAttribute("font-size").replace("px", "");
        }
        double x = Double.parseDouble(text.getAttribute("x"));
        double y = Double.parseDouble(text.getAttribute("y"));
        double height = 0.72 * Double.parseDouble(size);
        return new Rectangle2D.Double(x, y - height, Double.parseDouble(text.getAttribute("textLength")) - 1, height);
    }

    @ParameterizedTest
    @MethodSource("everyKind")
    void svgLoadsNothingAndIsTheSameTwice(ChartData chart) throws Exception {
        String svg = charts.svg(ChartSheet.of(chart), 620, 300, Shade.DARK, "p-");
        assertThat(charts.svg(ChartSheet.of(chart), 620, 300, Shade.DARK, "p-")).isEqualTo(svg);
        assertThat(svg).startsWith("<svg ").doesNotContain("href=", "<image", "<!", "<?")
                .doesNotContainPattern("url\\((?!#p-)");
        assertThat(svg.length()).isLessThan(100_000);
        Element root = parsed(svg).getDocumentElement();
        assertThat(Stream.of("width", "height", "viewBox", "aria-label").map(root::getAttribute)).containsExactly("620",
                "300", "0 0 620 300", chart.title());
        assertThat(ids(svg)).allMatch(id -> id.startsWith("p-")).doesNotHaveDuplicates();
    }

    private static List<String> ids(String svg) {
        return Pattern.compile(" id=\"([^\"]*)\"").matcher(svg).results().map(match -> match.group(1)).toList();
    }

    @Test
    void namesAreEscapedInSvg() throws Exception {
        String svg = charts.svg(ChartSheet.of(named("<script>&\u0001\uD800")), 620, 300, Shade.LIGHT, "");
        assertThat(svg).doesNotContain("<script");
        NodeList texts = parsed(svg).getElementsByTagName("text");
        assertThat(IntStream.range(0, texts.getLength()).mapToObj(i -> texts.item(i).getTextContent()))
                .contains("<script>&\uFFFD\uFFFD");
    }

    @Test
    void aSpikeOfOneSampleInAMillionIsInTheSvg() {
        int n = 1_000_000;
        double[] x = IntStream.range(0, n).mapToDouble(i -> i).toArray();
        double[] y = IntStream.range(0, n).mapToDouble(i -> i == 500_000 ? 100 : 1).toArray();
        ChartData chart = new ChartData("t", "t", "", Axis.fitted("s"), new Axis("tok/s", false, 0, 100),
                new Marks.Lines(List.of(new ChartData.Line("a", SeriesStyle.solid(0), x, y)), false));
        String svg = charts.svg(ChartSheet.of(chart), 620, 300, Shade.LIGHT, "");
        String top = Pattern.compile("clipPath[^>]*><path d=\"M[0-9.]+ ([0-9.]+) ").matcher(svg).results()
                .map(match -> match.group(1)).findFirst().orElseThrow();
        assertThat(svg).containsPattern("L[0-9.]+ " + Pattern.quote(top) + " L");
        assertThat(svg.length()).isLessThan(100_000);
    }

    @ParameterizedTest
    @MethodSource("everyKind")
    void pdfHasTextFontsAndItsSize(ChartData chart) throws IOException {
        Picture picture = new Picture(ChartFormat.PDF, 640, 320, 1, Shade.LIGHT);
        byte[] pdf = charts.draw(chart, picture);
        assertThat(charts.draw(chart, picture)).isEqualTo(pdf);
        assertThat(pdf.length).isLessThan(100_000);
        try (PDDocument document = Loader.loadPDF(pdf)) {
            assertThat(document.getNumberOfPages()).isEqualTo(1);
            PDRectangle page = document.getPage(0).getMediaBox();
            assertThat(List.of(page.getWidth(), page.getHeight())).containsExactly(480f, 240f);
            assertThat(document.getDocumentInformation().getTitle()).isEqualTo(chart.title());
            assertThat(document.getDocumentInformation().getCreationDate()).isNull();
            assertThat(new PDFTextStripper().getText(document)).contains(chart.title(), chart.footer());
            assertEmbedded(document.getPage(0).getResources());
        }
    }

    private static void assertEmbedded(PDResources resources) throws IOException {
        for (COSName name : resources.getFontNames()) {
            assertThat(resources.getFont(name).isEmbedded()).isTrue();
        }
        for (COSName name : resources.getXObjectNames()) {
            assertThat(resources.getXObject(name)).isInstanceOf(PDFormXObject.class);
            assertEmbedded(((PDFormXObject) resources.getXObject(name)).getResources());
        }
    }

    @Test
    void charactersThatTheFontLacksAreDrawnInPdf() throws IOException {
        byte[] pdf = charts.draw(named("模型 \u0001"), new Picture(ChartFormat.PDF, 640, 320, 1, Shade.LIGHT));
        try (PDDocument document = Loader.loadPDF(pdf)) {
            assertThat(new PDFTextStripper().getText(document)).contains("n = 4", "time, s").doesNotContain("模");
        }
    }

    @Test
    void sheetsHaveAllTheirPanels() throws Exception {
        ChartSheet sheet = new ChartSheet("s", "s", List.of(named("a"), named("c"), named("d")), 2);
        String svg = new String(charts.draw(sheet, new Picture(ChartFormat.SVG, 300, 200, 1, Shade.LIGHT)),
                StandardCharsets.UTF_8);
        assertThat(parsed(svg).getDocumentElement().getAttribute("viewBox")).isEqualTo("0 0 600 400");
        assertThat(svg).contains(">Title of a<", ">Title of c<", ">Title of d<");
    }

    private static Document parsed(String svg) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
    }
}
