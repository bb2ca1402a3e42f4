package org.inferometer.results;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.inferometer.benchmark.RunEvent;
import org.inferometer.measurement.EngineEvent;
import org.inferometer.workload.RequestId;

/// Finds among the events of a run those that figures are made from. One whose details do not fit tells nothing and is passed over.
final class EngineEvents {
    private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");
    private static final Pattern CACHED = Pattern.compile("cached=(\\d{1,9})(?!\\d)");

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
            default -> Optional.empty();
        };
    }

    private static Optional<EngineEvent> admitted(RunEvent event, boolean again) {
        OptionalInt request = number(NUMBER.matcher(event.subject()));
        Matcher cached = CACHED.matcher(event.detail());
        return request.isPresent() && cached.find()
                ? Optional.of(new EngineEvent.Admitted(new RequestId(request.getAsInt()), event.nanos(), again, Integer.parseInt(cached.group(1))))
                : Optional.empty();
    }

    private static Optional<EngineEvent> preempted(RunEvent event) {
        OptionalInt request = number(NUMBER.matcher(event.subject()));
        OptionalInt lost = number(NUMBER.matcher(event.detail()));
        return request.isPresent() && lost.isPresent()
                ? Optional.of(new EngineEvent.Preempted(new RequestId(request.getAsInt()), event.nanos(), lost.getAsInt()))
                : Optional.empty();
    }

    private static OptionalInt number(Matcher written) {
        return written.matches() ? OptionalInt.of(Integer.parseInt(written.group())) : OptionalInt.empty();
    }
}
