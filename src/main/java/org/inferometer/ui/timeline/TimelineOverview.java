package org.inferometer.ui.timeline;

import java.util.Arrays;
import java.util.List;
import org.inferometer.report.timeline.RunTimeline;
import org.inferometer.report.timeline.RunTimelineRequest.State;
import org.inferometer.report.timeline.RunTimelineStep;
import org.inferometer.report.timeline.RunTimelineTrack;
import org.inferometer.ui.timeline.TimelineColors.TimelineColor;

/// How busy the lanes of a run were over the time range of its sheet, or its requests where it has no steps. Added up once, so that the
/// strip of the whole run needs no wait at any width. Immutable.
///
/// @param layers from the bottom
/// @param before `[layers][PARTS + 1]` share of all parts before, of the time of one track
record TimelineOverview(List<Layer> layers, double[][] before) {
    private static final List<Layer> STEPS =
            List.of(new Layer(RunTimelineStep.Kind.DECODE.ordinal(), TimelineColor.DECODE),
                    new Layer(RunTimelineStep.Kind.MIXED.ordinal(), TimelineColor.PREFILL),
                    new Layer(RunTimelineStep.Kind.PREFILL.ordinal(), TimelineColor.PREFILL),
                    new Layer(RunTimelineStep.Kind.TRANSFER.ordinal(), TimelineColor.TRANSFER));
    private static final List<Layer> REQUESTS = List.of(new Layer(State.DECODE.ordinal(), TimelineColor.DECODE),
            new Layer(State.PREFILL.ordinal(), TimelineColor.PREFILL),
            new Layer(State.MOVING.ordinal(), TimelineColor.TRANSFER),
            new Layer(State.UNSPLIT.ordinal(), TimelineColor.UNSPLIT),
            new Layer(State.PREEMPTED.ordinal(), TimelineColor.PREEMPTED),
            new Layer(State.QUEUED.ordinal(), TimelineColor.UNSPLIT));
    private static final int KINDS = Math.max(RunTimelineStep.Kind.values().length, State.values().length);
    /// More than a strip has pixels on most screens.
    private static final int PARTS = 4096;

    /// A layer of the strip, stacked from the bottom.
    ///
    /// @param kind of the spans of a track
    record Layer(int kind, TimelineColor ink) {}

    /// @param from begin of the range on the run's clock
    /// @param lengthNanos of the range
    static TimelineOverview of(RunTimeline timeline, long from, long lengthNanos) {
        boolean steps = TimelineSheet.keepsSteps(timeline);
        List<Layer> layers = steps ? STEPS : REQUESTS;
        List<RunTimelineTrack> tracks =
                steps ? timeline.lanes().stream().map(RunTimeline.LaneRow::track).toList() : timeline.requestRows();
        int[] layerOfKind = new int[KINDS];
        Arrays.fill(layerOfKind, -1);
        for (int i = 0; i < layers.size(); i++) {
            layerOfKind[layers.get(i).kind()] = i;
        }
        double[][] parts = new double[layers.size()][PARTS + 1];
        double nanosPerPart = Math.max(1, (double) lengthNanos / PARTS);
        for (RunTimelineTrack track : tracks) {
            for (int span = 0; span < track.size(); span++) {
                int layer = layerOfKind[track.kind(span)];
                if (layer >= 0) {
                    spread(parts[layer], (track.start(span) - from) / nanosPerPart,
                            (track.end(span) - from) / nanosPerPart, tracks.size());
                }
            }
        }
        for (double[] layer : parts) {
            Arrays.parallelPrefix(layer, Double::sum);
        }
        return new TimelineOverview(layers, parts);
    }

    /// Adds what a span covers of each part behind that part, divided by the number of tracks.
    private static void spread(double[] parts, double from, double to, int tracks) {
        int last = (int) Math.min(PARTS - 1.0, Math.floor(to));
        for (int part = (int) Math.max(0, Math.floor(from)); part <= last; part++) {
            parts[part + 1] += Math.max(0, Math.min(to, part + 1.0) - Math.max(from, part)) / tracks;
        }
    }

    /// The share of the time of all tracks that spans of a layer take.
    ///
    /// @param from begin, as a share of the range
    /// @param to end, as a share of the range
    double share(int layer, double from, double to) {
        return (sum(layer, to) - sum(layer, from)) / (PARTS * (to - from));
    }

    private double sum(int layer, double until) {
        double at = Math.clamp(until, 0, 1) * PARTS;
        int whole = Math.min(PARTS - 1, (int) at);
        double[] sums = before[layer];
        return sums[whole] + (at - whole) * (sums[whole + 1] - sums[whole]);
    }
}
