package org.inferometer.report;

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

/// The font of vector files: Liberation Sans, which PDFBox bundles and whose widths are those of Arial and Helvetica.
///
/// Text is laid out with these widths on every machine, whatever fonts it has. Immutable.
public final class LiberationSans {
    private static final String RESOURCE = "/org/apache/pdfbox/resources/ttf/LiberationSans-Regular.ttf";
    private static final int MISSING = -1;
    /// Of the em, for characters that the font lacks.
    private static final double MISSING_WIDTH = 1;
    /// `[UTF-16 unit]` of the em, or [#MISSING].
    private final float[] widths = new float[Character.MAX_VALUE + 1];
    private final double ascent;
    private final double descent;

    private LiberationSans() {
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
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Read with the first vector file.
    private static final class Loaded {
        private static final LiberationSans FONT = new LiberationSans();
    }

    /// The font.
    public static LiberationSans get() {
        return Loaded.FONT;
    }

    /// The TrueType file; the caller closes it.
    public static InputStream open() {
        return Objects.requireNonNull(PDDocument.class.getResourceAsStream(RESOURCE), "PDFBox has no Liberation Sans.");
    }

    /// Whether the font has a character.
    public boolean has(int character) {
        return character < widths.length && widths[character] != MISSING;
    }

    /// The width of a text in ems.
    public double width(String text) {
        return text.chars().mapToDouble(unit -> widths[unit] == MISSING ? MISSING_WIDTH : widths[unit]).sum();
    }

    /// Above the baseline, in ems.
    public double ascent() {
        return ascent;
    }

    /// Below the baseline, in ems.
    public double descent() {
        return descent;
    }
}
