package org.inferometer.scheduling;

/// How a step went, told to the scheduler afterwards.
///
/// @param deviceNanos time the device computed, as the executor measured it
public record CompletedWork(Lane lane, Work work, long startNanos, long endNanos, long deviceNanos) {}
