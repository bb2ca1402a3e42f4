package org.inferometer.report.document;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.multipdf.LayerUtility;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDPageContentStream;
import org.apache.pdfbox.pdmodel.PDPageContentStream.AppendMode;
import org.apache.pdfbox.pdmodel.common.PDRectangle;
import org.apache.pdfbox.pdmodel.font.PDFont;
import org.apache.pdfbox.pdmodel.font.PDType0Font;
import org.apache.pdfbox.pdmodel.graphics.form.PDFormXObject;
import org.apache.pdfbox.pdmodel.graphics.state.RenderingMode;
import org.apache.pdfbox.pdmodel.interactive.documentnavigation.destination.PDPageXYZDestination;
import org.apache.pdfbox.pdmodel.interactive.documentnavigation.outline.PDDocumentOutline;
import org.apache.pdfbox.pdmodel.interactive.documentnavigation.outline.PDOutlineItem;
import org.apache.pdfbox.util.Matrix;
import org.inferometer.report.LiberationSans;

/// The A4 pages of a PDF, filled from top to bottom with text and charts. Lengths are points; heights count down from the top of
/// the page. The same content gives the same bytes. One thread.
final class PdfPages implements AutoCloseable {
    /// Of text that fills a line.
    static final double WIDTH = 515;
    static final Style BODY = new Style(9, false, Ink.TEXT);
    private static final double LEFT = 40;
    private static final double TOP = 44;
    private static final double BOTTOM = 54;
    private static final double LINE = 1.35;
    /// Of the font's size: lines around letters make them bold, and a little room keeps them apart.
    private static final double BOLD_LINE = 0.035;
    private static final double BOLD_SPACE = 0.02;
    private static final char MISSING = '?';
    private static final double FOOTER_SIZE = 7.5;
    private final PDDocument document = new PDDocument();
    private final PDFont font;
    private final PDDocumentOutline outline = new PDDocumentOutline();
    private PDPageContentStream content;
    private double y;

    /// Colours of text and areas, as for screens.
    enum Ink {
        TEXT(0x1f2328), MUTED(0x59636e), RULE(0xd1d9e0), AREA(0xf6f8fa), GOOD(0x1a7f37), BAD(0xb42318);

        private final int rgb;

        Ink(int rgb) {
            this.rgb = rgb;
        }

        private float channel(int shift) {
            return (rgb >> shift & 255) / 255f;
        }
    }

    /// @param size points
    record Style(double size, boolean bold, Ink ink) {
        double lineHeight() {
            return size * LINE;
        }
    }

    PdfPages(String title, String author) throws IOException {
        document.setDocumentId(1L + title.hashCode());
        document.getDocumentInformation().setTitle(title);
        document.getDocumentInformation().setCreator("Inferometer");
        if (!author.isEmpty()) {
            document.getDocumentInformation().setAuthor(author);
        }
        document.getDocumentCatalog().setLanguage("en");
        document.getDocumentCatalog().setDocumentOutline(outline);
        try (InputStream file = LiberationSans.open()) {
            font = PDType0Font.load(document, file, true);
        }
        content = nextPage();
    }

    private PDPageContentStream nextPage() throws IOException {
        PDPage page = new PDPage(PDRectangle.A4);
        document.addPage(page);
        y = TOP;
        return new PDPageContentStream(document, page);
    }

    private static double pageHeight() {
        return PDRectangle.A4.getHeight();
    }

    /// The height of an empty page.
    static double height() {
        return pageHeight() - TOP - BOTTOM;
    }

    /// Begins a page if less than this is left of the current one.
    ///
    /// @return whether it did
    boolean reserve(double height) throws IOException {
        if (y == TOP || y + height <= pageHeight() - BOTTOM) {
            return false;
        }
        content.close();
        content = nextPage();
        return true;
    }

    /// Leaves room, not at the top of a page.
    void gap(double height) {
        y += y == TOP ? 0 : height;
    }

