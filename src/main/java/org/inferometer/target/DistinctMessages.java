package org.inferometer.target;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.inferometer.units.Clock;

/// Tells people each thing once. Safe to call from any thread.
public final class DistinctMessages {
    private static final int MOST = 1000;

    private final Clock clock;
    private final TargetListener events;
    private final Set<String> told = ConcurrentHashMap.newKeySet();

    /// Stamps with the clock and tells the listener.
    public DistinctMessages(Clock clock, TargetListener events) {
        this.clock = clock;
        this.events = events;
    }

    /// Tells a sentence unless it was told before.
    public void once(String sentence) {
        if (told.size() < MOST && told.add(sentence)) {
            events.said(clock.nanos(), sentence);
        }
    }
}
