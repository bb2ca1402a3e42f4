package org.inferometer.results;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.inferometer.record.EngineEvent;
import org.inferometer.record.RunEvent;
import org.inferometer.workload.RequestId;

/// Finds among the events of a run those that figures are made from. One whose details do not fit tells nothing and is passed over.
final class EngineEvents {
    private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");
    private static final Pattern CACHED = Pattern.compile("cached=(\\d{1,9})(?!\\d)");

    private static final Pattern BYTES = Pattern.compile("\\d{1,20}(\\.\\d{1,20})?(E\\d{1,2})?");
    private static final double MOST_BYTES = 1L << 60;

    private EngineEvents() {}

    static List<EngineEvent> of(List<RunEvent> events) {
        List<EngineEvent> found = new ArrayList<>();
        for (RunEvent event : events) {
            engineEvent(event).ifPresent(found::add);
        }
        return List.copyOf(found);
    }

    private static Optional<EngineEvent> engineEvent(RunEvent event) {
        return switch (event.kind()) {
            case RunEvent.ADMITTED -> admitted(event, false);
            case RunEvent.READMITTED -> admitted(event, true);
            case RunEvent.PREEMPTED -> preempted(event);
            case RunEvent.GAUGE -> memoryPeak(event);
            default -> Optional.empty();
        };
    }

    private static Optional<EngineEvent> admitted(RunEvent event, boolean again) {
        OptionalInt request = number(NUMBER.matcher(event.subject()));
        Matcher cached = CACHED.matcher(event.detail());
        return request.isPresent() && cached.find()
                ? Optional.of(new EngineEvent.Admitted(new RequestId(request.getAsInt()), event.nanos(), again,
                        Integer.parseInt(cached.group(1))))
                : Optional.empty();
    }

    private static Optional<EngineEvent> preempted(RunEvent event) {
        OptionalInt request = number(NUMBER.matcher(event.subject()));
        OptionalInt lost = number(NUMBER.matcher(event.detail()));
        return request.isPresent() && lost.isPresent()
                ? Optional.of(
                        new EngineEvent.Preempted(new RequestId(request.getAsInt()), event.nanos(), lost.getAsInt()))
                : Optional.empty();
    }

    /// The peaks that tools with a profile write, by their own names.
    private static Optional<EngineEvent> memoryPeak(RunEvent event) {
        boolean ofHost = event.subject().equals("peak_cpu_memory_bytes");
        if (!ofHost && !event.subject().equals("peak_gpu_memory_bytes")
                && !event.subject().equals("peak_unified_memory_bytes")) {
            return Optional.empty();
        }
        return BYTES.matcher(event.detail()).matches()
                ? Optional.of(Double.parseDouble(event.detail())).filter(bytes -> bytes > 0 && bytes < MOST_BYTES)
                        .map(bytes -> new EngineEvent.MemoryPeak(event.nanos(), ofHost, bytes))
                : Optional.empty();
    }

    private static OptionalInt number(Matcher written) {
        return written.matches() ? OptionalInt.of(Integer.parseInt(written.group())) : OptionalInt.empty();
    }
}
