package org.inferometer.ui.timeline;

import org.inferometer.report.timeline.RunTimelineCounter;
import org.inferometer.report.timeline.RunTimelineCounter.CounterUnit;
import org.inferometer.ui.fx.Messages;
import org.inferometer.ui.timeline.TimelineColors.TimelineColor;

/// Draws a counter on its own scale as a stepped area with minimum and maximum per column, or as a needle per value where values do not
/// hold; the size of a pool as a dashed line.
///
/// @param columns in which values are drawn
record CounterPainter(TimelineSurface canvas, TimelineFrame scene, int columns) {
    private static final double MARGIN = 4;
    private static final double LINE = 1.5;

    void paint(TimelineSheet.SheetRow row, double top) {
        RunTimelineCounter counter = counter(row);
        CounterScale values = values(row);
        TimeScale scale = scene.scale();
        double height = row.height() - 2 * MARGIN;
        double base = top + MARGIN + height;
        long from = scene.from(row);
        long to = scene.to(row);
        double columnWidth = scale.width() / columns;
        double end = scene.x(row, counter.endNanos()) + LINE;
        double before = Double.NaN;
        int beforeEnd = -1;
        for (ValueBars.CounterBar bar : ValueBars.of(counter, from, to, columns)) {
            double x = scale.snapped(scale.left() + bar.first() * columnWidth);
            if (x > end) {
                break;
            }
            double right = scale.snapped(Math.min(end, scale.left() + bar.end() * columnWidth));
            // Areas that overlap would be darker.
            double width = Math.max(counter.kind().held() ? scale.hair() : LINE, right - x);
            double lowY = base - height * values.share(bar.low());
            double highY = base - height * values.share(bar.high());
            double lastY = base - height * values.share(bar.last());
            if (values.isFromZero()) {
                canvas.fill(TimelineColor.COUNTER, counter.kind().held() ? 0.22 : 0.6, x, highY, width, base - highY);
            }
            canvas.setFill(TimelineColor.COUNTER);
            boolean joined = counter.kind().held() && beforeEnd == bar.first();
            double upper = Math.min(highY, joined ? Math.min(before, lastY) : lastY);
            double lower = counter.kind().held() ? Math.max(lowY, joined ? Math.max(before, lastY) : lastY) : upper;
            boolean flat = bar.end() - bar.first() > 1 && upper < lower;
            if (flat) {
                canvas.fillRect(x, upper, LINE, lower - upper + LINE);
                upper = highY;
                lower = highY;
            }
            canvas.fillRect(x, upper, width, Math.max(LINE, lower - upper));
            before = lastY;
            beforeEnd = bar.end();
        }
        canvas.fill(TimelineColor.GRID, scale.left(), base, scale.width(), scale.hair());
        boolean poolIsSeen = counter.kind().unit() == CounterUnit.COUNT && counter.kind().capacity() > 0
                && counter.kind().capacity() <= values.high();
        if (poolIsSeen) {
            double y = scale.snapped(base - height * values.share(counter.kind().capacity())) + scale.hair() / 2;
            canvas.strokeDashes(scale.left(), y, scale.right(), y, 4, TimelineColor.QUIET_TEXT);
        }
    }

    /// The scale of a row.
    CounterScale values(TimelineSheet.SheetRow row) {
        return CounterScale.of(counter(row), scene.display().wholePool());
    }

    /// The value at the pointer, or the peak.
    String value(TimelineSheet.SheetRow row) {
        RunTimelineCounter counter = counter(row);
        long instant = scene.pointer() == TimelineFrame.NO_POINTER ? Long.MAX_VALUE
                : scene.sheet().runNanos(row.panel(), scene.pointer());
        int at = instant > counter.endNanos() ? -1 : counter.at(instant);
        String of = counter.kind().unit() == CounterUnit.COUNT && counter.kind().capacity() > 0
                ? " / " + CounterUnit.COUNT.text(counter.kind().capacity()) : "";
        return at >= 0 && !Double.isNaN(counter.value(at)) ? counter.kind().unit().text(counter.value(at)) + of
                : Messages.text("timeline.peak", counter.kind().unit().text(counter.peak()) + of);
    }

    private RunTimelineCounter counter(TimelineSheet.SheetRow row) {
        return scene.timeline(row).counters().get(row.index());
    }

    /// The scale of a counter's row.
    ///
    /// @param low value at the lower edge
    /// @param high value at the upper edge, above `low`
    /// @param lowLabel of the lower edge
    /// @param highLabel of the upper edge; empty where all values are equal to the lower edge
    record CounterScale(double low, double high, String lowLabel, String highLabel) {
        /// From 0 to the peak; clocks and temperatures from their least value; percentages, and KV blocks where the whole pool is wanted,
        /// up to 100 %.
        static CounterScale of(RunTimelineCounter counter, boolean wholePool) {
            CounterUnit unit = counter.kind().unit();
            if (counter.kind().capacity() > 0 && (unit == CounterUnit.PERCENT || wholePool)) {
                return new CounterScale(0, Math.max(counter.kind().capacity(), counter.peak()), "0 %", "100 %");
            }
            boolean level = unit == CounterUnit.MEGAHERTZ || unit == CounterUnit.CELSIUS;
            double low = level && counter.least() < counter.peak() ? counter.least() : Math.min(0, counter.least());
            boolean spread = counter.peak() > low;
            double high = spread ? counter.peak() : low + 1;
            return new CounterScale(low, high, label(unit, low), spread ? label(unit, high) : "");
        }

        private static String label(CounterUnit unit, double value) {
            return value == 0 ? "0" : unit.text(value);
        }

        /// Whether areas may be filled: they begin at zero.
        boolean isFromZero() {
            return low == 0;
        }

        /// The place of a value, 0 at the lower edge to 1 at the upper.
        double share(double value) {
            return (value - low) / (high - low);
        }
    }
}
