package org.inferometer.scheduling;

/// One stream of execution: a CUDA stream or a group of CPU threads; it runs one step at a time.
///
/// @param pool the pool that holds the keys and values of what it computes; of a transfer lane, the pool it copies into
/// @param priority passed on to the device, which may ignore it; lower numbers go first, as with CUDA streams, 0 is ordinary
public record Lane(LaneId id, Role role, PoolId pool, int priority) {
    /// A lane of ordinary priority.
    public Lane(LaneId id, Role role, PoolId pool) {
        this(id, role, pool, 0);
    }

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
