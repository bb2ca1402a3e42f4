package org.inferometer.report.timeline;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.inferometer.record.RunEvent;
import org.inferometer.units.QuantityText;

/// The events of a run in order of time, found by binary search. Immutable.
///
/// @param all ascending in time
public record RunTimelineEvents(List<RunTimelineEvent> all) {
    private static final Pattern REQUEST = Pattern.compile("\\d{1,9}");
    private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");
    private static final Pattern FIELD = Pattern.compile("(\\w{1,20})=(\\d{1,18})(?= |$)");

    public RunTimelineEvents {
        all = List.copyOf(all);
    }

    /// Reads the events of a record; what cannot be understood is kept as it stands.
    static RunTimelineEvents of(List<RunEvent> events) {
        return new RunTimelineEvents(events.stream().map(RunTimelineEvents::read)
                .sorted(Comparator.comparingLong(RunTimelineEvent::nanos)).toList());
    }

    /// Those from an instant on and before another.
    public List<RunTimelineEvent> between(long from, long to) {
        return all.subList(firstAt(from), Math.max(firstAt(from), firstAt(to)));
    }

    /// Index of the first at an instant or later; their number when there is none.
    public int firstAt(long nanos) {
        int low = 0;
        int high = all.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (all.get(middle).nanos() >= nanos) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /// Those of one kind, in order of time.
    public RunTimelineEvents only(RunTimelineEvent.Kind kind) {
        return new RunTimelineEvents(all.stream().filter(event -> event.kind() == kind).toList());
    }

    /// How often each kind happened.
    public Map<RunTimelineEvent.Kind, Long> counts() {
        return all.stream().collect(Collectors.groupingBy(RunTimelineEvent::kind, Collectors.counting()));
    }

    /// How long a move took; absent where its event does not say.
    static OptionalLong movedNanos(RunEvent event) {
        return event.kind().equals("moved") ? field(event.detail(), "nanos") : OptionalLong.empty();
    }

    private static RunTimelineEvent read(RunEvent event) {
        int request = REQUEST.matcher(event.subject()).matches() ? Integer.parseInt(event.subject())
                : RunTimelineEvent.NO_REQUEST;
        long cached = field(event.detail(), "cached").orElse(0);
        return switch (event.kind()) {
            case "admitted" -> new RunTimelineEvent(event.nanos(),
                    cached > 0 ? RunTimelineEvent.Kind.CACHE_HIT : RunTimelineEvent.Kind.ADMITTED, request,
                    admittedWords(event, cached));
            case "readmitted" -> new RunTimelineEvent(event.nanos(), RunTimelineEvent.Kind.READMITTED, request,
                    admittedWords(event, cached));
            case "preempted" ->
                new RunTimelineEvent(event.nanos(), RunTimelineEvent.Kind.PREEMPTED, request, lostWords(event));
            case "moved" ->
                new RunTimelineEvent(event.nanos(), RunTimelineEvent.Kind.MOVED, request, movedWords(event));
            case "phase" -> new RunTimelineEvent(event.nanos(), RunTimelineEvent.Kind.PHASE,
                    RunTimelineEvent.NO_REQUEST, (event.subject() + " " + event.detail()).strip());
            case "marker" -> new RunTimelineEvent(event.nanos(), RunTimelineEvent.Kind.MARKER,
                    RunTimelineEvent.NO_REQUEST, (event.subject() + " " + event.detail()).strip());
            case "engine_failed" -> new RunTimelineEvent(event.nanos(), RunTimelineEvent.Kind.FAILED,
                    RunTimelineEvent.NO_REQUEST, event.detail());
            default -> new RunTimelineEvent(event.nanos(), RunTimelineEvent.Kind.OTHER, request,
                    String.join(" ", event.kind(), event.subject(), event.detail()).strip());
        };
    }

    private static String admittedWords(RunEvent event, long cached) {
        String lane =
                field(event.detail(), "lane").isPresent() ? "on lane " + field(event.detail(), "lane").getAsLong() : "";
        String found = cached > 0 ? cached + " positions found in the cache" : "";
        return String.join(", ", List.of(found, lane).stream().filter(word -> !word.isEmpty()).toList());
    }

    private static String lostWords(RunEvent event) {
        Matcher lost = NUMBER.matcher(event.detail());
        return lost.find() ? lost.group() + " positions lost" : event.detail();
    }

    private static String movedWords(RunEvent event) {
        String detail = event.detail();
        OptionalLong from = field(detail, "from");
        OptionalLong to = field(detail, "to");
        OptionalLong positions = field(detail, "positions");
        OptionalLong bytes = field(detail, "bytes");
        OptionalLong nanos = field(detail, "nanos");
        if (from.isEmpty() || to.isEmpty() || positions.isEmpty() || bytes.isEmpty() || nanos.isEmpty()) {
            return detail;
        }
        return "from pool " + from.getAsLong() + " to pool " + to.getAsLong() + ": " + positions.getAsLong()
                + " positions, " + QuantityText.bytes(bytes.getAsLong()) + " in "
                + QuantityText.latency(nanos.getAsLong());
    }

    private static OptionalLong field(String detail, String name) {
        Matcher field = FIELD.matcher(detail);
        while (field.find()) {
            if (field.group(1).equals(name)) {
                return OptionalLong.of(Long.parseLong(field.group(2)));
            }
        }
        return OptionalLong.empty();
    }
}
