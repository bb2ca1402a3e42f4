package org.inferometer.ui.timeline;

import java.util.HashSet;
import java.util.Set;
import org.inferometer.report.timeline.RunTimeline;
import org.inferometer.report.timeline.RunTimelineStep;
import org.jspecify.annotations.Nullable;

/// Everything a picture of the timeline is made of.
///
/// @param scrollY how far the rows are scrolled down
/// @param mark what is pinned or pointed at
/// @param isPinned whether it is pinned
/// @param stretch what is measured
/// @param pointer where the pointer is in time, or [#NO_POINTER]
record TimelineFrame(TimelineSheet sheet, TimeScale scale, double height, double scrollY, @Nullable TimelineMark mark,
        boolean isPinned, @Nullable TimeWindow stretch, long pointer) {
    static final long NO_POINTER = Long.MIN_VALUE;

    /// The requests that are lit up in a run: the marked one, or those in the marked step.
    Set<Integer> litRequests(int panel) {
        return switch (mark) {
            case null -> Set.of();
            case TimelineMark.OfRequest request when request.panel() == panel ->
                Set.of(sheet.panels().get(panel).request(request.item()).request());
            case TimelineMark.OfStep step when step.panel() == panel -> {
                RunTimeline timeline = sheet.panels().get(panel);
                Set<Integer> numbers = new HashSet<>();
                int item = timeline.lanes().get(step.lane()).track().item(step.span());
                timeline.step(item).parts().stream().map(RunTimelineStep.Part::request).forEach(numbers::add);
                yield numbers;
            }
            case TimelineMark ignored -> Set.of();
        };
    }
}
