package org.inferometer.workload;

import java.util.Optional;
import org.inferometer.units.QuantityText;

/// How many requests of a trace are replayed at their instants, and in which time.
///
/// @param requests at least one; of sessions their first turns
/// @param sessions whether some have later turns
/// @param nanos from the first to the last, at the speed of the replay
public record RecordedSpan(int requests, boolean sessions, long nanos) {
    private static final double USUAL_PER_SECOND = 1_000;

    /// "3 requests over 2.00 ms, 1500 req/s".
    public String text() {
        String counted = requests + (sessions ? " session" : " request") + (requests == 1 ? "" : "s");
        return nanos == 0 ? counted + (requests == 1 ? "" : " at once")
                : counted + " over " + QuantityText.latency(nanos) + ", " + QuantityText.significant(perSecond())
                        + (sessions ? " sessions/s" : " req/s");
    }

    /// Advice at a rate that a wrong unit explains better than traffic does; empty at usual rates.
    public Optional<String> warning() {
        return nanos == 0 || perSecond() <= USUAL_PER_SECOND ? Optional.empty() : Optional
                .of(text() + ": the unit of its timestamps may be wrong. Check unit=s or unit=ms, and speed.");
    }

    private double perSecond() {
        return requests * 1e9 / nanos;
    }
}
