package org.inferometer.report.timeline;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.record.RunRecord;
import org.inferometer.units.BinarySearch;

/// The events of a run in order of time, found by binary search. Immutable.
///
/// @param all ascending in time
public record RunTimelineEvents(List<RunTimelineEvent> all, Map<RunTimelineEvent.Kind, Integer> counts) {
    public RunTimelineEvents {
        all = List.copyOf(all);
        counts = Map.copyOf(counts);
    }

    /// Counts them.
    RunTimelineEvents(List<RunTimelineEvent> all) {
        this(all,
                all.stream().collect(Collectors.groupingBy(RunTimelineEvent::kind, Collectors.summingInt(event -> 1))));
    }

    /// The events and markers of a record, sorted.
    static RunTimelineEvents of(RunRecord run) {
        return new RunTimelineEvents(Stream
                .concat(run.events().stream().map(RunTimelineEvent::of),
                        run.manifest().markers().stream().map(RunTimelineEvent::of))
                .sorted(Comparator.comparingLong(RunTimelineEvent::nanos)).toList());
    }

    /// The events from an instant on and before another.
    public List<RunTimelineEvent> between(long from, long to) {
        return all.subList(firstAt(from), Math.max(firstAt(from), firstAt(to)));
    }

    /// Index of the first event at an instant or later; their number if there is none.
    public int firstAt(long nanos) {
        return BinarySearch.first(all.size(), event -> all.get(event).nanos() >= nanos);
    }

    /// The events of one kind.
    public RunTimelineEvents only(RunTimelineEvent.Kind kind) {
        return new RunTimelineEvents(all.stream().filter(event -> event.kind() == kind).toList());
    }

}
