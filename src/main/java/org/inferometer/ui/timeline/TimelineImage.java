package org.inferometer.ui.timeline;

import static org.inferometer.ui.fx.Messages.text;

import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import javafx.geometry.VPos;
import javafx.scene.SnapshotParameters;
import javafx.scene.canvas.Canvas;
import javafx.scene.canvas.GraphicsContext;
import javafx.scene.image.WritableImage;
import javafx.scene.text.Font;
import javafx.scene.text.FontSmoothingType;
import javafx.scene.text.TextAlignment;

/// A picture of the visible timeline for files and clipboard: twice the pixels, with legend and footer. Belongs to the JavaFX thread.
final class TimelineImage {
    private static final double SCALE = 2;
    private static final double FOOTER = 46;
    private static final double LINE = 20;
    private static final double WIDTH_OF_A_LETTER = 7;
    private static final double GAP = 16;

    private TimelineImage() {}

    /// Device pixels per logical pixel: 2, less where the picture would be larger than a canvas can be.
    static double scale(double width, double height) {
        return Math.min(SCALE, TimelineCanvas.LARGEST_DEVICE_PIXELS / Math.max(width, height + FOOTER));
    }

    /// Draws the picture and gives it when it is ready, on the JavaFX thread, without waiting for it.
    ///
    /// @param frame as on screen; its scale is replaced
    static void take(TimelineFrame frame, TimelineColors inks, Consumer<WritableImage> ready) {
        double width = frame.scale().left() + frame.scale().width();
        double scale = scale(width, frame.height());
        TimeScale fine = new TimeScale(frame.scale().window(), frame.scale().left(), frame.scale().width(), scale);
        TimelineFrame drawn = new TimelineFrame(frame.sheet(), fine, frame.height(), frame.scrollY(), frame.mark(),
                frame.isPinned(), frame.stretch(), TimelineFrame.NO_POINTER, frame.display());
        Canvas canvas = new Canvas(Math.ceil(width * scale), Math.ceil((frame.height() + FOOTER) * scale));
        GraphicsContext graphics = canvas.getGraphicsContext2D();
        graphics.setFontSmoothingType(FontSmoothingType.GRAY);
        graphics.scale(scale, scale);
        new TimelinePainter(graphics, inks, drawn).paint();
        footer(graphics, inks, drawn, width);
        canvas.snapshot(result -> {
            ready.accept(result.getImage());
            return null;
        }, new SnapshotParameters(), null);
    }

    private static void footer(GraphicsContext graphics, TimelineColors inks, TimelineFrame frame, double width) {
        graphics.setFill(inks.color(TimelineColor.GROUND));
        graphics.fillRect(0, frame.height(), width, FOOTER);
        graphics.setFill(inks.color(TimelineColor.GRID));
        graphics.fillRect(0, frame.height(), width, 1);
        graphics.setFont(Font.font(12));
        graphics.setTextAlign(TextAlignment.LEFT);
        graphics.setTextBaseline(VPos.CENTER);
        double x = 10;
        for (TimelineColor ink : TimelineSwatch.LEGEND) {
            String name = TimelineSwatch.name(ink);
            graphics.save();
            graphics.translate(x, frame.height() + 6);
            TimelineSwatch.paint(graphics, inks, ink);
            graphics.restore();
            graphics.setFill(inks.color(TimelineColor.QUIET_TEXT));
            graphics.fillText(name, x + TimelineSwatch.WIDTH + 6, frame.height() + 13);
            x += TimelineSwatch.WIDTH + 6 + WIDTH_OF_A_LETTER * name.length() + GAP;
        }
        graphics.setFill(inks.color(TimelineColor.TEXT));
        graphics.fillText(footer(frame.sheet(), frame.scale().window()), 10, frame.height() + 13 + LINE, width - 20);
    }

    /// "1: tiny-int4 · naive · −8.0 to 846.0 ms since measuring began · n = 48 of 60 requests".
    static String footer(TimelineSheet sheet, TimeWindow window) {
        int all = sheet.allRequests();
        int hidden = sheet.hiddenRequests();
        return text("timeline.image-footer", sheet.titles().stream().collect(Collectors.joining(" / ")),
                milliseconds(window.from()), milliseconds(window.to()),
                hidden == 0 ? Integer.toString(all) : text("timeline.of", Integer.toString(all - hidden), all));
    }

    private static String milliseconds(long nanos) {
        return String.format(Locale.ROOT, "%.1f", nanos / 1e6).replace('-', '−');
    }
}
