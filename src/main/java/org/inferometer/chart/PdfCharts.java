package org.inferometer.chart;

import de.rototor.pdfbox.graphics2d.IPdfBoxGraphics2DFontTextDrawer;
import de.rototor.pdfbox.graphics2d.PdfBoxGraphics2D;
import java.awt.Font;
import java.awt.FontMetrics;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.text.AttributedCharacterIterator;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDPageContentStream;
import org.apache.pdfbox.pdmodel.common.PDRectangle;
import org.apache.pdfbox.pdmodel.font.PDFont;
import org.apache.pdfbox.pdmodel.font.PDType0Font;
import org.apache.pdfbox.pdmodel.graphics.state.RenderingMode;
import org.apache.pdfbox.util.Matrix;
import org.inferometer.chart.JFreeCharts.PicturePainter;
import org.inferometer.report.LiberationSans;

/// Paints charts as a PDF of one page of their size, with the font embedded and without times.
final class PdfCharts {
    private static final float POINTS_A_PIXEL = 72f / 96;

    private PdfCharts() {}

    static byte[] draw(PicturePainter painter) {
        float width = painter.width();
        float height = painter.height();
        try (PDDocument document = new PDDocument(); InputStream font = LiberationSans.open()) {
            // Without it the id is made of the time.
            document.setDocumentId(1L);
            document.getDocumentInformation().setTitle(painter.title());
            document.getDocumentInformation().setCreator("Inferometer");
            document.getDocumentCatalog().setLanguage("en");
            PDPage page = new PDPage(new PDRectangle(width * POINTS_A_PIXEL, height * POINTS_A_PIXEL));
            document.addPage(page);
            PdfBoxGraphics2D g2 = new PdfBoxGraphics2D(document, width, height);
            g2.setFontTextDrawer(new EmbeddedText(PDType0Font.load(document, font, true)));
            painter.paint(g2, 1);
            g2.dispose();
            try (PDPageContentStream content = new PDPageContentStream(document, page)) {
                content.transform(Matrix.getScaleInstance(POINTS_A_PIXEL, POINTS_A_PIXEL));
                content.drawForm(g2.getXFormObject());
            }
            ByteArrayOutputStream bytes = new ByteArrayOutputStream(1 << 16);
            document.save(bytes);
            return bytes.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Writes text with the embedded font. Text with characters that it lacks is drawn as shapes.
    private record EmbeddedText(PDFont font) implements IPdfBoxGraphics2DFontTextDrawer {
        /// Of the font's size: lines around letters make them bold.
        private static final float BOLD_LINE = 0.035f;

        @Override
        public boolean canDrawText(AttributedCharacterIterator text, IFontTextDrawerEnv env) {
            return string(text).chars().allMatch(LiberationSans.get()::has);
        }

        @Override
        public void drawText(AttributedCharacterIterator text, IFontTextDrawerEnv env) throws IOException {
            PDPageContentStream content = env.getContentStream();
            Font size = env.getFont();
            content.saveGraphicsState();
            content.beginText();
            // The page grows upwards, letters too.
            content.setTextMatrix(Matrix.getScaleInstance(1, -1));
            content.setFont(font, size.getSize2D());
            env.applyPaint(env.getPaint(), null);
            if (size.isBold()) {
                content.setRenderingMode(RenderingMode.FILL_STROKE);
                content.setLineWidth(size.getSize2D() * BOLD_LINE);
            }
            content.showText(string(text));
            content.endText();
            content.restoreGraphicsState();
        }

        @Override
        public FontMetrics getFontMetrics(Font size, IFontTextDrawerEnv env) {
            return new PlainFont(size);
        }

        private static String string(AttributedCharacterIterator text) {
            StringBuilder string = new StringBuilder();
            for (char unit = text.first(); unit != AttributedCharacterIterator.DONE; unit = text.next()) {
                string.append(unit);
            }
            return string.toString();
        }
    }
}
