package org.inferometer.report.timeline;

import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.inferometer.record.RunRecord;

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
        this(all, counted(all));
    }

    private static Map<RunTimelineEvent.Kind, Integer> counted(List<RunTimelineEvent> all) {
        int[] counts = new int[RunTimelineEvent.Kind.values().length];
        all.forEach(event -> counts[event.kind().ordinal()]++);
        Map<RunTimelineEvent.Kind, Integer> byKind = new EnumMap<>(RunTimelineEvent.Kind.class);
        for (RunTimelineEvent.Kind kind : RunTimelineEvent.Kind.values()) {
            if (counts[kind.ordinal()] > 0) {
                byKind.put(kind, counts[kind.ordinal()]);
            }
        }
        return byKind;
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
