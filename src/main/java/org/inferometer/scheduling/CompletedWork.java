package org.inferometer.scheduling;

/// A completed step or transfer, reported to the scheduler.
///
/// @param deviceNanos time that the device computed, as measured by the executor
public record CompletedWork(Lane lane, Work work, long startNanos, long endNanos, long deviceNanos) {}
