package org.inferometer.ui.chart;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The zoomed part of an x axis and the zooms before it. A zoom that reaches both ends of the data is none.
final class ChartZoom {
    private static final int MOST_STEPS = 50;
    private static final double SMALLEST_SHARE = 1e-9;
    /// Room beside the data, as a share of its length.
    private static final double MARGIN = 0.02;
    private final Deque<Optional<AxisRange>> before = new ArrayDeque<>();
    private @Nullable AxisRange range;

    Optional<AxisRange> range() {
        return Optional.ofNullable(range);
    }

    boolean hasPrevious() {
        return !before.isEmpty();
    }

    /// Shows a part.
    ///
    /// @param data the ends of the data
    /// @return whether the zoom changed
    boolean show(AxisRange part, AxisRange data, PlotScale scale) {
        double low = scale.place(data.lower());
        double high = scale.place(data.upper());
        double margin = (high - low) * MARGIN;
        double from = scale.place(part.lower());
        double to = scale.place(part.upper());
        if (!(to - from >= (high - low) * SMALLEST_SHARE) || !Double.isFinite(to - from)) {
            return false;
        }
        // A part beyond the data moves back to its end.
        double shift = Math.max(0, low - margin - from) - Math.max(0, to - high - margin);
        boolean whole = to - from >= high - low + 2 * margin;
        AxisRange next = whole ? null : new AxisRange(scale.atPlace(from + shift), scale.atPlace(to + shift));
        return change(next != null && !next.covers(data) ? next : null);
    }

    /// Shows everything.
    boolean fit() {
        return change(null);
    }

    /// Goes back to the zoom before.
    boolean previous() {
        if (before.isEmpty()) {
            return false;
        }
        range = before.pop().orElse(null);
        return true;
    }

    /// Forgets all zooms.
    void reset() {
        before.clear();
        range = null;
    }

    private boolean change(@Nullable AxisRange next) {
        if (Objects.equals(next, range)) {
            return false;
        }
        before.push(Optional.ofNullable(range));
        if (before.size() > MOST_STEPS) {
            before.removeLast();
        }
        range = next;
        return true;
    }
}
