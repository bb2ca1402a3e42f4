package org.inferometer.chart;

import java.awt.Font;
import java.awt.FontMetrics;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Objects;
import org.apache.fontbox.ttf.CmapLookup;
import org.apache.fontbox.ttf.TTFParser;
import org.apache.fontbox.ttf.TrueTypeFont;
import org.apache.pdfbox.io.RandomAccessReadBuffer;
import org.apache.pdfbox.pdmodel.PDDocument;

/// The font of charts as vectors: Liberation Sans, which PDFBox bundles and whose widths are those of Arial and Helvetica.
///
/// Text is laid out with these widths on every machine, whatever fonts it has. Immutable.
final class PlainFont {
    private static final String RESOURCE = "/org/apache/pdfbox/resources/ttf/LiberationSans-Regular.ttf";
    private static final int MISSING = -1;
    /// Of the em, for characters that the font lacks.
    private static final double MISSING_WIDTH = 1;
    /// Bold text of Arial is about this much wider.
    private static final double BOLD = 1.07;
    /// `[UTF-16 unit]` of the em, or [#MISSING].
    private final float[] widths = new float[Character.MAX_VALUE + 1];
    private final double ascent;
    private final double descent;

    private PlainFont() throws IOException {
        try (InputStream in = open(); TrueTypeFont font = new TTFParser(true).parse(new RandomAccessReadBuffer(in))) {
            double em = font.getUnitsPerEm();
            CmapLookup glyphs = font.getUnicodeCmapLookup();
            Arrays.fill(widths, MISSING);
            for (int unit = ' '; unit < widths.length; unit++) {
                int glyph = glyphs.getGlyphId(unit);
                if (glyph > 0) {
                    widths[unit] = (float) (font.getAdvanceWidth(glyph) / em);
                }
            }
            ascent = font.getHorizontalHeader().getAscender() / em;
            descent = -font.getHorizontalHeader().getDescender() / em;
        }
    }

    /// Loaded with the first vector chart.
    private static final class Loaded {
        private static final PlainFont FONT = load();

        private static PlainFont load() {
            try {
                return new PlainFont();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    static PlainFont get() {
        return Loaded.FONT;
    }

    /// The TrueType file; the caller closes it.
    static InputStream open() {
        return Objects.requireNonNull(PDDocument.class.getResourceAsStream(RESOURCE), "PDFBox has no Liberation Sans.");
    }

    /// Whether the font has every character of a text.
    boolean has(String text) {
        return text.chars().noneMatch(unit -> widths[unit] == MISSING);
    }

    /// @param font size and weight; its family is ignored
    double width(String text, Font font) {
        double width = text.chars().mapToDouble(unit -> widths[unit] == MISSING ? MISSING_WIDTH : widths[unit]).sum();
        return width * font.getSize2D() * (font.isBold() ? BOLD : 1);
    }

    /// @param font size and weight; its family is ignored
    FontMetrics metrics(Font font) {
        return new Metrics(font);
    }

    private final class Metrics extends FontMetrics {
        private static final long serialVersionUID = 1L;

        Metrics(Font font) {
            super(font);
        }

        @Override
        public int getAscent() {
            return (int) Math.round(ascent * font.getSize2D());
        }

        @Override
        public int getDescent() {
            return (int) Math.round(descent * font.getSize2D());
        }

        @Override
        public int getLeading() {
            return 0;
        }

        @Override
        public int charWidth(char unit) {
            return stringWidth(String.valueOf(unit));
        }

        @Override
        public int charsWidth(char[] units, int offset, int length) {
            return stringWidth(String.valueOf(units, offset, length));
        }

        @Override
        public int stringWidth(String text) {
            return (int) Math.round(width(text, font));
        }
    }
}
