package org.inferometer.scheduling;

/// How contexts that are too long for a step together are cut; the rules stand at [MicroBatchScheduler].
public enum ChunkingPolicy {
    /// A context goes whole or not at all.
    NONE,
    /// Each in turn takes what is left.
    FIRST_COME_FIRST_SERVED,
    /// All grow by one unit in turn until nothing is left.
    EQUAL_PROGRESS
}
