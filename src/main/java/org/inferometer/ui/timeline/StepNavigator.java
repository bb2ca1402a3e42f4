package org.inferometer.ui.timeline;

import java.util.List;
import java.util.Optional;
import org.inferometer.report.timeline.RunTimeline;
import org.inferometer.report.timeline.RunTimelineTrack;
import org.inferometer.ui.timeline.TimelineMarks.TimelineMark;
import org.jspecify.annotations.Nullable;

/// Moves from step to step: along a lane, and to the same time on another lane. Pure.
record StepNavigator(TimelineSheet sheet) {
    /// The next (1) or previous (-1) step on the lane; the first in the window when no step is marked.
    Optional<TimelineMark.OfStep> along(@Nullable TimelineMark marked, TimeWindow window, int direction) {
        if (!(marked instanceof TimelineMark.OfStep now)) {
            return first(window);
        }
        int span = now.span() + direction;
        return span >= 0 && span < track(now).size()
                ? Optional.of(new TimelineMark.OfStep(now.panel(), now.lane(), span)) : Optional.empty();
    }

    /// The step at the same time on the next (1) or previous (-1) lane that has one, over all panels.
    Optional<TimelineMark.OfStep> across(@Nullable TimelineMark marked, TimeWindow window, int direction) {
        return (marked instanceof TimelineMark.OfStep step ? Optional.of(step) : first(window))
                .flatMap(now -> beside(now, direction));
    }

    private Optional<TimelineMark.OfStep> beside(TimelineMark.OfStep now, int direction) {
        RunTimelineTrack track = track(now);
        long instant = sheet.sheetNanos(now.panel(), (track.start(now.span()) + track.end(now.span())) / 2);
        int panel = now.panel();
        int lane = now.lane() + direction;
        while (panel >= 0 && panel < sheet.panels().size()) {
            List<RunTimeline.LaneRow> lanes = sheet.panels().get(panel).lanes();
            for (; lane >= 0 && lane < lanes.size(); lane += direction) {
                int span = lanes.get(lane).track().nearest(sheet.runNanos(panel, instant));
                if (span >= 0) {
                    return Optional.of(new TimelineMark.OfStep(panel, lane, span));
                }
            }
            panel += direction;
            boolean further = panel >= 0 && panel < sheet.panels().size();
            lane = direction > 0 || !further ? 0 : sheet.panels().get(panel).lanes().size() - 1;
        }
        return Optional.empty();
    }

    /// The first step of the window on the first lane that has one.
    private Optional<TimelineMark.OfStep> first(TimeWindow window) {
        List<RunTimeline.LaneRow> lanes = sheet.panels().getFirst().lanes();
        for (int lane = 0; lane < lanes.size(); lane++) {
            int span = lanes.get(lane).track().firstEndingAfter(sheet.runNanos(0, window.from()));
            if (span < lanes.get(lane).track().size()) {
                return Optional.of(new TimelineMark.OfStep(0, lane, span));
            }
        }
        return Optional.empty();
    }

    /// Time range of a step on the sheet; at least one nanosecond.
    TimeWindow extent(TimelineMark.OfStep step) {
        RunTimelineTrack track = track(step);
        long from = sheet.sheetNanos(step.panel(), track.start(step.span()));
        return new TimeWindow(from, Math.max(from + 1, sheet.sheetNanos(step.panel(), track.end(step.span()))));
    }

    /// The lane of a step.
    RunTimelineTrack track(TimelineMark.OfStep step) {
        return sheet.panels().get(step.panel()).lanes().get(step.lane()).track();
    }
}
