package org.inferometer.ui.timeline;

import static org.inferometer.ui.fx.Messages.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.inferometer.report.timeline.RequestFilter;
import org.inferometer.report.timeline.RunTimeline;
import org.inferometer.report.timeline.RunTimelineCounter;
import org.inferometer.report.timeline.RunTimelineTrack;
import org.inferometer.ui.timeline.TimelineMarks.TimelineMark;
import org.inferometer.units.BinarySearch;
import org.jspecify.annotations.Nullable;

/// One run, or two above each other on the same time scale, laid out in rows. Immutable.
///
/// Times are nanoseconds since measuring began, so that two runs are aligned.
public final class TimelineSheet {
    /// Height of the title of a run, shown when there are two.
    static final double TITLE_HEIGHT = 26;
    private static final double PHASE_HEIGHT = 22;
    private static final double EVENT_HEIGHT = 22;
    private static final double LANE_HEIGHT = 38;
    private static final double COUNTER_HEIGHT = 38;
    private static final double REQUEST_HEIGHT = 16;
    private static final double GAP = 6;
    /// A thin span is hit within so many pixels.
    private static final double REACH = 3;

    private final List<RunTimeline> panels;
    private final List<String> titles;
    private final RequestFilter filter;
    private final List<List<RunTimelineTrack>> requestTracks;
    private final List<SheetRow> rows = new ArrayList<>();
    private final TimeWindow all;
    private final double height;
    private final List<TimelineOverview> overviews;

    /// What a row shows.
    public enum SheetRowKind {
        TITLE, PHASES, MARKERS, EVENTS, LANE, COUNTER, MEMORY, REQUESTS
    }

    /// @param index of the lane, counter or row of requests; 0 in other rows
    /// @param top from the first row's upper edge
    /// @param label shown at the left; empty for all but the first row of requests
    public record SheetRow(int panel, SheetRowKind kind, int index, double top, double height, String label) {}

    /// @param panels one run or two
    /// @param titles names of the runs
    public TimelineSheet(List<RunTimeline> panels, List<String> titles) {
        this(panels, titles, RequestFilter.NONE, List.of());
    }

    /// @param known overviews of the same runs; empty to add them up
    private TimelineSheet(List<RunTimeline> panels, List<String> titles, RequestFilter filter,
            List<TimelineOverview> known) {
        this.panels = List.copyOf(panels);
        this.filter = filter;
        this.requestTracks = panels.stream().map(filter::rows).toList();
        this.titles = List.copyOf(titles);
        double y = 0;
        long from = Long.MAX_VALUE;
        long to = Long.MIN_VALUE;
        for (int panel = 0; panel < panels.size(); panel++) {
            RunTimeline timeline = panels.get(panel);
            from = Math.min(from, timeline.startNanos() - timeline.originNanos());
            to = Math.max(to, timeline.endNanos() - timeline.originNanos());
            if (panels.size() > 1) {
                y = put(panel, SheetRowKind.TITLE, 0, y, TITLE_HEIGHT, titles.get(panel));
            }
            y = machineRows(panel, timeline, y);
        }
        // Rows of requests come last: they can fill pages.
        for (int panel = 0; panel < panels.size(); panel++) {
            boolean named = panels.size() > 1 && !panels.get(panel).requestRows().isEmpty();
            y = requestRows(panel, panels.get(panel),
                    named ? put(panel, SheetRowKind.TITLE, 1, y, TITLE_HEIGHT, titles.get(panel)) : y);
        }
        height = y;
        // Margin for the first and the last span.
        long margin = Math.max(1, (to - from) / 100);
        all = new TimeWindow(from - margin, to + margin);
        overviews = known.isEmpty() ? IntStream.range(0, panels.size())
                .mapToObj(panel -> TimelineOverview.of(panels.get(panel), runNanos(panel, all.from()), all.length()))
                .toList() : known;
    }

    private double machineRows(int panel, RunTimeline timeline, double start) {
        double y = timeline.phases().size() == 0 ? start
                : put(panel, SheetRowKind.PHASES, 0, start, PHASE_HEIGHT, text("timeline.phases"));
        if (!timeline.run().manifest().markers().isEmpty()) {
            y = put(panel, SheetRowKind.MARKERS, 0, y, PHASE_HEIGHT, text("timeline.markers"));
        }
        y = put(panel, SheetRowKind.EVENTS, 0, y, EVENT_HEIGHT, text("timeline.events"));
        // Without steps a lane would look idle.
        for (int i = 0; i < timeline.lanes().size() && keepsSteps(timeline); i++) {
            y = put(panel, SheetRowKind.LANE, i, y, LANE_HEIGHT, timeline.lanes().get(i).label());
        }
        y = counterRows(panel, timeline, RunTimelineCounter.Group.SCHEDULING, y);
        if (!timeline.memory().isEmpty()) {
            double legend = MemoryPainter.height(timeline.memory());
            y = put(panel, SheetRowKind.MEMORY, 0, y + GAP, legend, text("timeline.memory"));
        }
        y = counterRows(panel, timeline, RunTimelineCounter.Group.DEVICE, y);
        return counterRows(panel, timeline, RunTimelineCounter.Group.HOST, y) + GAP;
    }

