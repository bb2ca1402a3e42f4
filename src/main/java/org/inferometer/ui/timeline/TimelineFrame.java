package org.inferometer.ui.timeline;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.inferometer.report.timeline.RunTimeline;
import org.inferometer.ui.timeline.TimelineMarks.TimelineMark;
import org.jspecify.annotations.Nullable;

/// Everything that one drawing of the timeline needs.
///
/// @param scrollY scrolled height of the rows, in pixels
/// @param mark what is pinned or hovered
/// @param isPinned whether the mark is pinned
/// @param stretch the measured range
/// @param pointer time at the pointer, or [#NO_POINTER]
/// @param display what rows of values show
record TimelineFrame(TimelineSheet sheet, TimeScale scale, double height, double scrollY, @Nullable TimelineMark mark,
        boolean isPinned, @Nullable TimeWindow stretch, long pointer, TimelineDisplay display) {
    static final long NO_POINTER = Long.MIN_VALUE;

    /// The run of a row.
    RunTimeline timeline(TimelineSheet.SheetRow row) {
        return sheet.panels().get(row.panel());
    }

    /// Where an instant of a row's run is.
    double x(TimelineSheet.SheetRow row, long runNanos) {
        return scale.x(sheet.sheetNanos(row.panel(), runNanos));
    }

    /// The begin of the visible window, on the clock of a row's run.
    long from(TimelineSheet.SheetRow row) {
        return sheet.runNanos(row.panel(), scale.window().from());
    }

    /// The end of the visible window, on the clock of a row's run.
    long to(TimelineSheet.SheetRow row) {
        return sheet.runNanos(row.panel(), scale.window().to());
    }

    /// The same from the first to the last row of which at least a half is visible, without cut rows.
    TimelineFrame wholeRows() {
        double bottom = scrollY + height - TimelinePainter.RULER;
        List<TimelineSheet.SheetRow> seen = sheet.rows().stream().filter(row -> {
            double visible = Math.min(bottom, row.top() + row.height()) - Math.max(scrollY, row.top());
            return visible >= row.height() / 2;
        }).toList();
        if (seen.isEmpty()) {
            return this;
        }
        double top = seen.getFirst().top();
        double end = seen.getLast().top() + seen.getLast().height();
        return new TimelineFrame(sheet, scale, TimelinePainter.RULER + end - top, top, mark, isPinned, stretch, pointer,
                display);
    }

    /// The highlighted requests of a run: the marked one, or those of the marked step.
    Set<Integer> litRequests(int panel) {
        return switch (mark) {
            case null -> Set.of();
            case TimelineMark.OfRequest request when request.panel() == panel ->
                Set.of(sheet.panels().get(panel).request(request.item()).request());
            case TimelineMark.OfStep step when step.panel() == panel -> {
                RunTimeline timeline = sheet.panels().get(panel);
                Set<Integer> numbers = new HashSet<>();
                int item = timeline.lanes().get(step.lane()).track().item(step.span());
                timeline.step(item).report().slices().toList().forEach(slice -> numbers.add(slice.request().index()));
                yield numbers;
            }
            case TimelineMark ignored -> Set.of();
        };
    }
}
