package org.inferometer.target;

import org.inferometer.units.Clock;

/// The collaborators of a target outside this process.
///
/// @param requests receives the events of requests, from one thread at a time
/// @param events receives gauges and messages
/// @param sampleEveryMillis interval of gauge readings
/// @param keepText whether the parts of answers are reported as text
public record TargetSetup(Clock clock, RequestListener requests, TargetListener events, long sampleEveryMillis,
        boolean keepText) {
    /// Without texts.
    public TargetSetup(Clock clock, RequestListener requests, TargetListener events, long sampleEveryMillis) {
        this(clock, requests, events, sampleEveryMillis, false);
    }
}