    private double counterRows(int panel, RunTimeline timeline, RunTimelineCounter.Group group, double start) {
        double y = start + GAP;
        for (int i = 0; i < timeline.counters().size(); i++) {
            RunTimelineCounter counter = timeline.counters().get(i);
            // A counter without values gets no row.
            if (counter.kind().group() == group && counter.size() > 0) {
                y = put(panel, SheetRowKind.COUNTER, i, y, COUNTER_HEIGHT, counter.name());
            }
        }
        return y;
    }

    private double requestRows(int panel, RunTimeline timeline, double start) {
        double y = start;
        boolean first = true;
        for (int i = 0; i < timeline.requestRows().size(); i++) {
            // A filter empties rows.
            if (requestTracks.get(panel).get(i).size() > 0) {
                y = put(panel, SheetRowKind.REQUESTS, i, y, REQUEST_HEIGHT, first ? text("timeline.requests") : "");
                first = false;
            }
        }
        return y + GAP;
    }

    private double put(int panel, SheetRowKind kind, int index, double top, double rowHeight, String label) {
        rows.add(new SheetRow(panel, kind, index, top, rowHeight, label));
        return top + rowHeight;
    }

    /// Whether the record of the run has steps.
    static boolean keepsSteps(RunTimeline timeline) {
        return timeline.lanes().stream().anyMatch(lane -> lane.track().size() > 0);
    }

    /// Whether no run has anything to draw.
    boolean isBlank() {
        return panels.stream()
                .allMatch(timeline -> timeline.phases().size() == 0 && !keepsSteps(timeline)
                        && timeline.requestRows().isEmpty()
                        && timeline.counters().stream().allMatch(counter -> counter.size() == 0));
    }

    /// The same runs with other requests shown.
    public TimelineSheet filtered(RequestFilter wanted) {
        return new TimelineSheet(panels, titles, wanted, overviews);
    }

    /// Which requests are shown.
    public RequestFilter filter() {
        return filter;
    }

    /// A row of requests, with the shown ones.
    RunTimelineTrack requestTrack(SheetRow row) {
        return requestTracks.get(row.panel()).get(row.index());
    }

    /// How many requests the filter hides, in all runs.
    public int hiddenRequests() {
        return panels.stream().mapToInt(filter::hidden).sum();
    }

    /// How many requests the runs have.
    public int allRequests() {
        return panels.stream().mapToInt(RunTimeline::requestCount).sum();
    }

    /// The runs, from top to bottom.
    public List<RunTimeline> panels() {
        return panels;
    }

    /// How busy the runs were, from top to bottom; without regard to the filter.
    List<TimelineOverview> overviews() {
        return overviews;
    }

    /// Names of the runs, from top to bottom.
    public List<String> titles() {
        return titles;
    }

    /// The rows, from top to bottom.
    public List<SheetRow> rows() {
        return rows;
    }

    /// The whole time range.
    public TimeWindow all() {
        return all;
    }

    /// Height of all rows.
    public double height() {
        return height;
    }

    /// Index of the first row that ends below a height.
    public int firstRowBelow(double y) {
        return BinarySearch.first(rows.size(), row -> rows.get(row).top() + rows.get(row).height() > y);
    }

    /// What is at a point of the rows: a step, a request, or the values of an instant.
    ///
    /// @param y from the first row's upper edge
    /// @param nanos time of the point
    /// @param nanosPerPixel a thin span is hit within a few pixels
    Optional<TimelineMark> markAt(double y, long nanos, double nanosPerPixel) {
        int index = firstRowBelow(y);
        if (index >= rows.size() || rows.get(index).top() > y) {
            return Optional.empty();
        }
        SheetRow row = rows.get(index);
        long runNanos = runNanos(row.panel(), nanos);
        return switch (row.kind()) {
            case LANE -> hit(panels.get(row.panel()).lanes().get(row.index()).track(), runNanos, nanosPerPixel)
                    .map(span -> new TimelineMark.OfStep(row.panel(), row.index(), span));
            case REQUESTS -> {
                RunTimelineTrack track = requestTrack(row);
                yield hit(track, runNanos, nanosPerPixel)
                        .map(span -> new TimelineMark.OfRequest(row.panel(), track.item(span)));
            }
            case COUNTER, MEMORY ->
                Optional.of(new TimelineMark.OfValue(row.panel(), row.kind(), row.index(), runNanos));
            case TITLE, PHASES, MARKERS, EVENTS -> Optional.empty();
        };
    }

