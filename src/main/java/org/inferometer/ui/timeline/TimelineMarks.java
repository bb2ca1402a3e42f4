package org.inferometer.ui.timeline;

import java.util.Optional;
import java.util.function.Supplier;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.value.ObservableValue;
import org.inferometer.report.timeline.RunTimeline;
import org.inferometer.report.timeline.RunTimelineRequest;
import org.jspecify.annotations.Nullable;

/// The hovered and the pinned mark, the measured range, and the details of what is marked. Belongs to the UI thread.
public final class TimelineMarks {
    private final Supplier<Optional<TimelineSheet>> built;
    private final ObservableValue<TimelineDisplay> display;
    private final ReadOnlyObjectWrapper<@Nullable TimelineMark> hovered = new ReadOnlyObjectWrapper<>();
    private final ReadOnlyObjectWrapper<@Nullable TimelineMark> pinned = new ReadOnlyObjectWrapper<>();
    private final ReadOnlyObjectWrapper<@Nullable TimeWindow> stretch = new ReadOnlyObjectWrapper<>();
    private final ReadOnlyObjectWrapper<TimelineDetails> details = new ReadOnlyObjectWrapper<>(TimelineDetails.NONE);

    /// @param built the timeline that the marks belong to
    /// @param display what the rows of values show; their details follow it
    TimelineMarks(Supplier<Optional<TimelineSheet>> built, ObservableValue<TimelineDisplay> display) {
        this.built = built;
        this.display = display;
        display.addListener((observed, before, now) -> describe());
    }

    /// Sets the hovered mark.
    public void hover(@Nullable TimelineMark mark) {
        hovered.set(mark);
        describe();
    }

    /// Pins a mark; null releases it.
    public void pin(@Nullable TimelineMark mark) {
        pinned.set(mark);
        stretch.set(null);
        describe();
    }

    /// Measures a time range; null ends it.
    public void measure(@Nullable TimeWindow measured) {
        stretch.set(measured);
        describe();
    }

    /// Releases all marks and the measured range.
    public void release() {
        hovered.set(null);
        stretch.set(null);
        pin(null);
    }

    /// The pinned mark, else the hovered one.
    public @Nullable TimelineMark shown() {
        return pinned.get() != null ? pinned.get() : hovered.get();
    }

    /// The time range of the shown mark; empty where none is marked, or a value.
    Optional<TimeWindow> extent(TimelineSheet sheet) {
        TimelineMark mark = shown();
        return switch (mark) {
            case null -> Optional.empty();
            case TimelineMark.OfValue ignored -> Optional.empty();
            case TimelineMark.OfStep step -> Optional.of(sheet.extent(step));
            case TimelineMark.OfRequest marked -> {
                RunTimelineRequest request = sheet.panels().get(marked.panel()).request(marked.item());
                long from = sheet.sheetNanos(marked.panel(), request.startNanos());
                yield Optional.of(
                        new TimeWindow(from, Math.max(from + 1, sheet.sheetNanos(marked.panel(), request.endNanos()))));
            }
        };
    }

    private void describe() {
        TimeWindow measured = stretch.get();
        details.set(built.get()
                .map(sheet -> measured != null ? TimelineDetails.ofStretch(sheet, measured) : detailsOf(sheet, shown()))
                .orElse(TimelineDetails.NONE));
    }

    private TimelineDetails detailsOf(TimelineSheet sheet, @Nullable TimelineMark mark) {
        TimelineDetails made = switch (mark) {
            case null -> TimelineDetails.NONE;
            case TimelineMark.OfValue value ->
                TimelineDetails.ofValue(sheet.panels().get(value.panel()), value, display.getValue());
            case TimelineMark.OfStep step -> {
                RunTimeline timeline = sheet.panels().get(step.panel());
                yield TimelineDetails.ofStep(timeline, timeline.step(sheet.track(step).item(step.span())));
            }
            case TimelineMark.OfRequest request -> {
                RunTimeline timeline = sheet.panels().get(request.panel());
                yield TimelineDetails.ofRequest(timeline, timeline.request(request.item()));
            }
        };
        return mark == null || sheet.panels().size() == 1 ? made : made.inRun(sheet.titles().get(mark.panel()));
    }

    /// The hovered mark, or null.
    public ReadOnlyObjectProperty<@Nullable TimelineMark> hovered() {
        return hovered.getReadOnlyProperty();
    }

    /// The pinned mark, or null.
    public ReadOnlyObjectProperty<@Nullable TimelineMark> pinned() {
        return pinned.getReadOnlyProperty();
    }

    /// The measured range, or null.
    public ReadOnlyObjectProperty<@Nullable TimeWindow> stretch() {
        return stretch.getReadOnlyProperty();
    }

    /// The details to show.
    public ReadOnlyObjectProperty<TimelineDetails> details() {
        return details.getReadOnlyProperty();
    }

    /// A step, a request or an instant of a row of values that is hovered or pinned.
    public sealed interface TimelineMark {
        /// Index of the shown run, from 0.
        int panel();

        /// A step.
        ///
        /// @param lane index among the run's lanes
        /// @param span index in the lane's track
        record OfStep(int panel, int lane, int span) implements TimelineMark {}

        /// A request.
        ///
        /// @param item index in the run's timeline
        record OfRequest(int panel, int item) implements TimelineMark {}

        /// An instant of a counter or of the memory.
        ///
        /// @param row COUNTER or MEMORY
        /// @param index of the counter; 0 for the memory
        /// @param nanos of the run's clock
        record OfValue(int panel, TimelineSheet.SheetRowKind row, int index, long nanos) implements TimelineMark {}
    }
}