    /// A heading with an entry in the outline, on one page with what follows.
    ///
    /// @param following height that must follow on the page
    void heading(String text, Style style, double following) throws IOException {
        gap(style.size());
        List<String> lines = lines(text, style, WIDTH);
        reserve(lines.size() * style.lineHeight() + following);
        PDPageXYZDestination target = new PDPageXYZDestination();
        target.setPage(document.getPage(document.getNumberOfPages() - 1));
        target.setTop((int) Math.round(pageHeight() - y));
        PDOutlineItem entry = new PDOutlineItem();
        entry.setTitle(printable(text));
        entry.setDestination(target);
        outline.addLast(entry);
        print(lines, style, 0);
        gap(3);
    }

    /// Text in lines of the page's width, over pages.
    void paragraph(String text, Style style, double indent) throws IOException {
        print(lines(text, style, WIDTH - indent), style, indent);
        gap(style.size() / 3);
    }

    /// A paragraph with a bullet.
    void bullet(String text, Style style, double indent) throws IOException {
        reserve(style.lineHeight());
        put("•", style, indent, y);
        paragraph(text, style, indent + style.size());
    }

    /// Paragraphs on a grey area with a bar at its left, on one page if they fit there.
    void box(List<String> paragraphs, List<Style> styles, Ink bar) throws IOException {
        double inside = 10;
        double height = inside;
        for (int i = 0; i < paragraphs.size(); i++) {
            Style style = styles.get(i);
            height +=
                    lines(paragraphs.get(i), style, WIDTH - 2 * inside).size() * style.lineHeight() + style.size() / 3;
        }
        gap(6);
        reserve(height);
        if (height <= height()) {
            fill(Ink.AREA, 0, y, WIDTH, height);
            fill(bar, 0, y, 3, height);
        }
        y += inside / 2;
        for (int i = 0; i < paragraphs.size(); i++) {
            print(lines(paragraphs.get(i), styles.get(i), WIDTH - 2 * inside), styles.get(i), inside);
            y += styles.get(i).size() / 3;
        }
        y += inside / 2;
        gap(6);
    }

    /// The page of another PDF as vectors, as wide as the text.
    void picture(byte[] pdf) throws IOException {
        try (PDDocument other = Loader.loadPDF(pdf)) {
            PDRectangle size = other.getPage(0).getMediaBox();
            double scale = WIDTH / size.getWidth();
            double height = size.getHeight() * scale;
            reserve(height);
            PDFormXObject form = new LayerUtility(document).importPageAsForm(other, 0);
            content.saveGraphicsState();
            content.transform(
                    new Matrix((float) scale, 0, 0, (float) scale, (float) LEFT, (float) (pageHeight() - y - height)));
            content.drawForm(form);
            content.restoreGraphicsState();
            y += height;
            gap(8);
        }
    }

    private void print(List<String> lines, Style style, double indent) throws IOException {
        for (String line : lines) {
            reserve(style.lineHeight());
            put(line, style, indent, y);
            y += style.lineHeight();
        }
    }

    /// One line of text, its top at a height of the current page.
    void put(String line, Style style, double x, double top) throws IOException {
        put(content, line, style, x, top);
    }

    private void put(PDPageContentStream on, String line, Style style, double x, double top) throws IOException {
        if (line.isBlank()) {
            return;
        }
        Ink ink = style.ink();
        on.beginText();
        on.setFont(font, (float) style.size());
        on.setNonStrokingColor(ink.channel(16), ink.channel(8), ink.channel(0));
        on.setRenderingMode(style.bold() ? RenderingMode.FILL_STROKE : RenderingMode.FILL);
        if (style.bold()) {
            on.setStrokingColor(ink.channel(16), ink.channel(8), ink.channel(0));
            on.setLineWidth((float) (style.size() * BOLD_LINE));
        }
        on.setCharacterSpacing((float) (style.bold() ? style.size() * BOLD_SPACE : 0));
        on.newLineAtOffset((float) (LEFT + x), (float) (pageHeight() - top - style.size()));
        on.showText(printable(line));
        on.endText();
    }

