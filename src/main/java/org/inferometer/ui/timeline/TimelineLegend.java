package org.inferometer.ui.timeline;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import javafx.geometry.Pos;
import javafx.scene.canvas.Canvas;
import javafx.scene.canvas.GraphicsContext;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Pane;
import org.inferometer.report.timeline.RunTimeline;
import org.inferometer.report.timeline.RunTimelineEvent;
import org.inferometer.report.timeline.RunTimelineRequest.State;
import org.inferometer.report.timeline.RunTimelineStep;
import org.inferometer.report.timeline.RunTimelineTrack;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.timeline.TimelineColors.TimelineColor;

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

    /// One entry of the legend: shape and name.
    static final class TimelineSwatch extends HBox {
        /// Width of the shape.
        static final double WIDTH = 22;
        private static final double HEIGHT = 14;
        private final TimelineColor ink;
        private final Canvas canvas = new Canvas(WIDTH, HEIGHT);
        private final TimelineColors inks = new TimelineColors(this::draw);

        TimelineSwatch(TimelineColor ink) {
            this.ink = ink;
            Pane picture = new Pane(inks, canvas);
            picture.setMinSize(WIDTH, HEIGHT);
            picture.setMaxSize(WIDTH, HEIGHT);
            setSpacing(6);
            setAlignment(Pos.CENTER_LEFT);
            getChildren().addAll(picture, Labels.of(name(ink), Styles.TEXT_MUTED, Styles.TEXT_SMALL));
        }

        /// What a colour shows.
        static String name(TimelineColor ink) {
            return text("timeline.ink." + ink.name().toLowerCase(Locale.ROOT));
        }

        private void draw() {
            GraphicsContext graphics = canvas.getGraphicsContext2D();
            graphics.clearRect(0, 0, WIDTH, HEIGHT);
            paint(new CanvasSurface(graphics, inks), ink, 0, 0);
        }

        /// Draws the shape.
        ///
        /// @param x left end
        /// @param y upper end
        static void paint(TimelineSurface graphics, TimelineColor ink, double x, double y) {
            graphics.setFill(ink);
            switch (ink) {
                case DECODE -> graphics.fillRect(x, y + HEIGHT * 0.45, WIDTH, HEIGHT * 0.55);
                case TRANSFER -> graphics.fillRect(x, y + 4, WIDTH, 6);
                case QUEUED -> graphics.fillRect(x, y + 6, WIDTH, 3);
                case UNSPLIT -> {
                    graphics.fillRect(x, y + 2, WIDTH, 1);
                    graphics.fillRect(x, y + HEIGHT - 3, WIDTH, 1);
                }
                case PADDING, PREEMPTED -> {
                    graphics.setHatch(ink);
                    graphics.fillRect(x, y, WIDTH, HEIGHT);
                    graphics.strokeRect(x + 0.5, y + 0.5, WIDTH - 1, HEIGHT - 1, 1, ink);
                }
                default -> graphics.fillRect(x, y, WIDTH, HEIGHT);
            }
        }
    }
}
