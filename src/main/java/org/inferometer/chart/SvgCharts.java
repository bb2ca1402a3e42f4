package org.inferometer.chart;

import java.awt.Dimension;
import java.awt.Font;
import java.awt.FontMetrics;
import java.awt.Graphics;
import java.awt.Shape;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.transform.OutputKeys;
import javax.xml.transform.Transformer;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.apache.batik.svggen.DOMGroupManager;
import org.apache.batik.svggen.SVGGeneratorContext;
import org.apache.batik.svggen.SVGGraphics2D;
import org.apache.batik.svggen.SVGIDGenerator;
import org.inferometer.chart.JFreeCharts.PicturePainter;
import org.inferometer.report.LiberationSans;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/// Paints charts as SVG: text stays text in a generic family, ids are numbered, nothing is loaded.
final class SvgCharts {
    private static final String NAMESPACE = "http://www.w3.org/2000/svg";
    /// Families of equal widths, then whatever the viewer has.
    private static final String FAMILIES = "Arial, Helvetica, 'Liberation Sans', sans-serif";
    private static final String FAMILY = "font-family";
    private static final int DECIMALS = 2;

    private SvgCharts() {}

    static byte[] draw(PicturePainter painter, String idPrefix) {
        try {
            Document document = DocumentBuilderFactory.newInstance().newDocumentBuilder().getDOMImplementation()
                    .createDocument(NAMESPACE, "svg", null);
            SVGGeneratorContext context = SVGGeneratorContext.createDefault(document);
            context.setComment(null);
            context.setPrecision(DECIMALS);
            context.setIDGenerator(new SVGIDGenerator() {
                @Override
                public String generateID(String kind) {
                    return idPrefix + super.generateID(kind);
                }
            });
            Canvas canvas = new Canvas(context);
            canvas.setSVGCanvasSize(new Dimension((int) painter.width(), (int) painter.height()));
            painter.paint(canvas, 1);
            Element root = canvas.getRoot();
            root.setAttribute("viewBox", "0 0 " + painter.width() + " " + painter.height());
            root.setAttribute("role", "img");
            root.setAttribute("aria-label", printable(painter.title()));
            tidy(root);
            canvas.dispose();
            return text(root).getBytes(StandardCharsets.UTF_8);
        } catch (ParserConfigurationException | TransformerException e) {
            throw new IllegalStateException("This Java runtime cannot write XML.", e);
        }
    }

    /// Names the font families and removes empty definitions, whose ids would not be unique in a page.
    private static void tidy(Element element) {
        if (element.hasAttribute(FAMILY)) {
            element.setAttribute(FAMILY, FAMILIES);
        }
        NodeList nodes = element.getChildNodes();
        List<Node> children = new ArrayList<>();
        for (int i = 0; i < nodes.getLength(); i++) {
            children.add(nodes.item(i));
        }
        for (Node child : children) {
            if (child instanceof Element inner) {
                tidy(inner);
                if (inner.getTagName().equals("defs") && !inner.hasChildNodes()) {
                    element.removeChild(inner);
                }
            }
        }
    }

    private static String text(Element root) throws TransformerException {
        Transformer transformer = TransformerFactory.newInstance().newTransformer();
        transformer.setOutputProperty(OutputKeys.OMIT_XML_DECLARATION, "yes");
        transformer.setOutputProperty(OutputKeys.METHOD, "xml");
        StringWriter out = new StringWriter(1 << 15);
        transformer.transform(new DOMSource(root), new StreamResult(out));
        return out.toString();
    }

    /// XML has no other control characters, and no halves of a pair.
    private static String printable(String text) {
        return text.codePoints()
                .map(c -> c < ' ' || (c >= 0xD800 && c < 0xE000) || c == 0xFFFE || c == 0xFFFF ? 0xFFFD : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append).toString();
    }

    /// Lays text out with the widths of [LiberationSans], which it has with any font of the viewer, and leaves out a clip of the
    /// whole picture.
    private static final class Canvas extends SVGGraphics2D {
        Canvas(SVGGeneratorContext context) {
            super(context, false);
        }

        private Canvas(Canvas other) {
            super(other);
        }

        @Override
        public Graphics create() {
            return new Canvas(this);
        }

        @Override
        public FontMetrics getFontMetrics(Font font) {
            return new PlainFont(font);
        }

        @Override
        public void drawString(String text, float x, float y) {
            Element element = getDOMFactory().createElementNS(NAMESPACE, "text");
            element.setAttribute("x", getGeneratorContext().doubleString(x));
            element.setAttribute("y", getGeneratorContext().doubleString(y));
            element.setAttribute("textLength", getGeneratorContext().doubleString(PlainFont.width(text, getFont())));
            element.setAttribute("lengthAdjust", "spacingAndGlyphs");
            element.setAttributeNS(XMLConstants.XML_NS_URI, "xml:space", "preserve");
            element.appendChild(getDOMFactory().createTextNode(printable(text)));
            domGroupManager.addElement(element, DOMGroupManager.FILL);
        }

        @Override
        public void clip(Shape shape) {
            Dimension size = getSVGCanvasSize();
            if (!getTransform().isIdentity() || !shape.contains(0, 0, size.width, size.height)) {
                super.clip(shape);
            }
        }
    }
}
