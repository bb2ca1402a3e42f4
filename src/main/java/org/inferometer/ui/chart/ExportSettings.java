package org.inferometer.ui.chart;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.report.charts.ChartRenderer.ChartFormat;
import org.inferometer.report.charts.ChartRenderer.Part;
import org.inferometer.report.charts.ChartRenderer.Picture;
import org.inferometer.report.charts.ChartRenderer.Shade;
import org.inferometer.units.LetterCase;

/// How a picture is exported.
///
/// @param scale device pixels to a logical pixel of a PNG in the size of the screen
record ExportSettings(ChartFormat format, Size size, int scale, Shade shade, Set<Part> parts) {
    /// For print: light, with all parts.
    static final ExportSettings STANDARD =
            new ExportSettings(ChartFormat.PNG, Size.SCREEN, 2, Shade.LIGHT, EnumSet.allOf(Part.class));
    private static final int CSS_DPI = 96;
    private static final int PRINT_DPI = 300;

    /// Sizes of pictures.
    enum Size {
        /// As shown in the window.
        SCREEN(0, 0, 0),
        /// 1920 x 1080 pixels.
        SLIDE(960, 540, 2),
        /// A column of 3.3 inches at 300 dpi.
        COLUMN(3.3 * CSS_DPI, 3.3 * CSS_DPI * 3 / 4, (double) PRINT_DPI / CSS_DPI),
        /// A page of 7 inches at 300 dpi.
        PAGE(7 * CSS_DPI, 7 * CSS_DPI * 9 / 16.0, (double) PRINT_DPI / CSS_DPI);

        private final double width;
        private final double height;
        private final double scale;

        /// @param width logical pixels of 1/96 inch
        Size(double width, double height, double scale) {
            this.width = width;
            this.height = height;
            this.scale = scale;
        }
    }

    /// The picture to draw.
    ///
    /// @param screenWidth logical pixels as shown in the window
    /// @param screenHeight logical pixels as shown in the window
    Picture picture(ChartFormat wanted, double screenWidth, double screenHeight) {
        boolean screen = size == Size.SCREEN;
        return new Picture(wanted, (int) Math.max(1, Math.round(screen ? screenWidth : size.width)),
                (int) Math.max(1, Math.round(screen ? screenHeight : size.height)), screen ? scale : size.scale, shade,
                "", parts);
    }

    /// "png screen 2 light title legend footer".
    String encode() {
        return LetterCase
                .lower(Stream.concat(Stream.of(format.name(), size.name(), Integer.toString(scale), shade.name()),
                        parts.stream().map(Part::name)).collect(Collectors.joining(" ")));
    }

    /// Reads what [#encode] wrote; empty for anything else.
    static Optional<ExportSettings> decode(String text) {
        String[] words = LetterCase.upper(text).split(" ");
        try {
            EnumSet<Part> parts = EnumSet.noneOf(Part.class);
            for (int i = 4; i < words.length; i++) {
                parts.add(Part.valueOf(words[i]));
            }
            int scale = Integer.parseInt(words[2]);
            return scale < 1 || scale > 4 ? Optional.empty()
                    : Optional.of(new ExportSettings(ChartFormat.valueOf(words[0]), Size.valueOf(words[1]), scale,
                            Shade.valueOf(words[3]), parts));
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
            return Optional.empty();
        }
    }
}
