package org.inferometer.target;

import org.inferometer.units.Clock;

/// The collaborators of a target outside this process.
///
/// @param requests receives the events of requests, from one thread at a time
/// @param events receives gauges and messages
/// @param sampleEveryMillis interval of gauge readings
public record TargetSetup(Clock clock, RequestListener requests, TargetListener events, long sampleEveryMillis) {}