    /// Fills a rectangle of the current page.
    void fill(Ink ink, double x, double top, double width, double height) throws IOException {
        content.setNonStrokingColor(ink.channel(16), ink.channel(8), ink.channel(0));
        content.addRect((float) (LEFT + x), (float) (pageHeight() - top - height), (float) width, (float) height);
        content.fill();
    }

    /// The height that is filled.
    double y() {
        return y;
    }

    /// Points of one line of text.
    double width(String text, Style style) {
        String line = printable(text);
        return LiberationSans.get().width(line) * style.size()
                + (style.bold() ? line.length() * style.size() * BOLD_SPACE : 0);
    }

    /// One line of characters that the font has; others become question marks.
    private static String printable(String text) {
        StringBuilder out = new StringBuilder(text.length());
        text.codePoints().map(c -> Character.isWhitespace(c) || Character.isSpaceChar(c) ? ' ' : c)
                .filter(c -> Character.getType(c) != Character.FORMAT)
                .forEach(c -> out.appendCodePoint(LiberationSans.get().has(c) ? c : MISSING));
        return out.toString();
    }

    /// Text in lines of a width; words that are wider are broken. Spaces in front stay.
    List<String> lines(String text, Style style, double width) {
        List<String> lines = new ArrayList<>();
        String printable = printable(text);
        StringBuilder line = new StringBuilder(" ".repeat(printable.length() - printable.stripLeading().length()));
        for (String word : printable.strip().split(" +")) {
            String rest = word;
            if (line.toString().isBlank() && width(line + rest, style) <= width) {
                line.append(rest);
                continue;
            }
            if (!line.isEmpty() && width(line + " " + rest, style) <= width) {
                line.append(' ').append(rest);
                continue;
            }
            if (!line.isEmpty()) {
                if (!line.toString().isBlank()) {
                    lines.add(line.toString());
                }
                line.setLength(0);
            }
            while (width(rest, style) > width && rest.length() > 1) {
                int fitting = fitting(rest, style, width);
                lines.add(rest.substring(0, fitting));
                rest = rest.substring(fitting);
            }
            line.append(rest);
        }
        lines.add(line.toString());
        return lines;
    }

    /// How many characters of a wide word fit, at least one; it is broken after a mark if one is in its second half.
    private int fitting(String word, Style style, double width) {
        int most = 1;
        while (most < word.length() && width(word.substring(0, most + 1), style) <= width) {
            most++;
        }
        for (int end = most; end > most / 2; end--) {
            if ("-_/,;=:".indexOf(word.charAt(end - 1)) >= 0) {
                return end;
            }
        }
        return most;
    }

    /// The file, with the footer and the number on each page.
    byte[] save(String footer) throws IOException {
        content.close();
        Style style = new Style(FOOTER_SIZE, false, Ink.MUTED);
        int pages = document.getNumberOfPages();
        for (int page = 0; page < pages; page++) {
            String number = String.format(Locale.ROOT, "Page %d of %d", page + 1, pages);
            double right = WIDTH - width(number, style);
            List<String> lines = lines(footer, style, right - 20);
            try (PDPageContentStream on =
                    new PDPageContentStream(document, document.getPage(page), AppendMode.APPEND, true, true)) {
                for (int line = 0; line < Math.min(2, lines.size()); line++) {
                    put(on, lines.get(line), style, 0, pageHeight() - BOTTOM + 14 + line * style.lineHeight());
                }
                put(on, number, style, right, pageHeight() - BOTTOM + 14);
            }
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(1 << 18);
        document.save(bytes);
        return bytes.toByteArray();
    }

    /// Moves down by rows that were put at heights.
    void advance(double height) {
        y += height;
    }

    @Override
    public void close() throws IOException {
        document.close();
    }
}
