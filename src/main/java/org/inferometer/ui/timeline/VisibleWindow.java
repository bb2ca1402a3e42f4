package org.inferometer.ui.timeline;

import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import org.inferometer.report.timeline.RunTimelineTrack;

/// The visible time range of the shown timeline, and how it moves. Belongs to the UI thread.
///
/// Without a shown timeline nothing moves.
public final class VisibleWindow {
    private final Supplier<Optional<TimelineSheet>> shown;
    private final Supplier<Optional<TimeWindow>> pinned;
    private final ReadOnlyObjectWrapper<TimeWindow> window = new ReadOnlyObjectWrapper<>(new TimeWindow(0, 1));

    /// @param pinned time range of the pinned mark
    VisibleWindow(Supplier<Optional<TimelineSheet>> shown, Supplier<Optional<TimeWindow>> pinned) {
        this.shown = shown;
        this.pinned = pinned;
    }

    /// The range when a timeline opens: its measured phase. Loading and warm-up are to the left.
    private static TimeWindow first(TimelineSheet sheet) {
        return sheet.all().from() < 0 && sheet.all().to() > TimeWindow.SHORTEST
                ? new TimeWindow(-Math.min(-sheet.all().from(), sheet.all().to() / 50), sheet.all().to()) : sheet.all();
    }

    /// Places the range for a timeline that is shown from now on: its measured phase, or where the reader moved it before.
    ///
    /// @param before the earlier timeline of the same run; empty for another run
    void open(TimelineSheet sheet, Optional<TimelineSheet> before) {
        boolean moved = before.isPresent() && !window.get().equals(first(before.get()));
        window.set(moved ? window.get().panned(0, sheet.all()) : first(sheet));
    }

    /// Shows the whole time range.
    public void showAll() {
        withSheet(sheet -> window.set(sheet.all()));
    }

    /// Shows a time range, within the run.
    public void look(TimeWindow wanted) {
        withSheet(sheet -> window
                .set(new TimeWindow(wanted.from(), Math.max(wanted.to(), wanted.from() + TimeWindow.SHORTEST)).panned(0,
                        sheet.all())));
    }

    /// Moves as far as a time range is visible.
    void reveal(TimeWindow wanted) {
        withSheet(sheet -> window.set(window.get().showing(wanted.from(), wanted.to(), sheet.all())));
    }

    /// Zooms around an instant: in below 1, out above.
    public void zoom(double factor, long at) {
        withSheet(sheet -> window.set(window.get().zoomed(factor, at, sheet.all())));
    }

    /// Zooms around the pinned mark if it is in view, else around the middle.
    public void zoom(double factor) {
        TimeWindow now = window.get();
        zoom(factor, pinned.get().filter(mark -> mark.from() < now.to() && mark.to() > now.from())
                .map(mark -> Math.clamp((mark.from() + mark.to()) / 2, now.from(), now.to())).orElseGet(this::middle));
    }

    /// Moves by a share of the window.
    public void pan(double share) {
        withSheet(sheet -> window.set(window.get().panned(Math.round(share * window.get().length()), sheet.all())));
    }

    /// Shows the next (1) or previous (-1) phase, from the middle of the window.
    public void nextPhase(int direction) {
        withSheet(sheet -> {
            RunTimelineTrack phases = sheet.panels().getFirst().phases();
            int now = phases.nearest(sheet.runNanos(0, middle()));
            int wanted = now + direction;
            if (now >= 0 && wanted >= 0 && wanted < phases.size() && phases.end(wanted) > phases.start(wanted)) {
                look(new TimeWindow(sheet.sheetNanos(0, phases.start(wanted)),
                        sheet.sheetNanos(0, phases.end(wanted))));
            }
        });
    }

    private long middle() {
        return window.get().from() + window.get().length() / 2;
    }

    private void withSheet(Consumer<TimelineSheet> action) {
        shown.get().ifPresent(action);
    }

    /// The visible time range.
    public ReadOnlyObjectProperty<TimeWindow> window() {
        return window.getReadOnlyProperty();
    }
}
