package org.inferometer.report.timeline;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.inferometer.measurement.statistics.Distribution;
import org.inferometer.scheduling.LaneId;

/// Which requests of a timeline are shown: those that every rule lets through.
///
/// @param rules empty to show all
public record RequestFilter(List<FilterRule> rules) {
    /// Shows all requests.
    public static final RequestFilter NONE = new RequestFilter(List.of());
    private static final double SLOW_FROM = 95;

    public RequestFilter {
        rules = List.copyOf(rules);
    }

    /// What a rule looks at.
    public sealed interface RequestCriterion {
        /// How a request ended.
        ///
        /// @param status "ok", "failed"
        record EndedAs(String status) implements RequestCriterion {}

        /// A step of a lane worked on the request.
        record OnLane(LaneId lane) implements RequestCriterion {}

        /// The end-to-end latency is above the 95th percentile of the run's measured requests.
        record Slow() implements RequestCriterion {}
    }

    /// @param keeps true to show only what meets the criterion, false to hide it
    public record FilterRule(RequestCriterion criterion, boolean keeps) {}

    /// The same with one more rule; a rule for the same criterion is replaced.
    public RequestFilter with(FilterRule rule) {
        List<FilterRule> all = new ArrayList<>(rules);
        all.removeIf(other -> other.criterion().equals(rule.criterion()));
        all.add(rule);
        return new RequestFilter(all);
    }

    /// The items of the requests that are shown.
    BitSet shown(RunTimeline timeline) {
        BitSet shown = new BitSet(timeline.requestCount());
        shown.set(0, timeline.requestCount());
        for (FilterRule rule : rules) {
            BitSet met = meeting(timeline, rule.criterion());
            if (rule.keeps()) {
                shown.and(met);
            } else {
                shown.andNot(met);
            }
        }
        return shown;
    }

    private static BitSet meeting(RunTimeline timeline, RequestCriterion criterion) {
        BitSet met = new BitSet(timeline.requestCount());
        switch (criterion) {
            case RequestCriterion.EndedAs(String status) -> {
                for (int item = 0; item < timeline.requestCount(); item++) {
                    met.set(item, timeline.request(item).status().equals(status));
                }
            }
            case RequestCriterion.OnLane(LaneId lane) -> timeline.lanes().stream()
                    .filter(row -> row.index() == lane.index()).forEach(row -> onLane(timeline, row.track(), met));
            case RequestCriterion.Slow() -> slow(timeline, met);
        }
        return met;
    }

    private static void onLane(RunTimeline timeline, RunTimelineTrack track, BitSet met) {
        for (int span = 0; span < track.size(); span++) {
            var slices = timeline.step(track.item(span)).report().slices();
            for (int i = 0; i < slices.size(); i++) {
                timeline.requestItem(slices.request(i)).ifPresent(met::set);
            }
        }
    }

    private static void slow(RunTimeline timeline, BitSet met) {
        double[] measured = new double[timeline.requestCount()];
        int count = 0;
        for (int item = 0; item < timeline.requestCount(); item++) {
            RunTimelineRequest request = timeline.request(item);
            OptionalLong endToEnd = request.warmUp() ? OptionalLong.empty() : request.endToEndNanos();
            if (endToEnd.isPresent()) {
                measured[count++] = endToEnd.getAsLong();
            }
        }
        OptionalDouble limit = count == 0 ? OptionalDouble.empty()
                : OptionalDouble.of(Distribution.of(java.util.Arrays.copyOf(measured, count)).percentile(SLOW_FROM));
        for (int item = 0; limit.isPresent() && item < timeline.requestCount(); item++) {
            OptionalLong endToEnd = timeline.request(item).endToEndNanos();
            met.set(item, endToEnd.isPresent() && endToEnd.getAsLong() > limit.getAsDouble());
        }
    }

    /// The rows of requests with those alone that are shown, as many as the timeline has.
    public List<RunTimelineTrack> rows(RunTimeline timeline) {
        if (rules.isEmpty()) {
            return timeline.requestRows();
        }
        BitSet shown = shown(timeline);
        return timeline.requestRows().stream().map(row -> row.only(shown)).toList();
    }

    /// How many requests are hidden.
    public int hidden(RunTimeline timeline) {
        return rules.isEmpty() ? 0 : timeline.requestCount() - shown(timeline).cardinality();
    }
}
