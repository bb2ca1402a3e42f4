package org.inferometer.scheduling;

/// How contexts that exceed a step are split; see [MicroBatchSelector].
public enum ChunkingPolicy {
    /// No splitting.
    NONE,
    /// The oldest takes the remaining positions first.
    FIRST_COME_FIRST_SERVED,
    /// Each takes one unit in turn until no position remains.
    EQUAL_PROGRESS
}
