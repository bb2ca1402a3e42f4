package org.inferometer.ui.timeline;

import javafx.scene.canvas.GraphicsContext;
import org.inferometer.report.timeline.RunTimelineCounter;
import org.inferometer.ui.fx.Messages;

/// Draws a counter as a stepped area with minimum and maximum per pixel column; its capacity as a dashed line.
final class CounterPainter {
    private static final double MARGIN = 4;
    private final GraphicsContext canvas;
    private final TimelineColors inks;
    private final TimelineFrame scene;

    CounterPainter(GraphicsContext canvas, TimelineColors inks, TimelineFrame scene) {
        this.canvas = canvas;
        this.inks = inks;
        this.scene = scene;
    }

    void paint(TimelineSheet.SheetRow row, double top) {
        RunTimelineCounter counter = counter(row);
        TimeScale scale = scene.scale();
        double height = row.height() - 2 * MARGIN;
        double base = top + MARGIN + height;
        double most = Math.max(1, Math.max(counter.capacity(), counter.peak()));
        long from = scene.sheet().runNanos(row.panel(), scale.window().from());
        long to = scene.sheet().runNanos(row.panel(), scale.window().to());
        double columnWidth = scale.width() / scale.columns();
        double[] before = {Double.NaN};
        double lastX =
                counter.size() == 0 ? scale.left() : scale.x(scene.sheet().sheetNanos(row.panel(), counter.endNanos()));
        counter.columns(from, to, scale.columns(), (column, low, high, last) -> {
            double x = scale.left() + column * columnWidth;
            if (x > lastX) {
                return;
            }
            double lowY = base - height * low / most;
            double highY = base - height * high / most;
            double lastY = base - height * last / most;
            canvas.setFill(inks.faded(TimelineColor.COUNTER, 0.22));
            canvas.fillRect(x, highY, columnWidth, base - highY);
            canvas.setFill(inks.color(TimelineColor.COUNTER));
            double start = Double.isNaN(before[0]) ? lowY : before[0];
            double upper = Math.min(highY, Math.min(start, lastY));
            double lower = Math.max(lowY, Math.max(start, lastY));
            canvas.fillRect(x, upper, columnWidth, Math.max(1.5, lower - upper));
            before[0] = lastY;
        });
        canvas.setFill(inks.color(TimelineColor.GRID));
        canvas.fillRect(scale.left(), base, scale.width(), scale.hair());
        if (counter.capacity() > 0) {
            canvas.setStroke(inks.color(TimelineColor.QUIET_TEXT));
            canvas.setLineWidth(1);
            canvas.setLineDashes(4, 4);
            double y = scale.snapped(base - height * counter.capacity() / most) + scale.hair() / 2;
            canvas.strokeLine(scale.left(), y, scale.left() + scale.width(), y);
            canvas.setLineDashes();
        }
    }

    /// The value at the pointer, or the peak.
    String value(TimelineSheet.SheetRow row) {
        RunTimelineCounter counter = counter(row);
        long instant = scene.pointer() == TimelineFrame.NO_POINTER ? Long.MAX_VALUE
                : scene.sheet().runNanos(row.panel(), scene.pointer());
        int at = instant > counter.endNanos() ? -1 : counter.at(instant);
        String of = counter.capacity() > 0 ? " / " + counter.capacity() : "";
        return at >= 0 ? counter.value(at) + of : Messages.text("timeline.peak", counter.peak() + of);
    }

    private RunTimelineCounter counter(TimelineSheet.SheetRow row) {
        return scene.sheet().panels().get(row.panel()).counters().get(row.index());
    }
}
