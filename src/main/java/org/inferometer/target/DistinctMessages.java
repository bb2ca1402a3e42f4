package org.inferometer.target;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.inferometer.units.Clock;

/// Reports each message once. Thread-safe.
public final class DistinctMessages {
    private static final int MOST = 1000;

    private final Clock clock;
    private final TargetListener events;
    private final Set<String> reported = ConcurrentHashMap.newKeySet();

    /// @param events receives the messages
    public DistinctMessages(Clock clock, TargetListener events) {
        this.clock = clock;
        this.events = events;
    }

    /// Reports a message unless it was reported before.
    public void report(String message) {
        if (reported.size() < MOST && reported.add(message)) {
            events.message(clock.nanos(), message);
        }
    }
}
