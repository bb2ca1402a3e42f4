package org.inferometer.chart;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.rendering.ImageType;
import org.apache.pdfbox.rendering.PDFRenderer;

/// The pages of a PDF as pixels, for a preview that is what will be printed.
///
/// @param pages the first ones
/// @param count of all pages
public record PdfPagePictures(List<Page> pages, int count) {
    /// @param argb `[height * width]` opaque pixels, row by row
    public record Page(int width, int height, int[] argb) {}

    /// Draws pages. Any thread.
    ///
    /// @param scale pixels to a point
    /// @param most pages that are drawn
    public static PdfPagePictures of(byte[] pdf, double scale, int most) throws IOException {
        try (PDDocument document = Loader.loadPDF(pdf)) {
            PDFRenderer renderer = new PDFRenderer(document);
            List<Page> pages = new ArrayList<>();
            for (int page = 0; page < Math.min(most, document.getNumberOfPages()); page++) {
                BufferedImage drawn = renderer.renderImage(page, (float) scale, ImageType.RGB);
                pages.add(new Page(drawn.getWidth(), drawn.getHeight(),
                        drawn.getRGB(0, 0, drawn.getWidth(), drawn.getHeight(), null, 0, drawn.getWidth())));
            }
            return new PdfPagePictures(pages, document.getNumberOfPages());
        }
    }
}
