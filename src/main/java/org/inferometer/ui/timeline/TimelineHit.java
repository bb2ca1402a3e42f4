package org.inferometer.ui.timeline;

import java.util.Optional;
import org.inferometer.report.timeline.RunTimelineTrack;
import org.inferometer.ui.timeline.TimelineMarks.TimelineMark;

/// Finds what is at a point of the rows: a step, a request, or the values of an instant.
final class TimelineHit {
    private static final double REACH = 3;

    private TimelineHit() {}

    /// @param y from the first row's upper edge
    /// @param nanos time of the point
    /// @param nanosPerPixel a thin span is hit within a few pixels
    static Optional<TimelineMark> at(TimelineSheet sheet, double y, long nanos, double nanosPerPixel) {
        int index = sheet.firstRowBelow(y);
        if (index >= sheet.rows().size() || sheet.rows().get(index).top() > y) {
            return Optional.empty();
        }
        TimelineSheet.SheetRow row = sheet.rows().get(index);
        long runNanos = sheet.runNanos(row.panel(), nanos);
        return switch (row.kind()) {
            case LANE -> hit(sheet.panels().get(row.panel()).lanes().get(row.index()).track(), runNanos, nanosPerPixel)
                    .map(span -> new TimelineMark.OfStep(row.panel(), row.index(), span));
            case REQUESTS -> {
                RunTimelineTrack track = sheet.requestTrack(row);
                yield hit(track, runNanos, nanosPerPixel)
                        .map(span -> new TimelineMark.OfRequest(row.panel(), track.item(span)));
            }
            case COUNTER, MEMORY ->
                Optional.of(new TimelineMark.OfValue(row.panel(), row.kind(), row.index(), runNanos));
            case TITLE, PHASES, MARKERS, EVENTS -> Optional.empty();
        };
    }

    private static Optional<Integer> hit(RunTimelineTrack track, long nanos, double nanosPerPixel) {
        int span = track.nearest(nanos);
        if (span < 0) {
            return Optional.empty();
        }
        long reach = Math.round(REACH * nanosPerPixel);
        boolean near = nanos >= track.start(span) - reach && nanos <= track.end(span) + reach;
        return near ? Optional.of(span) : Optional.empty();
    }
}
