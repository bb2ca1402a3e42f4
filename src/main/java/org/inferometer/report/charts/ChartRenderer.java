package org.inferometer.report.charts;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// Draws charts as files without a screen. Thread-safe.
public interface ChartRenderer {
    /// A file of several charts. SVG and PDF load nothing, hold no time and are the same on every machine.
    byte[] draw(ChartSheet sheet, Picture picture);

    /// A file of a drawing, in its own size; format, scale and prefix of ids are those of the picture.
    ///
    /// @throws UnsupportedOperationException if this renderer draws charts only
    default byte[] draw(VectorDrawing drawing, Picture picture) {
        throw new UnsupportedOperationException("This renderer draws charts only.");
    }

    /// A file of one chart.
    default byte[] draw(ChartData chart, Picture picture) {
        return draw(ChartSheet.of(chart), picture);
    }

    /// An SVG element of several charts, without an XML declaration.
    ///
    /// @param width of a panel
    /// @param height of a panel
    /// @param idPrefix of all ids, so that several pictures fit in one page
    default String svg(ChartSheet sheet, int width, int height, Shade shade, String idPrefix) {
        return new String(
                draw(sheet, new Picture(ChartFormat.SVG, width, height, 1, shade, idPrefix, EnumSet.allOf(Part.class))),
                StandardCharsets.UTF_8);
    }

    /// The same with the source of the charts behind each footer.
    default ChartRenderer from(String source) {
        ChartRenderer whole = this;
        return new ChartRenderer() {
            @Override
            public byte[] draw(ChartSheet sheet, Picture picture) {
                return whole.draw(sheet.from(source), picture);
            }

            @Override
            public byte[] draw(VectorDrawing drawing, Picture picture) {
                return whole.draw(drawing, picture);
            }
        };
    }

    /// What a file is drawn as.
    ///
    /// @param panelWidth logical pixels of each panel, 1/96 inch each in SVG and PDF
    /// @param panelHeight logical pixels of each panel
    /// @param scale device pixels to a logical pixel: 2 for sharp exports; of PNG alone
    /// @param idPrefix of ids, of SVG alone
    /// @param parts those that are drawn
    record Picture(ChartFormat format, int panelWidth, int panelHeight, double scale, Shade shade, String idPrefix,
            Set<Part> parts) {
        /// A picture on its own with all parts.
        public Picture(ChartFormat format, int panelWidth, int panelHeight, double scale, Shade shade) {
            this(format, panelWidth, panelHeight, scale, shade, "", EnumSet.allOf(Part.class));
        }
    }

    /// What stands around a plot, and may be left out.
    enum Part {
        TITLE, LEGEND, FOOTER
    }

    /// The background of a chart.
    enum Shade {
        LIGHT, DARK
    }

    /// The file formats of charts: pixels, or vectors whose text stays text.
    public enum ChartFormat {
        PNG, SVG, PDF;

        /// The name and the extension of its files: "png".
        public String id() {
            return name().toLowerCase(Locale.ROOT);
        }

        /// The format of that name, in any case.
        public static Optional<ChartFormat> named(String id) {
            return Arrays.stream(values()).filter(format -> format.id().equalsIgnoreCase(id)).findFirst();
        }

        /// The format that the extension of a file names.
        public static Optional<ChartFormat> of(Path file) {
            String name = String.valueOf(file.getFileName());
            int dot = name.lastIndexOf('.');
            return dot < 0 ? Optional.empty() : named(name.substring(dot + 1));
        }
    }
}
