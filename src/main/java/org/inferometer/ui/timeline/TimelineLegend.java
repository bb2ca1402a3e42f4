package org.inferometer.ui.timeline;

import static org.inferometer.ui.fx.Messages.text;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.inferometer.report.timeline.RunTimeline;
import org.inferometer.report.timeline.RunTimelineEvent;
import org.inferometer.report.timeline.RunTimelineRequest.State;
import org.inferometer.report.timeline.RunTimelineStep;
import org.inferometer.report.timeline.RunTimelineTrack;

/// What the runs of a sheet have, for its legend.
///
/// @param inks kinds of spans
/// @param numbers what a number on a step counts; empty without steps
/// @param events the marks of the kinds of events: "▼ preempted  | admitted"; may be empty
record TimelineLegend(List<TimelineColor> inks, String numbers, String events) {
    private static final List<TimelineColor> ORDER =
            List.of(TimelineColor.PREFILL, TimelineColor.DECODE, TimelineColor.TRANSFER, TimelineColor.PADDING,
                    TimelineColor.QUEUED, TimelineColor.UNSPLIT, TimelineColor.PREEMPTED);
    private static final List<RunTimelineEvent.Kind> MARKED =
            List.of(RunTimelineEvent.Kind.PREEMPTED, RunTimelineEvent.Kind.READMITTED, RunTimelineEvent.Kind.MOVED,
                    RunTimelineEvent.Kind.CACHE_HIT, RunTimelineEvent.Kind.ADMITTED);

    static TimelineLegend of(TimelineSheet sheet) {
        Set<TimelineColor> inks = EnumSet.noneOf(TimelineColor.class);
        for (RunTimeline run : sheet.panels()) {
            run.lanes().forEach(lane -> addSteps(lane.track(), inks));
            run.requestRows().forEach(row -> addRequests(row, inks));
        }
        String events = MARKED.stream()
                .filter(kind -> sheet.panels().stream().anyMatch(run -> run.events().counts().containsKey(kind)))
                .map(kind -> text("timeline.mark." + kind.name().toLowerCase(Locale.ROOT)))
                .collect(Collectors.joining("   "));
        return new TimelineLegend(ORDER.stream().filter(inks::contains).toList(), numbers(sheet), events);
    }

    private static String numbers(TimelineSheet sheet) {
        List<RunTimelineTrack> lanes =
                sheet.panels().stream().flatMap(run -> run.lanes().stream()).map(RunTimeline.LaneRow::track).toList();
        if (lanes.stream().anyMatch(lane -> lane.has(RunTimelineStep.Kind.MIXED.ordinal()))) {
            return text("timeline.numbers-mixed");
        }
        return lanes.stream().anyMatch(lane -> lane.size() > 0) ? text("timeline.numbers") : "";
    }

    private static void addSteps(RunTimelineTrack steps, Set<TimelineColor> inks) {
        for (RunTimelineStep.Kind kind : RunTimelineStep.Kind.values()) {
            if (steps.has(kind.ordinal())) {
                inks.addAll(switch (kind) {
                    case PREFILL -> List.of(TimelineColor.PREFILL);
                    case DECODE -> List.of(TimelineColor.DECODE);
                    case MIXED -> List.of(TimelineColor.PREFILL, TimelineColor.DECODE);
                    case TRANSFER -> List.of(TimelineColor.TRANSFER);
                });
            }
        }
        if (steps.isPadded()) {
            inks.add(TimelineColor.PADDING);
        }
    }

    private static void addRequests(RunTimelineTrack requests, Set<TimelineColor> inks) {
        for (State state : State.values()) {
            if (requests.has(state.ordinal())) {
                inks.add(switch (state) {
                    case QUEUED -> TimelineColor.QUEUED;
                    case PREFILL -> TimelineColor.PREFILL;
                    case DECODE -> TimelineColor.DECODE;
                    case PREEMPTED -> TimelineColor.PREEMPTED;
                    case MOVING -> TimelineColor.TRANSFER;
                    case UNSPLIT -> TimelineColor.UNSPLIT;
                });
            }
        }
    }
}
