package org.inferometer.benchmark;

/// Something that happened in a run, for `events.csv`.
///
/// @param nanos since the run's anchor
/// @param kind "phase", "preempted", "marker", "engine_failed"
/// @param subject the phase, or the request's number
/// @param detail what more there is to say
public record RunEvent(long nanos, String kind, String subject, String detail) {}
