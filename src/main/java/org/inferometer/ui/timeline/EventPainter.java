package org.inferometer.ui.timeline;

import org.inferometer.record.RunMarker;
import org.inferometer.report.timeline.RunTimeline;
import org.inferometer.report.timeline.RunTimelineEvent;
import org.inferometer.report.timeline.RunTimelineEvents;
import org.inferometer.report.timeline.RunTimelineTrack;
import org.inferometer.ui.timeline.TimelineColors.TimelineColor;

/// Draws phases as labelled bands and events as marks; of events at one spot, the most important.
record EventPainter(TimelineSurface canvas, TimelineFrame scene) {
    private static final double SPOT = 5;
    private static final int MOST_LOOKED_AT = 64;

    void paintPhases(TimelineSheet.SheetRow row, double top) {
        RunTimeline timeline = scene.timeline(row);
        RunTimelineTrack phases = timeline.phases();
        TimeScale scale = scene.scale();
        for (int i = 0; i < phases.size(); i++) {
            double x = scene.x(row, phases.start(i));
            double end = scene.x(row, phases.end(i));
            double from = Math.max(x, scale.left());
            double to = Math.min(end, scale.right());
            if (to <= from) {
                continue;
            }
            canvas.fill(TimelineColor.PHASE, i % 2 == 0 ? 0.16 : 0.30, from, top + 3, to - from, row.height() - 6);
            canvas.fill(TimelineColor.PHASE, from, top + 3, 2, row.height() - 6);
            if (to - from > 44) {
                canvas.write(TimelineColor.TEXT, timeline.phaseName(phases.item(i)), from + 7, top + row.height() / 2,
                        to - from - 9);
            }
        }
    }

    /// A flag with its text at each marker.
    void paintMarkers(TimelineSheet.SheetRow row, double top) {
        TimeScale scale = scene.scale();
        for (RunMarker marker : scene.timeline(row).run().manifest().markers()) {
            double x = scene.x(row, marker.nanos());
            if (x < scale.left() || x > scale.right()) {
                continue;
            }
            canvas.fill(TimelineColor.MARKER, x, top + 2, 2, row.height() - 4);
            canvas.write(TimelineColor.TEXT, marker.text(), x + 6, top + row.height() / 2, scale.right() - x - 6);
        }
    }

    /// A binary search per spot, so that the cost does not depend on the number of events.
    void paintEvents(TimelineSheet.SheetRow row, double top) {
        RunTimelineEvents events = scene.timeline(row).events();
        TimeScale scale = scene.scale();
        int spots = Math.max(1, (int) (scale.width() / SPOT));
        int first = events.firstAt(scene.from(row));
        for (int spot = 0; spot < spots; spot++) {
            long until = scale.window().from() + (long) ((spot + 1.0) / spots * scale.window().length());
            int end = events.firstAt(scene.sheet().runNanos(row.panel(), until));
            if (end > first) {
                RunTimelineEvent shown = events.all().get(first);
                for (int i = first; i < Math.min(end, first + MOST_LOOKED_AT); i++) {
                    RunTimelineEvent other = events.all().get(i);
                    shown = other.kind().compareTo(shown.kind()) < 0 ? other : shown;
                }
                mark(shown.kind(), scene.x(row, shown.nanos()), top, row.height(), end - first > 1);
            }
            first = end;
        }
    }

    private void mark(RunTimelineEvent.Kind kind, double x, double top, double height, boolean several) {
        double middle = top + height / 2;
        double size = several ? 5 : 4;
        switch (kind) {
            case PREEMPTED -> triangle(TimelineColor.PREEMPTED, x, middle, size, true);
            case READMITTED -> triangle(TimelineColor.PREEMPTED, x, middle, size, false);
            case MOVED -> {
                canvas.setFill(TimelineColor.TRANSFER);
                canvas.fillPolygon(new double[]{x - size, x + size, x - size},
                        new double[]{middle - size, middle, middle + size});
            }
            case CACHE_HIT -> {
                canvas.setFill(TimelineColor.DECODE);
                canvas.fillOval(x - size, middle - size, 2 * size, 2 * size);
            }
            case FAILED, PHASE, MARKER -> {
                canvas.fill(kind == RunTimelineEvent.Kind.FAILED ? TimelineColor.PREEMPTED : TimelineColor.MARKER, x,
                        top + 2, 2, height - 4);
            }
            case ADMITTED, OTHER -> {
                canvas.fill(TimelineColor.QUEUED, x, middle - (several ? 5 : 3), 1.5, several ? 10 : 6);
            }
        }
    }

    private void triangle(TimelineColor ink, double x, double middle, double size, boolean down) {
        double tip = down ? middle + size : middle - size;
        double base = down ? middle - size : middle + size;
        canvas.setFill(ink);
        canvas.fillPolygon(new double[]{x - size, x + size, x}, new double[]{base, base, tip});
    }
}