    private static Optional<Integer> hit(RunTimelineTrack track, long nanos, double nanosPerPixel) {
        int span = track.nearest(nanos);
        if (span < 0) {
            return Optional.empty();
        }
        long reach = Math.round(REACH * nanosPerPixel);
        boolean near = nanos >= track.start(span) - reach && nanos <= track.end(span) + reach;
        return near ? Optional.of(span) : Optional.empty();
    }

    /// The row of a mark.
    public Optional<SheetRow> rowOf(TimelineMark mark) {
        SheetRowKind kind = switch (mark) {
            case TimelineMark.OfStep ignored -> SheetRowKind.LANE;
            case TimelineMark.OfRequest ignored -> SheetRowKind.REQUESTS;
            case TimelineMark.OfValue value -> value.row();
        };
        int index = switch (mark) {
            case TimelineMark.OfStep step -> step.lane();
            case TimelineMark.OfRequest request -> panels.get(request.panel()).request(request.item()).row();
            case TimelineMark.OfValue value -> value.index();
        };
        return rows.stream().filter(row -> row.panel() == mark.panel() && row.kind() == kind && row.index() == index)
                .findFirst();
    }

    /// The next (1) or previous (-1) step on the lane; the first in the window when no step is marked.
    Optional<TimelineMark.OfStep> stepAlong(@Nullable TimelineMark marked, TimeWindow window, int direction) {
        if (!(marked instanceof TimelineMark.OfStep now)) {
            return firstStep(window);
        }
        int span = now.span() + direction;
        return span >= 0 && span < track(now).size()
                ? Optional.of(new TimelineMark.OfStep(now.panel(), now.lane(), span)) : Optional.empty();
    }

    /// The step at the same time on the next (1) or previous (-1) lane that has one, over all panels.
    Optional<TimelineMark.OfStep> stepAcross(@Nullable TimelineMark marked, TimeWindow window, int direction) {
        return (marked instanceof TimelineMark.OfStep step ? Optional.of(step) : firstStep(window))
                .flatMap(now -> beside(now, direction));
    }

    private Optional<TimelineMark.OfStep> beside(TimelineMark.OfStep now, int direction) {
        RunTimelineTrack track = track(now);
        long instant = sheetNanos(now.panel(), (track.start(now.span()) + track.end(now.span())) / 2);
        int panel = now.panel();
        int lane = now.lane() + direction;
        while (panel >= 0 && panel < panels.size()) {
            List<RunTimeline.LaneRow> lanes = panels.get(panel).lanes();
            for (; lane >= 0 && lane < lanes.size(); lane += direction) {
                int span = lanes.get(lane).track().nearest(runNanos(panel, instant));
                if (span >= 0) {
                    return Optional.of(new TimelineMark.OfStep(panel, lane, span));
                }
            }
            panel += direction;
            boolean further = panel >= 0 && panel < panels.size();
            lane = direction > 0 || !further ? 0 : panels.get(panel).lanes().size() - 1;
        }
        return Optional.empty();
    }

    /// The first step of the window on the first lane that has one.
    private Optional<TimelineMark.OfStep> firstStep(TimeWindow window) {
        List<RunTimeline.LaneRow> lanes = panels.getFirst().lanes();
        for (int lane = 0; lane < lanes.size(); lane++) {
            int span = lanes.get(lane).track().firstEndingAfter(runNanos(0, window.from()));
            if (span < lanes.get(lane).track().size()) {
                return Optional.of(new TimelineMark.OfStep(0, lane, span));
            }
        }
        return Optional.empty();
    }

    /// Time range of a step on the sheet; at least one nanosecond.
    TimeWindow extent(TimelineMark.OfStep step) {
        RunTimelineTrack track = track(step);
        long from = sheetNanos(step.panel(), track.start(step.span()));
        return new TimeWindow(from, Math.max(from + 1, sheetNanos(step.panel(), track.end(step.span()))));
    }

    /// The lane of a step.
    RunTimelineTrack track(TimelineMark.OfStep step) {
        return panels.get(step.panel()).lanes().get(step.lane()).track();
    }

    /// Converts a time of the sheet to the clock of a run.
    public long runNanos(int panel, long nanos) {
        return nanos + panels.get(panel).originNanos();
    }

    /// Converts a time of a run to the sheet.
    public long sheetNanos(int panel, long runNanos) {
        return runNanos - panels.get(panel).originNanos();
    }
}
