package org.inferometer.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.measurement.RunWindow;
import org.inferometer.record.RunEvent;
import org.inferometer.record.RunRecord;
import org.inferometer.record.StepReport;
import org.inferometer.record.StepSlices;
import org.inferometer.report.timeline.RunTimelineEvent;

/// The steps and events of a run in order. Times are milliseconds since measuring began; warm-up is negative.
///
/// @param lines steps up to the limit, and events
/// @param leftOut steps of the span above the limit
public record StepListing(List<Line> lines, long leftOut) {
    private static final int MOST_REQUESTS_NAMED = 12;

    /// The requested steps.
    ///
    /// @param fromMillis steps that start before are left out; negative infinity for none
    /// @param toMillis steps that start later are left out; positive infinity for none
    /// @param limit maximum number of steps
    public record Span(double fromMillis, double toMillis, int limit) {}

    /// A step or an event.
    public sealed interface Line {
        /// Its start or instant.
        double atMillis();
    }

    /// @param timeMillis its duration
    /// @param prefillPositions useful positions of prompts
    /// @param decodeRows rows that yield a token each
    /// @param paddingPositions padded positions
    /// @param rows requests in it
    /// @param kvBlocks blocks held in the pool of its lane
    /// @param waiting requests that waited when it began
    /// @param movedBytes bytes that a transfer copied
    /// @param reason the scheduler's reason
    /// @param slices `request:from+count` of each request, with spaces between
    public record Step(long number, int lane, double atMillis, double timeMillis, int prefillPositions, int decodeRows,
            int paddingPositions, int rows, int kvBlocks, int waiting, long movedBytes, String reason,
            String slices) implements Line {
        /// The requests in it: "3 5 8", or the first 12 and the number of others.
        public String requests() {
            StepSlices all = StepSlices.parse(slices);
            Set<Integer> requests = new TreeSet<>();
            for (int i = 0; i < all.size(); i++) {
                requests.add(all.request(i));
            }
            String named =
                    requests.stream().limit(MOST_REQUESTS_NAMED).map(String::valueOf).collect(Collectors.joining(" "));
            return requests.size() > MOST_REQUESTS_NAMED
                    ? named + " +" + (requests.size() - MOST_REQUESTS_NAMED) + " more" : named;
        }
    }

    /// @param kind "admitted", "preempted", "KV transfer" and the like
    /// @param subject number of the request; empty for an event of the run
    public record Event(double atMillis, String kind, String subject, String detail) implements Line {}

    /// The steps and events of a run inside a span.
    public static StepListing of(RunRecord run, Span span) {
        long origin = RunWindow.of(run.observations().requests()).map(RunWindow::startNanos).orElse(0L);
        List<StepReport> inside =
                run.observations().steps().stream().filter(step -> within(millis(step.startNanos(), origin), span))
                        .sorted(Comparator.comparingLong(StepReport::startNanos)).toList();
        List<StepReport> shown = inside.subList(0, Math.min(span.limit(), inside.size()));
        List<Line> lines = new ArrayList<>();
        shown.forEach(step -> lines.add(line(step, origin)));
        // Events after the last listed step would have no steps around them.
        double end = shown.size() < inside.size()
                ? millis(shown.isEmpty() ? origin : shown.getLast().endNanos(), origin) : Double.POSITIVE_INFINITY;
        Stream.concat(run.events().stream().filter(event -> !(event instanceof RunEvent.PhaseStarted))
                .map(RunTimelineEvent::of), run.manifest().markers().stream().map(RunTimelineEvent::of))
                .map(event -> line(event, origin))
                .filter(event -> within(event.atMillis(), span) && event.atMillis() <= end).forEach(lines::add);
        lines.sort(Comparator.comparingDouble(Line::atMillis));
        return new StepListing(List.copyOf(lines), inside.size() - shown.size());
    }

    private static Step line(StepReport step, long origin) {
        return new Step(step.number(), step.lane().index(), millis(step.startNanos(), origin),
                (step.endNanos() - step.startNanos()) / 1e6, step.prefillPositions(), step.decodeRows(),
                step.paddingRows(), step.slices().size(), step.kvBlocksHeld(), step.waiting(), step.movedBytes(),
                step.reason(), step.slices().text());
    }

    private static Event line(RunTimelineEvent event, long origin) {
        String subject = event.request() == RunTimelineEvent.NO_REQUEST ? "" : Integer.toString(event.request());
        return new Event(millis(event.nanos(), origin), event.kind().label(), subject, event.text());
    }

    private static boolean within(double millis, Span span) {
        return millis >= span.fromMillis() && millis <= span.toMillis();
    }

    private static double millis(long nanos, long origin) {
        return (nanos - origin) / 1e6;
    }
}
