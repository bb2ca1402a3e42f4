package org.inferometer.ui.timeline;

import java.util.Set;
import org.inferometer.report.timeline.RunTimeline;
import org.inferometer.report.timeline.RunTimelineRequest.State;
import org.inferometer.report.timeline.RunTimelineTrack;
import org.inferometer.ui.timeline.TimelineColors.TimelineColor;
import org.jspecify.annotations.Nullable;

/// Draws a row of requests: a thin line while queued, full height in prefill, lower in decode, hatched while preempted,
/// a thin bar during a KV transfer.
record RequestPainter(TimelineSurface canvas, TimelineFrame scene) {
    private static final double FAINTEST = 0.25;
    private static final double WIDTH_OF_A_LABEL = 26;

    void paint(TimelineSheet.SheetRow row, double top, Set<Integer> lit) {
        RunTimeline timeline = scene.timeline(row);
        RunTimelineTrack track = scene.sheet().requestTrack(row);
        TimeScale scale = scene.scale();
        long from = scene.from(row);
        long to = scene.to(row);
        double height = row.height() - 3;
        int[] numbered = {-1};
        track.cells(from, to, scale.columns(), new RunTimelineTrack.CellVisitor() {
            @Override
            public void span(int span) {
                double x = scene.x(row, track.start(span));
                double width = Math.max(scale.hair(), scene.x(row, track.end(span)) - x);
                boolean isLit = !lit.isEmpty() && lit.contains(timeline.request(track.item(span)).request());
                bar(State.values()[track.kind(span)], x, width, top + 1.5, height, lit.isEmpty() || isLit ? 1 : 0.35);
                if (isLit) {
                    canvas.fill(TimelineColor.LIT, x, top + row.height() - 2, width, 2);
                }
                if (track.item(span) != numbered[0]
                        && Math.min(x + width, scale.right()) - Math.max(x, scale.left()) > WIDTH_OF_A_LABEL) {
                    numbered[0] = track.item(span);
                    number(timeline.request(track.item(span)).request(),
                            lit.isEmpty() || isLit ? State.values()[track.kind(span)] : null, Math.max(x, scale.left()),
                            width, top, row.height());
                }
            }

            @Override
            public void merged(int first, int end, int kind, double busyShare, double paddingShare) {
                double x = scene.x(row, track.start(first));
                double width = Math.max(scale.hair(), scene.x(row, track.end(end - 1)) - x);
                bar(State.values()[kind], x, width, top + 1.5, height,
                        (FAINTEST + (1 - FAINTEST) * busyShare) * (lit.isEmpty() ? 1 : 0.35));
            }
        });
    }

    private void bar(State state, double x, double width, double top, double height, double opacity) {
        TimeScale scale = scene.scale();
        double lower = scale.snapped(height * 0.6);
        double middle = scale.snapped(top + height / 2 - 1.5);
        switch (state) {
            case QUEUED -> canvas.fill(TimelineColor.QUEUED, opacity, x, middle, width, 3);
            case UNSPLIT -> {
                canvas.fill(TimelineColor.UNSPLIT, opacity, x, top + 1, width, scale.hair());
                canvas.fill(TimelineColor.UNSPLIT, opacity, x, top + height - 1, width, scale.hair());
            }
            case PREFILL -> canvas.fill(TimelineColor.PREFILL, opacity, x, top, width, height);
            case DECODE ->
                canvas.fill(TimelineColor.DECODE, opacity, x, scale.snapped(top + height - lower), width, lower);
            case MOVING -> canvas.fill(TimelineColor.TRANSFER, opacity, x, middle - 1, width, 5);
            case PREEMPTED -> {
                canvas.setHatch(TimelineColor.PREEMPTED);
                canvas.fillRect(x, top, width, height);
                canvas.fill(TimelineColor.PREEMPTED, opacity, x, top, width, scale.hair());
                canvas.fill(TimelineColor.PREEMPTED, opacity, x, top + height - scale.hair(), width, scale.hair());
            }
        }
    }

    /// @param state null for a faded bar, whose text is drawn as on the background
    private void number(int request, @Nullable State state, double x, double width, double top, double rowHeight) {
        String words = Integer.toString(request);
        if (state == State.PREFILL) {
            canvas.setFill(canvas.inks().textOn(TimelineColor.PREFILL));
        } else {
            // A bar lower than the text would strike it through.
            canvas.fill(TimelineColor.BAND, x, top + 1, 8 + 7 * words.length(), rowHeight - 2);
            canvas.setFill(TimelineColor.TEXT);
        }
        canvas.fillText(words, x + 3, top + rowHeight / 2, Math.max(1, width - 5));
    }
}
