package org.inferometer.ui.chart;

import static org.inferometer.ui.fx.Messages.text;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;
import org.inferometer.report.charts.ChartData;
import org.inferometer.ui.chart.ChartReader.Readout;
import org.jspecify.annotations.Nullable;

/// The crosshair of one chart: follows the pointer or the keys, can be pinned, and is shared with the charts of its group.
final class Crosshair {
    private final CrosshairOverlay overlay;
    private final Consumer<Optional<Readout>> shown;
    private final DoubleConsumer reveal;
    private @Nullable ChartGroup group;
    private @Nullable ChartData chart;
    private @Nullable ChartReader reader;
    private @Nullable PlotArea area;
    private @Nullable Readout readout;
    private String hint = "";
    private double pixelY;
    private double shared = Double.NaN;
    private boolean pinned;

    /// @param shown receives the values that are shown now, or none
    /// @param reveal brings a value of x into view
    Crosshair(CrosshairOverlay overlay, Consumer<Optional<Readout>> shown, DoubleConsumer reveal) {
        this.overlay = overlay;
        this.reveal = reveal;
        this.shown = shown;
    }

    void join(ChartGroup some) {
        group = some;
        some.add(this);
    }

    void dispose() {
        release();
        if (group != null) {
            group.remove(this);
            group = null;
        }
        chart = null;
        reader = null;
        area = null;
    }

    /// Reads another chart from now on; what was shown is read again at the same place.
    void read(ChartData visible) {
        chart = visible;
        reader = ChartReader.of(visible);
    }

    /// The chart was drawn again.
    void place(@Nullable PlotArea drawn) {
        area = drawn;
        Readout old = readout;
        if (drawn == null) {
            overlay.hide();
        } else if (old != null && reader != null) {
            reader.again(drawn, old).ifPresentOrElse(this::show, this::release);
        } else {
            overlay.showLine(drawn, shared);
        }
    }

    /// The pointer moved.
    void move(double pixelX, double pointerY) {
        if (pinned) {
            return;
        }
        PlotArea drawn = area;
        if (drawn == null || reader == null || !drawn.contains(pixelX, pointerY)) {
            leave();
            return;
        }
        pixelY = pointerY;
        reader.at(drawn, pixelX, pointerY).ifPresentOrElse(this::show, this::leave);
    }

    /// The pointer left the plot.
    void leave() {
        if (!pinned) {
            clear();
        }
    }

    /// Keeps the values at a place.
    void pinAt(double pixelX, double pointerY) {
        pinned = false;
        move(pixelX, pointerY);
        pinned = readout != null;
        hint(text("chart.pinned"));
    }

    /// Keeps the values that are shown, or those of the first sample.
    void pin() {
        if (readout == null) {
            end(false);
        }
        pinned = readout != null;
        hint(text("chart.pinned"));
    }

    /// Removes the values.
    ///
    /// @return whether there were any
    boolean release() {
        boolean any = readout != null;
        pinned = false;
        clear();
        return any;
    }

    /// Shows a sentence under the values until they change.
    void hint(String sentence) {
        if (readout != null && area != null) {
            hint = sentence;
            overlay.show(area, readout, hint, pixelY);
        }
    }

    /// The rows that are shown, the nearest to the pointer first; those without a value last.
    List<Readout.Row> nearestRows() {
        Readout now = readout;
        PlotArea drawn = area;
        return now == null || drawn == null ? List.of() : now.rows().stream().sorted(Comparator.comparingDouble(row -> {
            double distance = Math.abs(drawn.y().pixel(row.y()) - pixelY);
            return Double.isNaN(distance) ? Double.MAX_VALUE : distance;
        })).toList();
    }

    private void clear() {
        readout = null;
        hint = "";
        overlay.hide();
        if (area != null) {
            overlay.showLine(area, shared);
        }
        share(Double.NaN);
        shown.accept(Optional.empty());
    }

    /// Goes some samples or marks further; begins at the first.
    void step(int steps) {
        ChartReader own = reader;
        Readout from = readout;
        if (own == null || steps == 0) {
            return;
        }
        if (from == null) {
            end(steps < 0);
        } else {
            own.step(from, steps).ifPresent(this::showStep);
        }
    }

    /// Goes some rows further where the chart has rows.
    void stepRows(int rows) {
        step(reader == null ? 0 : rows * reader.rowStride());
    }

    /// Goes to the first or last sample.
    void end(boolean last) {
        if (reader != null) {
            reader.end(last).ifPresent(this::showStep);
        }
    }

    private void showStep(Readout next) {
        if (area != null) {
            pixelY = (area.top() + area.bottom()) / 2;
        }
        show(next);
        reveal.accept(next.x());
    }

    private void show(Readout next) {
        hint = next.equals(readout) ? hint : "";
        readout = next;
        if (area != null) {
            overlay.show(area, next, hint, pixelY);
        }
        share(next.x());
        shown.accept(Optional.of(next));
    }

    private void share(double x) {
        if (group != null) {
            group.show(this, x);
        }
    }

    boolean sharesAxisWith(Crosshair other) {
        return chart != null && other.chart != null && chart.x().label().equals(other.chart.x().label())
                && chart.x().logarithmic() == other.chart.x().logarithmic() && !chart.x().label().isEmpty();
    }

    /// Shows the line of another chart of the group.
    void showShared(double x) {
        shared = x;
        if (readout == null && area != null) {
            overlay.showLine(area, x);
        }
    }

    /// What is shown; for tests and screen readers.
    Optional<Readout> readout() {
        return Optional.ofNullable(readout);
    }

    boolean pinned() {
        return pinned;
    }
}
