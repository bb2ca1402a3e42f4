package org.inferometer.target;

import org.inferometer.units.Clock;

/// What a target outside this process is opened with.
///
/// @param requests hears what becomes of each request, from one thread at a time
/// @param events hears what else the target tells
/// @param sampleEveryMillis how often the target's own gauges are read
public record TargetSetup(Clock clock, RequestListener requests, TargetListener events, long sampleEveryMillis) {}
