package org.inferometer.ui.chart;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.Optional;
import org.inferometer.ui.chart.PlotArea.AxisRange;
import org.inferometer.ui.chart.PlotArea.PlotScale;
import org.jspecify.annotations.Nullable;

/// The zoomed part of a chart's x axis, the zooms before it and those that were left. A zoom that reaches both ends of the data is none.
final class ChartZoom {
    private static final int MOST_STEPS = 50;
    private static final double SMALLEST_SHARE = 1e-9;
    /// Room beside the data, as a share of its length.
    private static final double MARGIN = 0.02;
    private final ZoomedChart chart;
    private final Deque<Optional<AxisRange>> before = new ArrayDeque<>();
    private final Deque<Optional<AxisRange>> after = new ArrayDeque<>();
    private @Nullable AxisRange range;
    private @Nullable PlotScale dragged;
    private boolean moved;

    /// The chart that is zoomed.
    interface ZoomedChart {
        /// The drawn plot; null while nothing is drawn.
        @Nullable
        PlotArea area();

        /// The ends of the data; empty for an axis of names.
        Optional<AxisRange> ends();

        /// Draws the other part.
        void zoomChanged();
    }

    ChartZoom(ZoomedChart chart) {
        this.chart = chart;
    }

    Optional<AxisRange> range() {
        return Optional.ofNullable(range);
    }

    boolean hasPrevious() {
        return !before.isEmpty();
    }

    boolean hasNext() {
        return !after.isEmpty();
    }

    /// Shows a part of the x axis.
    void show(AxisRange part) {
        within(part).ifPresent(next -> change(next.range()));
    }

    /// Zooms while the value at a pixel stays there.
    ///
    /// @param factor above 1 to see less of the axis
    void at(double pixelX, double factor) {
        PlotArea area = chart.area();
        if (area != null) {
            show(area.x().zoomed(Math.clamp(pixelX, area.x().start(), area.x().end()), factor));
        }
    }

    /// Zooms at a value that is shown, else in the middle.
    ///
    /// @param x NaN for the middle
    void around(double x, double factor) {
        PlotArea area = chart.area();
        if (area != null) {
            double pixel = area.x().pixel(x);
            at(area.x().containsPixel(pixel) ? pixel : (area.x().start() + area.x().end()) / 2, factor);
        }
    }

    /// Moves the visible part.
    ///
    /// @param share of its length, negative for lower values
    void pan(double share) {
        PlotArea area = chart.area();
        if (area != null && range != null) {
            show(area.x().moved(share));
        }
    }

    /// Brings a value of x into the visible part.
    void reveal(double x) {
        PlotArea area = chart.area();
        if (area != null && range != null && Double.isFinite(x) && !area.x().shows(x)) {
            PlotScale scale = area.x();
            double middle = scale.value((scale.start() + scale.end()) / 2);
            pan((scale.place(x) - scale.place(middle)) / (scale.place(scale.upper()) - scale.place(scale.lower())));
        }
    }

    /// Begins to drag the visible part. A drag is one step of the history.
    void beginDrag() {
        PlotArea area = chart.area();
        dragged = area == null || range == null ? null : area.x();
        moved = false;
    }

    /// Moves what was visible when the drag began.
    ///
    /// @param pixels to the right
    void dragBy(double pixels) {
        PlotScale from = dragged;
        if (from != null) {
            within(from.moved(-pixels / (from.end() - from.start()))).ifPresent(next -> {
                if (moved) {
                    range = next.range();
                    chart.zoomChanged();
                } else {
                    moved = change(next.range());
                }
            });
        }
    }

    boolean isDragged() {
        return dragged != null;
    }

    void endDrag() {
        dragged = null;
    }

    /// Shows everything.
    void fit() {
        change(null);
    }

    /// Goes back to the zoom before.
    void previous() {
        step(before, after);
    }

    /// Goes to the zoom that was left by going back.
    void next() {
        step(after, before);
    }

    private void step(Deque<Optional<AxisRange>> from, Deque<Optional<AxisRange>> to) {
        if (!from.isEmpty()) {
            to.push(range());
            range = from.pop().orElse(null);
            chart.zoomChanged();
        }
    }

    /// Begins with a zoom, also before the chart is drawn; ignores one that shows none of the data.
    ///
    /// @param logarithmic whether the axis has no place for 0 and below
    void begin(AxisRange part, boolean logarithmic) {
        Optional<AxisRange> ends = chart.ends();
        if (ends.isPresent() && part.isValid() && part.lower() < ends.get().upper() && part.upper() > ends.get().lower()
                && !part.covers(ends.get()) && (!logarithmic || part.lower() > 0)) {
            reset();
            range = part;
            chart.zoomChanged();
        }
    }

    /// Forgets all zooms.
    void reset() {
        before.clear();
        after.clear();
        dragged = null;
        range = null;
    }

    /// @param range null for all data
    private record Part(@Nullable AxisRange range) {}

    /// The part, moved to the data; empty if it is too small to draw.
    private Optional<Part> within(AxisRange part) {
        PlotArea area = chart.area();
        AxisRange data = chart.ends().orElse(null);
        if (area == null || data == null) {
            return Optional.empty();
        }
        PlotScale scale = area.x();
        double low = scale.place(data.lower());
        double high = scale.place(data.upper());
        double margin = (high - low) * MARGIN;
        double from = scale.place(part.lower());
        double to = scale.place(part.upper());
        if (!(to - from >= (high - low) * SMALLEST_SHARE) || !Double.isFinite(to - from)) {
            return Optional.empty();
        }
        // A part beyond the data moves back to its end.
        double shift = Math.max(0, low - margin - from) - Math.max(0, to - high - margin);
        AxisRange next = new AxisRange(scale.atPlace(from + shift), scale.atPlace(to + shift));
        boolean whole = to - from >= high - low + 2 * margin || next.covers(data);
        return Optional.of(new Part(whole ? null : next));
    }

    private boolean change(@Nullable AxisRange next) {
        if (Objects.equals(next, range)) {
            return false;
        }
        before.push(range());
        if (before.size() > MOST_STEPS) {
            before.removeLast();
        }
        after.clear();
        range = next;
        chart.zoomChanged();
        return true;
    }
}
