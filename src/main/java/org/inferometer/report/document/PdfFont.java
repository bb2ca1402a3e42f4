package org.inferometer.report.document;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import org.apache.fontbox.ttf.CmapLookup;
import org.apache.fontbox.ttf.TTFParser;
import org.apache.fontbox.ttf.TrueTypeFont;
import org.apache.pdfbox.io.RandomAccessReadBuffer;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.font.PDFont;
import org.apache.pdfbox.pdmodel.font.PDType0Font;

/// Liberation Sans, embedded in a PDF: the letters that the text needs, and their widths. One thread; closed after the document is
/// saved.
final class PdfFont implements AutoCloseable {
    private static final String RESOURCE = "/org/apache/pdfbox/resources/ttf/LiberationSans-Regular.ttf";
    private static final char MISSING = '?';
    private final TrueTypeFont file;
    private final CmapLookup glyphs;
    private final double em;
    private final PDFont embedded;

    PdfFont(PDDocument document) throws IOException {
        try (InputStream in = Objects.requireNonNull(PDDocument.class.getResourceAsStream(RESOURCE),
                "PDFBox has no Liberation Sans.")) {
            file = new TTFParser(true).parse(new RandomAccessReadBuffer(in));
        }
        glyphs = file.getUnicodeCmapLookup();
        em = file.getUnitsPerEm();
        embedded = PDType0Font.load(document, file, true);
    }

    PDFont embedded() {
        return embedded;
    }

    /// One line of characters that the font has; others become question marks.
    String printable(String text) {
        StringBuilder out = new StringBuilder(text.length());
        text.codePoints().map(c -> Character.isWhitespace(c) || Character.isSpaceChar(c) ? ' ' : c)
                .filter(c -> Character.getType(c) != Character.FORMAT)
                .forEach(c -> out.appendCodePoint(glyphs.getGlyphId(c) > 0 ? c : MISSING));
        return out.toString();
    }

    /// Points of a printable text.
    double width(String text, double size) {
        double units = 0;
        try {
            for (int c : text.codePoints().toArray()) {
                units += file.getAdvanceWidth(glyphs.getGlyphId(c));
            }
        } catch (IOException e) {
            throw new IllegalStateException("Liberation Sans has no table of widths.", e);
        }
        return units / em * size;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
