package org.inferometer.ui.timeline;

import static org.inferometer.ui.fx.Messages.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import javafx.scene.paint.Color;
import org.inferometer.report.charts.VectorDrawing;
import org.inferometer.report.charts.VectorDrawing.Anchor;
import org.inferometer.report.charts.VectorDrawing.Fill;
import org.inferometer.report.charts.VectorDrawing.Ink;
import org.inferometer.report.charts.VectorDrawing.Shape;
import org.inferometer.ui.timeline.TimelineColors.TimelineColor;
import org.inferometer.ui.timeline.TimelineLegend.TimelineSwatch;

/// A drawing of the visible timeline for files and clipboard, with legend and footer.
final class TimelineImage {
    /// Device pixels to a logical one, to which lines are snapped.
    private static final double SCALE = 2;
    private static final double FOOTER = 46;
    private static final double LINE = 20;
    private static final double WIDTH_OF_A_LETTER = 7;
    private static final double GAP = 16;

    private TimelineImage() {}

    /// The drawing.
    ///
    /// @param screen as on screen; rows that it cuts are drawn whole or not at all
    static VectorDrawing drawing(TimelineFrame screen, TimelineColors inks) {
        TimelineFrame frame = screen.wholeRows();
        double width = frame.scale().right();
        TimeScale fine = new TimeScale(frame.scale().window(), frame.scale().left(), frame.scale().width(), SCALE);
        TimelineFrame drawn = new TimelineFrame(frame.sheet(), fine, frame.height(), frame.scrollY(), frame.mark(),
                frame.isPinned(), frame.stretch(), TimelineFrame.NO_POINTER, frame.display());
        DrawingSurface surface = new DrawingSurface(inks);
        surface.clip(0, 0, width, frame.height());
        new TimelinePainter(surface, drawn).paint();
        surface.unclip();
        footer(surface, drawn, width);
        return surface.drawing(footer(frame.sheet(), frame.scale().window()), width, frame.height() + FOOTER);
    }

    private static void footer(TimelineSurface surface, TimelineFrame frame, double width) {
        surface.fill(TimelineColor.GROUND, 0, frame.height(), width, FOOTER);
        surface.fill(TimelineColor.GRID, 0, frame.height(), width, 1);
        double x = 10;
        TimelineLegend legend = TimelineLegend.of(frame.sheet());
        for (TimelineColor ink : legend.inks()) {
            String name = TimelineSwatch.name(ink);
            TimelineSwatch.paint(surface, ink, x, frame.height() + 6);
            surface.write(TimelineColor.QUIET_TEXT, name, x + TimelineSwatch.WIDTH + 6, frame.height() + 13, width);
            x += TimelineSwatch.WIDTH + 6 + WIDTH_OF_A_LETTER * name.length() + GAP;
        }
        if (x + WIDTH_OF_A_LETTER * legend.numbers().length() < width) {
            surface.write(TimelineColor.QUIET_TEXT, legend.numbers(), x, frame.height() + 13, width - x);
        }
        surface.write(TimelineColor.TEXT, footer(frame.sheet(), frame.scale().window()), 10, frame.height() + 13 + LINE,
                width - 20);
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

    /// Collects the shapes of a drawing for a file.
    private static final class DrawingSurface implements TimelineSurface {
        private final TimelineColors inks;
        private final List<Shape> shapes = new ArrayList<>();
        private Color color = Color.BLACK;
        private Fill fill = Fill.PLAIN;

        DrawingSurface(TimelineColors inks) {
            this.inks = inks;
        }

        VectorDrawing drawing(String title, double width, double height) {
            return new VectorDrawing(title, width, height, List.copyOf(shapes));
        }

        private static Ink ink(Color color) {
            return new Ink(color.getRed(), color.getGreen(), color.getBlue(), color.getOpacity());
        }

        @Override
        public TimelineColors inks() {
            return inks;
        }

        @Override
        public void clip(double x, double y, double width, double height) {
            shapes.add(new Shape.Clip(x, y, width, height));
        }

        @Override
        public void unclip() {
            shapes.add(new Shape.Unclip());
        }

        @Override
        public void setFill(Color wanted) {
            color = wanted;
            fill = Fill.PLAIN;
        }

        @Override
        public void setHatch(TimelineColor ink) {
            color = inks.color(ink);
            fill = Fill.HATCHED;
        }

        @Override
        public void fillRect(double x, double y, double width, double height) {
            shapes.add(new Shape.Box(x, y, width, height, 0, ink(color), fill));
        }

        @Override
        public void fillRoundRect(double x, double y, double width, double height, double arc) {
            shapes.add(new Shape.Box(x, y, width, height, arc, ink(color), fill));
        }

        @Override
        public void fillPolygon(double[] x, double[] y) {
            shapes.add(new Shape.Polygon(x.clone(), y.clone(), ink(color)));
        }

        @Override
        public void fillOval(double x, double y, double width, double height) {
            shapes.add(new Shape.Oval(x, y, width, height, ink(color)));
        }

        @Override
        public void strokeRect(double x, double y, double width, double height, double line, TimelineColor drawn) {
            shapes.add(new Shape.Outline(x, y, width, height, line, ink(inks.color(drawn))));
        }

        @Override
        public void strokeDashes(double x1, double y1, double x2, double y2, double dash, TimelineColor drawn) {
            shapes.add(new Shape.Segment(x1, y1, x2, y2, 1, dash, ink(inks.color(drawn))));
        }

        @Override
        public void fillText(String text, double x, double y, double most, Anchor anchor, boolean bold) {
            shapes.add(new Shape.Text(text, x, y, most, TimelinePainter.TEXT_SIZE, bold, anchor, ink(color)));
        }
    }
}
