package org.inferometer.ui.timeline;

import java.util.Set;
import org.inferometer.report.timeline.RunTimeline;
import org.inferometer.report.timeline.RunTimelineRequest.State;
import org.inferometer.report.timeline.RunTimelineTrack;
import org.inferometer.ui.timeline.TimelineColors.TimelineColor;
import org.jspecify.annotations.Nullable;

/// Draws a row of requests: a thin line while queued, full height in prefill, lower in decode, hatched while preempted,
/// a thin bar during a KV transfer.
final class RequestPainter {
    private static final double FAINTEST = 0.25;
    private static final double WIDTH_OF_A_LABEL = 26;
    private final TimelineSurface canvas;
    private final TimelineColors inks;
    private final TimelineFrame scene;

    RequestPainter(TimelineSurface canvas, TimelineColors inks, TimelineFrame scene) {
        this.canvas = canvas;
        this.inks = inks;
        this.scene = scene;
    }

    void paint(TimelineSheet.SheetRow row, double top, Set<Integer> lit) {
        RunTimeline timeline = scene.sheet().panels().get(row.panel());
        RunTimelineTrack track = scene.sheet().requestTrack(row);
        TimeScale scale = scene.scale();
        long from = scene.sheet().runNanos(row.panel(), scale.window().from());
        long to = scene.sheet().runNanos(row.panel(), scale.window().to());
        double height = row.height() - 3;
        int[] numbered = {-1};
        track.cells(from, to, scale.columns(), new RunTimelineTrack.CellVisitor() {
            @Override
            public void span(int span) {
                double x = scale.x(scene.sheet().sheetNanos(row.panel(), track.start(span)));
                double width =
                        Math.max(scale.hair(), scale.x(scene.sheet().sheetNanos(row.panel(), track.end(span))) - x);
                boolean isLit = !lit.isEmpty() && lit.contains(timeline.request(track.item(span)).request());
                bar(State.values()[track.kind(span)], x, width, top + 1.5, height, lit.isEmpty() || isLit ? 1 : 0.35);
                if (isLit) {
                    canvas.setFill(inks.color(TimelineColor.LIT));
                    canvas.fillRect(x, top + row.height() - 2, width, 2);
                }
                if (track.item(span) != numbered[0] && Math.min(x + width, scale.left() + scale.width())
                        - Math.max(x, scale.left()) > WIDTH_OF_A_LABEL) {
                    numbered[0] = track.item(span);
                    number(timeline.request(track.item(span)).request(),
                            lit.isEmpty() || isLit ? State.values()[track.kind(span)] : null, Math.max(x, scale.left()),
                            width, top, row.height());
                }
            }

            @Override
            public void merged(int first, int end, int kind, double busyShare, double paddingShare) {
                double x = scale.x(scene.sheet().sheetNanos(row.panel(), track.start(first)));
                double width =
                        Math.max(scale.hair(), scale.x(scene.sheet().sheetNanos(row.panel(), track.end(end - 1))) - x);
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
            case QUEUED -> fill(TimelineColor.QUEUED, opacity, x, middle, width, 3);
            case UNSPLIT -> {
                fill(TimelineColor.UNSPLIT, opacity, x, top + 1, width, scale.hair());
                fill(TimelineColor.UNSPLIT, opacity, x, top + height - 1, width, scale.hair());
            }
            case PREFILL -> fill(TimelineColor.PREFILL, opacity, x, top, width, height);
            case DECODE -> fill(TimelineColor.DECODE, opacity, x, scale.snapped(top + height - lower), width, lower);
            case MOVING -> fill(TimelineColor.TRANSFER, opacity, x, middle - 1, width, 5);
            case PREEMPTED -> {
                canvas.setHatch(inks, TimelineColor.PREEMPTED);
                canvas.fillRect(x, top, width, height);
                fill(TimelineColor.PREEMPTED, opacity, x, top, width, scale.hair());
                fill(TimelineColor.PREEMPTED, opacity, x, top + height - scale.hair(), width, scale.hair());
            }
        }
    }

    private void fill(TimelineColor ink, double opacity, double x, double y, double width, double height) {
        canvas.setFill(opacity >= 1 ? inks.color(ink) : inks.faded(ink, opacity));
        canvas.fillRect(x, y, width, height);
    }

    /// @param state null for a faded bar, whose text is drawn as on the background
    private void number(int request, @Nullable State state, double x, double width, double top, double rowHeight) {
        canvas.setFill(state == State.PREFILL ? inks.textOn(TimelineColor.PREFILL) : inks.color(TimelineColor.TEXT));
        double y = top + rowHeight / 2;
        if (state != State.PREFILL) {
            // A bar lower than the text would strike it through.
            canvas.setFill(inks.color(TimelineColor.BAND));
            canvas.fillRect(x, top + 1, 8 + 7 * Integer.toString(request).length(), rowHeight - 2);
            canvas.setFill(inks.color(TimelineColor.TEXT));
        }
        canvas.fillText(Integer.toString(request), x + 3, y, Math.max(1, width - 5));
    }
}
