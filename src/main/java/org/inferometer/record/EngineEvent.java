package org.inferometer.record;

import org.inferometer.workload.RequestId;

/// What an engine did to a request beside computing it, or told of itself; instants in nanoseconds since the run's anchor.
public sealed interface EngineEvent {
    /// When.
    long nanos();

    /// A waiting request was let in.
    ///
    /// @param again whether it had been let in before and was preempted
    /// @param cachedPositions positions at its start that the pool still had, so that they were not computed
    record Admitted(RequestId request, long nanos, boolean again, int cachedPositions) implements EngineEvent {}

    /// A running request lost its blocks.
    ///
    /// @param lostPositions positions that were computed and are not any more
    record Preempted(RequestId request, long nanos, int lostPositions) implements EngineEvent {}

    /// A target told the greatest memory that one of its processes had.
    ///
    /// @param ofHost whether it is the host's own memory; else that of the GPU, or of both where they share it
    record MemoryPeak(long nanos, boolean ofHost, double bytes) implements EngineEvent {}
}
