package org.inferometer.scheduling;

/// One stream of execution: a CUDA stream or a group of CPU threads; it runs one step at a time.
public record Lane(LaneId id, Role role, PoolId pool) {
    /// What a lane may be given.
    public enum Role {
        /// Everything but moves.
        ANY,
        /// Prefill only.
        PREFILL,
        /// Decode only.
        DECODE,
        /// Moves of KV between pools.
        TRANSFER
    }
}
