package org.inferometer.ui.timeline;

import java.util.Set;
import org.inferometer.report.timeline.RunTimeline;
import org.inferometer.report.timeline.RunTimelineStep;
import org.inferometer.report.timeline.RunTimelineStep.Kind;
import org.inferometer.report.timeline.RunTimelineTrack;
import org.inferometer.scheduling.Slice;
import org.inferometer.ui.timeline.TimelineColors.TimelineColor;
import org.inferometer.ui.timeline.TimelineMarks.TimelineMark;
import org.jspecify.annotations.Nullable;

/// Draws the steps of a lane. Prefill fills the row, decode its lower part, mixed steps show both, transfers a bar in
/// the middle; padding is hatched from the top.
record LanePainter(TimelineSurface canvas, TimelineFrame scene) {
    private static final double MARGIN = 5;
    private static final double DECODE_SHARE = 0.55;
    private static final double FAINTEST = 0.25;
    private static final double WIDTH_OF_A_GAP = 4;
    private static final double WIDTH_OF_A_LABEL = 40;
    private static final double HEIGHT_OF_A_LETTER = 11;
    private static final double LEAST_PADDING = 0.02;

    void paint(TimelineSheet.SheetRow row, double top) {
        RunTimeline timeline = scene.timeline(row);
        RunTimelineTrack track = timeline.lanes().get(row.index()).track();
        TimeScale scale = scene.scale();
        LaneBox box = new LaneBox(top + MARGIN, row.height() - 2 * MARGIN);
        Set<Integer> lit = scene.mark() instanceof TimelineMark.OfRequest ? scene.litRequests(row.panel()) : Set.of();
        long from = scene.from(row);
        long to = scene.to(row);
        track.cells(from, to, scale.columns(), new RunTimelineTrack.CellVisitor() {
            @Override
            public void span(int span) {
                step(timeline, track, span, row, box, lit);
            }

            @Override
            public void merged(int first, int end, int kind, double busyShare, double paddingShare) {
                double x = scene.x(row, track.start(first));
                double width = Math.max(scale.hair(), scene.x(row, track.end(end - 1)) - x);
                bar(Kind.values()[kind], x, width, box, paddingShare, FAINTEST + (1 - FAINTEST) * busyShare);
            }
        });
        outline(row, track, box);
    }

    private record LaneBox(double top, double height) {}

    private void step(RunTimeline timeline, RunTimelineTrack track, int span, TimelineSheet.SheetRow row, LaneBox box,
            Set<Integer> lit) {
        TimeScale scale = scene.scale();
        double x = scene.x(row, track.start(span));
        double end = scene.x(row, track.end(span));
        double gap = end - x > WIDTH_OF_A_GAP ? scale.hair() : 0;
        double width = Math.max(scale.hair(), end - x - gap);
        Kind kind = Kind.values()[track.kind(span)];
        bar(kind, x, width, box, track.paddingShare(span), 1);
        boolean holdsLit =
                !lit.isEmpty() && lit.stream().anyMatch(request -> timeline.stepHolds(track.item(span), request));
        if (holdsLit) {
            canvas.fill(TimelineColor.LIT, x, box.top() + box.height(), width, 3);
            canvas.fillRect(x, box.top() - 3, width, 3);
        }
        if (width > WIDTH_OF_A_LABEL) {
            label(timeline.step(track.item(span)), Math.max(x, scale.left()), Math.min(x + width, scale.right()), box);
        }
    }

    private void bar(Kind kind, double x, double width, LaneBox box, double padding, double opacity) {
        double whole = box.height();
        double lower = scene.scale().snapped(whole * DECODE_SHARE);
        double top = box.top();
        double height = whole;
        switch (kind) {
            case PREFILL -> canvas.fill(TimelineColor.PREFILL, opacity, x, top, width, whole);
            case DECODE -> {
                top = box.top() + whole - lower;
                height = lower;
                canvas.fill(TimelineColor.DECODE, opacity, x, top, width, lower);
            }
            case MIXED -> {
                canvas.fill(TimelineColor.PREFILL, opacity, x, top, width, whole - lower);
                canvas.fill(TimelineColor.DECODE, opacity, x, top + whole - lower, width, lower);
            }
            case TRANSFER -> {
                height = whole * 0.4;
                top = box.top() + (whole - height) / 2;
                canvas.fill(TimelineColor.TRANSFER, opacity, x, top, width, height);
            }
        }
        if (padding > LEAST_PADDING) {
            double hatched = Math.max(3, padding * height);
            canvas.fill(TimelineColor.BAND, opacity, x, top, width, hatched);
            if (width > 3) {
                canvas.setHatch(TimelineColor.PADDING);
            } else {
                canvas.setFill(TimelineColor.PADDING, 0.5 * opacity);
            }
            canvas.fillRect(x, top, width, hatched);
            canvas.fill(TimelineColor.PADDING, opacity, x, top, width, scene.scale().hair());
        }
    }

    private void label(RunTimelineStep step, double from, double to, LaneBox box) {
        String words = switch (step.kind()) {
            case PREFILL -> Integer.toString(step.report().prefillPositions());
            case DECODE -> Integer.toString(step.report().decodeRows());
            case MIXED -> step.report().prefillPositions() + " + " + step.report().decodeRows();
            case TRANSFER -> Integer.toString(step.report().slices().toList().stream().mapToInt(Slice::count).sum());
        };
        TimelineColor ground = switch (step.kind()) {
            case PREFILL -> TimelineColor.PREFILL;
            case DECODE, MIXED -> TimelineColor.DECODE;
            case TRANSFER -> TimelineColor.TRANSFER;
        };
        boolean low = step.kind() == Kind.DECODE || step.kind() == Kind.MIXED;
        double bottom = step.kind() == Kind.TRANSFER ? box.top() + box.height() * 0.7 : box.top() + box.height();
        double height =
                low ? box.height() * DECODE_SHARE : step.kind() == Kind.TRANSFER ? box.height() * 0.4 : box.height();
        // Mixed steps are hatched from the top of the row, above their decode part.
        double hatched =
                step.kind() == Kind.MIXED ? Math.max(0, step.paddingShare() * box.height() - (box.height() - height))
                        : step.paddingShare() * height;
        double free = height - hatched;
        if (free < HEIGHT_OF_A_LETTER) {
            return;
        }
        double y = bottom - free / 2;
        canvas.setFill(canvas.inks().textOn(ground));
        canvas.fillText(words, from + 5, y, Math.max(1, to - from - 8));
    }

    private void outline(TimelineSheet.SheetRow row, RunTimelineTrack track, LaneBox box) {
        @Nullable TimelineMark mark = scene.mark();
        if (mark instanceof TimelineMark.OfStep(int panel, int lane, int span) && panel == row.panel()
                && lane == row.index()) {
            double x = scene.scale().x(scene.sheet().sheetNanos(panel, track.start(span)));
            double end = scene.scale().x(scene.sheet().sheetNanos(panel, track.end(span)));
            canvas.strokeRect(x - 1, box.top() - 2, Math.max(3, end - x + 2), box.height() + 4, 2,
                    scene.isPinned() ? TimelineColor.FOCUS : TimelineColor.LIT);
        }
    }
}
